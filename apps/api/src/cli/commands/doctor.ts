import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { readSettings } from '../../config.ts';
import { noWords } from '../arguments.ts';
import { type Command, table } from '../command.ts';
import { examine } from '../doctor.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'Examines settings, database, disk, mail, brands and gateway keys. Changes nothing but the rights of files in DATA_DIR that others could read.',
  details: ['Exit codes: 0 all is well, warnings included; 1 something must be put right.'],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const findings = await examine(readSettings(), gatewayModules);
    const faults = findings.filter((finding) => finding.is === 'fault').length;
    const warnings = findings.filter((finding) => finding.is === 'warning').length;
    invocation.print({ ok: faults === 0, findings }, [
      ...table(
        ['', 'what', 'found'],
        findings.map((finding) => [finding.is, finding.what, finding.found]),
      ),
      '',
      faults === 0
        ? `All is well${warnings === 0 ? '' : `, with ${warnings} to look at`}.`
        : `To be put right: ${faults}.`,
    ]);
    return faults === 0 ? 0 : 1;
  },
};
