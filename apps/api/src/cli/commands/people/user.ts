import type { Tx } from '../../../db/database.ts';
import {
  addMember,
  addUser,
  listUsers,
  removeMember,
  requireActiveUser,
  setUserActive,
} from '../../../features/admin/users.ts';
import { enqueueRegistrationMail } from '../../../features/auth/mail-queue.ts';
import { setPasswordFor } from '../../../features/auth/passwords/account-password.ts';
import { hashPassword } from '../../../features/auth/passwords/passwords.ts';
import { lockAnyUser, type UserRow } from '../../../features/auth/queries.ts';
import {
  customersOption,
  limitOf,
  limitOption,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, table, UsageError } from '../../command.ts';
import { customersNamed } from '../../customer-named.ts';
import {
  madePasswordFields,
  madePasswordLines,
  newPassword,
  passwordOptions,
  requireGoodPassword,
} from '../../new-password.ts';
import { recordCommand, userSubject } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

/** @throws {CommandError} for an address nobody has */
async function requireAnyUser(tx: Tx, email: string): Promise<UserRow> {
  const user = await lockAnyUser(tx, email);
  if (user === undefined) throw new CommandError(`there is no user ${email.trim().toLowerCase()}`);
  return user;
}

const emailOption = { email: { type: 'string', value: '<address>', help: 'the user name' } } as const;

const add: Command = {
  usage: '--reseller <id> --email <address> --name <text> [--customer <id or ref>] … [--invite]',
  options: {
    ...resellerOption,
    ...emailOption,
    name: { type: 'string', help: 'shown to the user' },
    ...customersOption,
    invite: { type: 'boolean', help: 'no password yet: mails the link to finish the registration' },
    ...passwordOptions,
  },
  async run(invocation) {
    noWords(invocation);
    const isInvited = invocation.flag('invite');
    if (isInvited && (invocation.text('password') !== undefined || invocation.flag('password-stdin'))) {
      throw new UsageError('--invite lets the user choose the password; give none');
    }
    const resellerId = neededNumber(invocation, 'reseller');
    const email = needed(invocation, 'email');
    const displayName = needed(invocation, 'name');
    const customers = invocation.texts('customer');
    const user = await withRuntime(async ({ config, databases, clock }) => {
      const password = isInvited ? undefined : await newPassword(invocation, config, clock.now());
      const passwordHash = password === undefined ? null : await hashPassword(password.text);
      const passwordExpiresAt = password?.expiresAt;
      const customerIds = await customersNamed(databases.web, customers, resellerId);
      const wanted = { resellerId, email, displayName, passwordHash, passwordExpiresAt, customerIds };
      const id = await databases.web.transaction(async (tx) => {
        const made = await addUser(tx, wanted, clock.now());
        if (password !== undefined) {
          await requireGoodPassword(tx, config, await requireAnyUser(tx, email), password, 'registration');
        }
        if (isInvited) await enqueueRegistrationMail(tx, made);
        const detail = { invited: isInvited, customers: customerIds.join(' ') };
        const subject = await userSubject(tx, email);
        await recordCommand(tx, clock.now(), { action: 'user.added', ...subject, detail });
        return made;
      });
      return { id, password };
    });
    const { password, id } = user;
    const made = password === undefined ? { invited: true } : madePasswordFields(password);
    invocation.print({ id, email, ...made }, [
      `User ${email} created.`,
      ...(password === undefined ? ['A registration mail is on its way.'] : madePasswordLines(password)),
    ]);
    return 0;
  },
};

const password: Command = {
  usage: '--email <address>',
  options: { ...emailOption, ...passwordOptions },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const done = await withRuntime(async ({ config, databases, clock }) => {
      const made = await newPassword(invocation, config, clock.now());
      const hash = await hashPassword(made.text);
      const { expiresAt } = made;
      const ended = await databases.web.transaction(async (tx) => {
        const user = await requireAnyUser(tx, email);
        await requireGoodPassword(tx, config, user, made, 'change');
        const changed = await setPasswordFor(tx, user, { hash, expiresAt }, clock.now());
        const subject = await userSubject(tx, email);
        await recordCommand(tx, clock.now(), { action: 'password.changed', ...subject, detail: changed });
        return changed;
      });
      return { ...ended, made };
    });
    const { made, sessionsEnded } = done;
    invocation.print({ email, sessionsEnded, ...madePasswordFields(made) }, [
      `Password of ${email} set; sessions ended: ${sessionsEnded}.`,
      ...madePasswordLines(made),
    ]);
    return 0;
  },
};

