import { type AuditRow, readAudit } from '../../audit/queries.ts';
import { checkedMoment, limitOf, limitOption, noWords, optionalNumber } from '../arguments.ts';
import { type Command, type Invocation, table } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** `counterfoil audit`: reads the audit trail. */
export const auditCommand: Command = {
  usage: '[--user <address>] [--reseller <id>] [--action <name>] [--since <when>] [--until <when>]',
  details: [
    'A time is ISO 8601 (2026-03-01, 2026-03-01T08:00:00Z; UTC where no zone is given), or how long ago: 30m, 12h, 7d, 4w.',
    'Nothing deletes lines of the trail; docs/operations.md says how an operator may.',
  ],
  options: {
    user: { type: 'string', value: '<address>', help: 'what happened in this user’s account' },
    reseller: { type: 'string', value: '<id>', help: 'only of this reseller' },
    action: { type: 'string', value: '<name>', help: 'only this, e.g. loginCode.used' },
    since: { type: 'string', value: '<when>', help: 'from this moment on' },
    until: { type: 'string', value: '<when>', help: 'before this moment' },
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const [userEmail, action] = [invocation.text('user')?.trim(), invocation.text('action')];
    const resellerId = optionalNumber(invocation, 'reseller');
    const limit = limitOf(invocation);
    const [from, to] = [momentOf(invocation, 'since'), momentOf(invocation, 'until')];
    const rows = await withRuntime(({ databases, clock }) => {
      const [since, until] = [from?.(clock.now()), to?.(clock.now())];
      return readAudit(databases.web, { userEmail, resellerId, action, since, until, limit });
    });
    invocation.print(
      { events: rows },
      rows.length === 0
        ? ['Nothing is on record for that.']
        : table(['when (UTC)', 'who', 'in the name of', 'what', 'from', 'about'], rows.map(cells)),
    );
    return 0;
  },
};

/** @throws {UsageError} for what is neither a moment nor an age */
function momentOf(invocation: Invocation, name: string): ((now: Date) => Date) | undefined {
  const text = invocation.text(name)?.trim();
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (length !== undefined) return (now) => new Date(now.getTime() - Number(count) * length);
  const moment = checkedMoment(name, text, ', or an age such as 7d');
  return () => moment;
}

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
