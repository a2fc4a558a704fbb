import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { readSettings } from '../../config.ts';
import { noWords } from '../arguments/arguments.ts';
import { type Command, table } from '../command.ts';
import { examine } from '../doctor/doctor.ts';
import { sayFinding } from '../doctor/finding.ts';

export const doctorCommand: Command = {
  usage: '',
  details: [
    'Exit codes: 0 nothing must be put right, whatever there is to look at; 1 something must be put right.',
  ],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const findings = await examine(readSettings(), gatewayModules);
    const faults = findings.filter((finding) => finding.is === 'fault').length;
    const warnings = findings.filter((finding) => finding.is === 'warning').length;
    invocation.print({ ok: faults === 0, findings }, [
      ...table(
        ['', 'what', 'found'],
        findings.map((finding) => [finding.is, finding.what, sayFinding(finding)]),
      ),
      '',
      faults > 0
        ? `To be put right: ${faults}.`
        : warnings > 0
          ? `Nothing must be put right; to look at: ${warnings}.`
          : 'All is well.',
    ]);
    return faults === 0 ? 0 : 1;
  },
};