const invite: Command = {
  usage: '--email <address>',
  details: ['An earlier link stops working. The mail goes out from the queue, by `serve` or `work`.'],
  options: emailOption,
  async run(invocation) {
    noWords(invocation);
    const email = await inTransaction(async (tx, { clock }) => {
      const user = await requireActiveUser(tx, needed(invocation, 'email'));
      await enqueueRegistrationMail(tx, user.id);
      const subject = await userSubject(tx, user.email);
      await recordCommand(tx, clock.now(), { action: 'user.invited', ...subject });
      return user.email;
    });
    invocation.print({ email, invited: true }, [`A registration mail to ${email} is on its way.`]);
    return 0;
  },
};

const disable: Command = {
  usage: '--email <address> [--undo]',
  options: { ...emailOption, undo: { type: 'boolean', help: 'lets the user sign in again' } },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const isActive = invocation.flag('undo');
    const done = await inTransaction(async (tx, { clock }) => {
      const changed = await setUserActive(tx, email, isActive, clock.now());
      const action = isActive ? 'user.enabled' : 'user.disabled';
      const subject = await userSubject(tx, email);
      await recordCommand(tx, clock.now(), { action, ...subject, detail: changed });
      return changed;
    });
    invocation.print({ email, isActive, ...done }, [
      isActive
        ? `${email} may sign in again.`
        : `${email} is shut out; sessions ended: ${done.sessionsEnded}.`,
    ]);
    return 0;
  },
};

const member: Command = {
  usage: '--email <address> --customer <id or ref> | --remove <id or ref>',
  options: {
    ...emailOption,
    ...customersOption,
    remove: { ...customersOption.customer, help: 'a customer the user shall no longer see' },
  },
  async run(invocation) {
    noWords(invocation);
    const email = needed(invocation, 'email');
    const [toAdd, toRemove] = [invocation.texts('customer'), invocation.texts('remove')];
    if (toAdd.length + toRemove.length === 0) throw new UsageError('give --customer or --remove');
    const { adds, removes } = await inTransaction(async (tx, { clock }) => {
      const [adds, removes] = [await customersNamed(tx, toAdd), await customersNamed(tx, toRemove)];
      const subject = await userSubject(tx, email);
      const record = (action: 'user.memberAdded' | 'user.memberRemoved', customerId: string) =>
        recordCommand(tx, clock.now(), { action, ...subject, customerId });
      for (const id of adds) {
        if (await addMember(tx, email, id)) await record('user.memberAdded', id);
      }
      for (const id of removes) {
        await removeMember(tx, email, id);
        await record('user.memberRemoved', id);
      }
      return { adds, removes };
    });
    invocation.print({ email, added: adds, removed: removes }, [
      ...adds.map((id) => `${email} belongs to ${id}.`),
      ...removes.map((id) => `${email} no longer belongs to ${id}.`),
    ]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>] [--limit <n>]',
  options: { ...resellerOption, ...limitOption },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const limit = limitOf(invocation);
    const rows = await withRuntime(({ databases }) => listUsers(databases.web, resellerId, limit));
    invocation.print(
      { users: rows },
      table(
        ['email', 'reseller', 'state', 'customers', 'name'],
        rows.map((row) => [
          row.email,
          `${row.reseller_id}`,
          stateOf(row),
          `${row.customer_ids.length}`,
          row.display_name,
        ]),
      ),
    );
    return 0;
  },
};

function stateOf(row: { is_active: boolean; password_expires_at: Date | null }): string {
  if (!row.is_active) return 'disabled';
  const until = row.password_expires_at?.toISOString().slice(0, 10);
  return until === undefined ? 'active' : `active, made password until ${until}`;
}

export const actions = { add, invite, password, disable, member, list };
