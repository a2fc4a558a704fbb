import { type OperatorRole, operatorRoles } from '@counterfoil/contract/operator/access/operators.ts';
import {
  addOperator,
  type Invited,
  type Inviting,
  invitationUrl,
  inviteAgain,
  type ListedOperator,
  listOperators,
  removeOperator,
  resetOperator,
  setOperator,
  setOperatorActive,
  stateOf,
  withdrawInvitation,
} from '../../../features/operators/service.ts';
import type { Runtime } from '../../../runtime.ts';
import { needed, noWords, optionalNumber, resellerOption } from '../../arguments/arguments.ts';
import { ownerOf, ownerOptions } from '../../arguments/operator-arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
import { inTransaction, inTransactionWithLinks, withRuntime } from '../../with-runtime.ts';

const emailOption = { email: { type: 'string', value: '<address>', help: 'the user name' } } as const;
const valueOptions = {
  name: { type: 'string', help: 'shown in the console' },
  role: {
    type: 'string',
    value: `<${operatorRoles.join('|')}>`,
    check: checkedRole,
    help: 'what they may do',
  },
  ...ownerOptions,
} as const;

function checkedRole(name: string, text: string): OperatorRole {
  const role = operatorRoles.find((one) => one === text);
  if (role !== undefined) return role;
  throw new UsageError(`--${name} takes one of ${operatorRoles.join(', ')}, not '${text}'`);
}

const changeNow = ({ clock }: { readonly clock: { now(): Date } }) => ({
  actor: commandActor(),
  now: clock.now(),
});

const linkOption = {
  link: { type: 'boolean', help: 'shows the link here instead of mailing it' },
} as const;

/** By mail where there is a mail server and the link is not asked for. */
const invitingBy = ({ secrets, config }: Runtime, invocation: Invocation): Inviting => ({
  secrets,
  byMail: config.smtpUrl !== undefined && !invocation.flag('link'),
});

const until = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const add: Command = {
  usage: '--email <address> --name <text> --role <role> --reseller <id>',
  details: [
    'The invitation goes to them by mail. Without a mail server, or with --link, its link is shown here only: hand it to',
    'the operator. It works once, for seven days. owner: everything; billing: all but users; support: users, and reading;',
    'readOnly: reading. A role that changes holds from the next call on.',
  ],
  options: { ...emailOption, ...valueOptions, ...linkOption },
  async run(invocation) {
    noWords(invocation);
    const wanted = {
      email: needed(invocation, 'email'),
      displayName: needed(invocation, 'name'),
      role: checkedRole('role', needed(invocation, 'role')),
      resellerId: ownerOf(invocation),
    };
    const made = await inTransactionWithLinks(async (tx, runtime) => {
      const invited = await addOperator(tx, invitingBy(runtime, invocation), wanted, changeNow(runtime));
      return { ...invited, url: urlOf(runtime, invited) };
    });
    printInvitation(invocation, made, `Operator ${made.email} made (${wanted.role}).`);
    return 0;
  },
};

/** Null: it is mailed. */
const urlOf = ({ config }: Runtime, { token }: Invited): string | null =>
  token === undefined ? null : invitationUrl(config.publicUrl, token);

interface Made {
  readonly email: string;
  readonly url: string | null;
  readonly expiresAt: Date;
}

function printInvitation(invocation: Invocation, { email, url, expiresAt }: Made, said: string): void {
  invocation.print(
    { email, url, expiresAt: expiresAt.toISOString() },
    url === null
      ? [`${said} The invitation goes to ${email} by mail.`]
      : [`${said} The link works once, until ${until(expiresAt)}:`, url],
  );
}

const invite: Command = {
  usage: '--email <address> [--link]',
  details: ['For who has not come in yet. The link before stops working.'],
  options: { ...emailOption, ...linkOption },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const made = await inTransactionWithLinks(async (tx, runtime) => {
      const invited = await inviteAgain(tx, invitingBy(runtime, invocation), email, changeNow(runtime));
      return { ...invited, url: urlOf(runtime, invited) };
    });
    printInvitation(invocation, made, `${made.email} is invited once more.`);
    return 0;
  },
};

