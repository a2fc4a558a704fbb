import { type AuditCheck, checkAudit } from '../../audit/seals.ts';
import { noWords } from '../arguments/arguments.ts';
import { type Command, UsageError } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

/** `counterfoil audit verify`: whether the audit trail is what was sealed. */
const verify: Command = {
  usage: '[--expect <seal>] …',
  details: [
    'A worker seals new lines each minute and logs the newest seal (`audit trail sealed`). Whoever can write to the database could make the',
    'whole chain again: a seal that was kept elsewhere shows that. Ends with 1 where something is wrong.',
  ],
  options: {
    expect: {
      type: 'string',
      value: '<seal>',
      multiple: true,
      help: 'a seal that was kept elsewhere, such as 57:9f86d0…; may be given several times',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const expected = invocation.texts('expect');
    const wrong = expected.find((text) => !/^[1-9]\d{0,17}:[0-9a-f]{64}$/.test(text));
    if (wrong !== undefined)
      throw new UsageError(`--expect takes a seal as the log or this command writes it, not '${wrong}'`);
    const check = await withRuntime(({ databases }) => checkAudit(databases.exports, expected));
    invocation.print(check, linesOf(check));
    return check.faults.length === 0 ? 0 : 1;
  },
};

function linesOf({ seals, lines, unsealed, erased, since, newest, faults }: AuditCheck): readonly string[] {
  const from = since === null ? '' : ` since ${since.toISOString().slice(0, 10)}`;
  return [
    `${lines} lines${from} in ${seals} seals; ${unsealed} not sealed yet.`,
    ...(erased === 0
      ? []
      : [`What was about a person is erased in ${erased} lines; see 'audit --action privacy.erased'.`]),
    ...(newest === null ? [] : [`Newest seal: ${newest}`]),
    ...faults.map(
      ({ seal, at, fault }) =>
        `Seal ${seal}${at === null ? '' : ` of ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`}: ${fault}.`,
    ),
    faults.length === 0 ? 'Nothing was changed.' : 'The trail is not what was sealed.',
  ];
}

export const actions = { verify };
