import { type AuditRow, readAudit } from '../../audit/queries.ts';
import {
  limitOf,
  limitOption,
  noWords,
  optionalMoment,
  optionalNumber,
  resellerOption,
  sinceOption,
  untilOption,
} from '../arguments/arguments.ts';
import { type Command, table } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

/** `counterfoil audit`: reads the audit trail. */
export const auditCommand: Command = {
  usage: '[--user <address>] [--reseller <id>] [--action <name>] [--since <when>] [--until <when>]',
  details: ['Nothing deletes lines of the trail; docs/operations.md says how an operator may.'],
  options: {
    user: { type: 'string', value: '<address>', help: 'what happened in this user’s account' },
    ...resellerOption,
    action: { type: 'string', value: '<name>', help: 'only this, e.g. loginCode.used' },
    ...sinceOption,
    ...untilOption,
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const [userEmail, action] = [invocation.text('user')?.trim(), invocation.text('action')];
    const resellerId = optionalNumber(invocation, 'reseller');
    const limit = limitOf(invocation);
    const [since, until] = [optionalMoment(invocation, 'since'), optionalMoment(invocation, 'until')];
    const rows = await withRuntime(({ databases }) =>
      readAudit(databases.web, { userEmail, resellerId, action, since, until, limit }),
    );
    invocation.print(
      { events: rows },
      rows.length === 0
        ? ['Nothing is on record for that.']
        : table(['when (UTC)', 'who', 'in the name of', 'what', 'from', 'about'], rows.map(cells)),
    );
    return 0;
  },
};

/** Who acted: support or an operator by their own name, else the user; nobody known is a dash. */
const cells = (row: AuditRow): readonly string[] => [
  row.at.toISOString().slice(0, 19).replace('T', ' '),
  row.actor ?? row.user_email ?? '–',
  row.actor === null ? '' : (row.user_email ?? ''),
  row.action,
  row.address ?? '',
  aboutOf(row),
];

function aboutOf({ reseller_id, customer_id, request_id, detail }: AuditRow): string {
  const facts: readonly (readonly [string, unknown])[] = [
    ...Object.entries(detail),
    ['reseller', reseller_id],
    ['customer', customer_id],
    ['request', request_id],
  ];
  return facts
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${printable(String(value))}`)
    .join(' ');
}

/** Words of a caller stand here too: control characters must not steer the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}|\p{Cf}/gu, '?').slice(0, 200);