const withdraw: Command = {
  usage: '--email <address>',
  options: emailOption,
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    await inTransaction((tx, runtime) => withdrawInvitation(tx, email, changeNow(runtime)));
    invocation.print({ email }, [`The invitation of ${email} opens nothing any more.`]);
    return 0;
  },
};

const remove: Command = {
  usage: '--email <address>',
  options: emailOption,
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const done = await inTransaction((tx, runtime) => removeOperator(tx, email, changeNow(runtime)));
    invocation.print({ email, ...done }, [`${email} is removed; sessions ended: ${done.sessionsEnded}.`]);
    return 0;
  },
};

const reset: Command = {
  usage: '--email <address> [--link]',
  options: { ...emailOption, ...linkOption },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const made = await inTransactionWithLinks(async (tx, runtime) => {
      const invited = await resetOperator(tx, invitingBy(runtime, invocation), email, changeNow(runtime));
      return { ...invited, url: urlOf(runtime, invited) };
    });
    printInvitation(
      invocation,
      made,
      `${made.email} has to start again; sessions ended: ${made.sessionsEnded}.`,
    );
    return 0;
  },
};

const set: Command = {
  usage: '--email <address> [--name <text>] [--role <role>] [--reseller <id> | --installation]',
  options: { ...emailOption, ...valueOptions },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const [displayName, role] = [invocation.text('name'), invocation.text('role')];
    const isMoved = invocation.flag('installation') || invocation.text('reseller') !== undefined;
    const wanted = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(role === undefined ? {} : { role: checkedRole('role', role) }),
      ...(isMoved ? { resellerId: ownerOf(invocation) } : {}),
    };
    if (Object.keys(wanted).length === 0)
      throw new UsageError('give --name, --role, --reseller or --installation');
    const row = await inTransaction((tx, runtime) => setOperator(tx, email, wanted, changeNow(runtime)));
    const shown = {
      email: row.email,
      displayName: row.display_name,
      role: row.role,
      resellerId: row.reseller_id,
    };
    invocation.print(shown, [
      `${row.email}: ${row.display_name}, ${row.role}, ${row.reseller_id === null ? 'every reseller' : `reseller ${row.reseller_id}`}.`,
    ]);
    return 0;
  },
};

const disable: Command = {
  usage: '--email <address> [--undo]',
  options: { ...emailOption, undo: { type: 'boolean', help: 'lets the operator sign in again' } },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const isActive = invocation.flag('undo');
    const done = await inTransaction((tx, runtime) =>
      setOperatorActive(tx, email, isActive, changeNow(runtime)),
    );
    invocation.print({ email, isActive, ...done }, [
      isActive
        ? `${email} may sign in again.`
        : `${email} is shut out; sessions ended: ${done.sessionsEnded}.`,
    ]);
    return 0;
  },
};

function stateWords(row: ListedOperator): string {
  const state = stateOf(row, new Date());
  if (state !== 'invited' || row.invited_until === null) return state === 'noWayIn' ? 'no way in' : state;
  return `invited until ${until(row.invited_until)}`;
}

const list: Command = {
  usage: '[--reseller <id>]',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const rows = await withRuntime(({ databases }) => listOperators(databases.web, resellerId));
    const operators = rows.map((row) => ({
      email: row.email,
      displayName: row.display_name,
      role: row.role,
      resellerId: row.reseller_id,
      state: stateWords(row),
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    }));
    invocation.print(
      { operators },
      table(
        ['email', 'reseller', 'role', 'state', 'last used', 'name'],
        operators.map((one) => [
          one.email,
          one.resellerId === null ? 'all' : `${one.resellerId}`,
          one.role,
          one.state,
          one.lastUsedAt ?? 'never',
          one.displayName,
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, list, set, invite, withdraw, disable, reset, remove };
