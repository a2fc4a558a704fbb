import { type OperatorRole, roleScopes } from '@counterfoil/contract/operator/access/operators.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import { AdminRefused, checkedEmail, checkedName, requireReseller } from '../admin/service.ts';
import { endSessionsOfOperator } from '../login-as/service.ts';
import { issueInvitation } from './invitations.ts';
import { enqueueInvitationMail } from './mail-queue.ts';
import * as queries from './queries.ts';
import { unbindSso } from './sso-queries.ts';

/** What owners and the command `operator` do: people of the provider are made, changed and shut out. */

export { invitationUrl } from './invitations.ts';
export { enqueueEndpointMails, operatorMailJobs, type StoppedEndpoint } from './mail-queue.ts';
export { isOwners, requireCode, requireGivable } from './owner.ts';
export { type ListedOperator, listOperators, stateOf } from './queries.ts';
export { actorOf, type OperatorDeps } from './session.ts';

export interface NewOperator {
  readonly email: string;
  readonly displayName: string;
  readonly role: OperatorRole;
  /** Null: of the whole installation. */
  readonly resellerId: number | null;
}

/** Who changes an operator, as the audit trail names them. */
export interface Change extends ActedBy {
  readonly now: Date;
}

/** How invitations reach people: by mail where there is a mail server, else by a link that is shown once. */
export interface Inviting {
  readonly secrets: Secrets;
  readonly byMail: boolean;
}

export interface Invited {
  readonly email: string;
  /** Undefined: the link goes out by mail. */
  readonly token: string | undefined;
  readonly expiresAt: Date;
}

/**
 * Makes an operator, who comes in by the invitation.
 * @throws {AdminRefused} for an address that an operator has, and for an unknown reseller
 */
export async function addOperator(
  tx: Tx,
  inviting: Inviting,
  wanted: NewOperator,
  change: Change,
): Promise<Invited> {
  const email = checkedEmail(wanted.email);
  const { resellerId, role } = wanted;
  if (resellerId !== null) await requireReseller(tx, resellerId);
  const row = {
    id: newId(change.now.getTime()),
    reseller_id: resellerId,
    email,
    display_name: checkedName('name', wanted.displayName),
    role,
    created_at: change.now,
  };
  if ((await queries.insertOperator(tx, row)) === 0) throw new AdminRefused(`there is an operator ${email}`);
  const { display_name: displayName } = row;
  const invitation = inviting.byMail ? 'mailed' : 'link';
  await record(tx, row, 'operator.added', change, {
    ...named('after', { displayName, role, resellerId }),
    invitation,
  });
  return invite(tx, inviting, row, change.now);
}

async function invite(
  tx: Tx,
  { secrets, byMail }: Inviting,
  { id, email }: Pick<queries.OperatorRow, 'id' | 'email'>,
  now: Date,
): Promise<Invited> {
  const { token, expiresAt } = await issueInvitation(tx, secrets, id, now, byMail);
  if (!byMail) return { email, token, expiresAt };
  await enqueueInvitationMail(tx, id);
  return { email, token: undefined, expiresAt };
}

/**
 * Invites once more who has not come in yet; the link before stops working.
 * @throws {AdminRefused} for an address that no operator has, for one who has come in, and for one who is shut out
 */
export async function inviteAgain(
  tx: Tx,
  inviting: Inviting,
  email: string,
  change: Change,
): Promise<Invited> {
  const row = await requireOperator(tx, email);
  if (row.disabled_at !== null) throw new AdminRefused(`${row.email} is shut out`);
  if (row.password_hash !== null) throw new AdminRefused(`${row.email} has followed the invitation already`);
  await record(tx, row, 'operator.invited', change, { invitation: inviting.byMail ? 'mailed' : 'link' });
  return invite(tx, inviting, row, change.now);
}

/**
 * Withdraws an open invitation: its link opens nothing any more, and a mail that waits is not sent.
 * @throws {AdminRefused} for an address that no operator has; where none is open nothing is recorded
 */
export async function withdrawInvitation(tx: Tx, email: string, change: Change): Promise<void> {
  const row = await requireOperator(tx, email);
  if ((await queries.endInvitations(tx, row.id, change.now)) > 0)
    await record(tx, row, 'operator.invitationWithdrawn', change, {});
}

/**
 * Removes an operator with all ways in, at once; the address is free again.
 * @throws {AdminRefused} for an address that no operator has
 */
export async function removeOperator(
  tx: Tx,
  email: string,
  change: Change,
): Promise<{ readonly sessionsEnded: number }> {
  const row = await requireOperator(tx, email);
  const sessionsEnded = await closeWays(tx, row, 'disabled', change.now);
  await queries.deleteOperator(tx, row.id);
  await record(tx, row, 'operator.removed', change, { ...named('before', valuesOf(row)), sessionsEnded });
  return { sessionsEnded };
}

/** @throws {AdminRefused} for an address that no operator has, and for an unknown reseller */
export async function setOperator(
  tx: Tx,
  email: string,
  wanted: Partial<Omit<NewOperator, 'email'>>,
  change: Change,
): Promise<queries.OperatorRow> {
  const row = await requireOperator(tx, email);
  const before = valuesOf(row);
  const changed = {
    ...row,
    display_name:
      wanted.displayName === undefined ? row.display_name : checkedName('name', wanted.displayName),
    role: wanted.role ?? row.role,
    reseller_id: wanted.resellerId === undefined ? row.reseller_id : wanted.resellerId,
  };
  if (changed.reseller_id !== null) await requireReseller(tx, changed.reseller_id);
  const detail = differences(before, valuesOf(changed));
  if (Object.keys(detail).length === 0) return row;
  await queries.updateOperator(tx, changed);
  if (!roleScopes[changed.role].includes('users:signInAs') || changed.reseller_id !== row.reseller_id)
    await endSessionsOfOperator(tx, row.id, change.now);
  await record(tx, changed, 'operator.changed', change, detail);
  return changed;
}

/**
 * Shuts an operator out at once, or lets one in again; with nothing to change nothing is recorded.
 * @throws {AdminRefused} for an address that no operator has
 */
export async function setOperatorActive(
  tx: Tx,
  email: string,
  isActive: boolean,
  change: Change,
): Promise<{ readonly sessionsEnded: number }> {
  const row = await requireOperator(tx, email);
  if ((row.disabled_at === null) === isActive) return { sessionsEnded: 0 };
  await queries.updateOperator(tx, { ...row, disabled_at: isActive ? null : change.now });
  const sessionsEnded = isActive ? 0 : await closeWays(tx, row, 'disabled', change.now);
  const action = isActive ? 'operator.enabled' : 'operator.disabled';
  await record(tx, row, action, change, {
    'before.status': isActive ? 'disabled' : 'active',
    'after.status': isActive ? 'active' : 'disabled',
    sessionsEnded,
  });
  return { sessionsEnded };
}

/**
 * For one who lost password or authenticator app: both and all passkeys are taken away, sessions end, and a new invitation
 * is made.
 * @throws {AdminRefused} for an address that no operator has, and for one who is shut out
 */
export async function resetOperator(
  tx: Tx,
  inviting: Inviting,
  email: string,
  change: Change,
): Promise<Invited & { readonly sessionsEnded: number }> {
  const row = await requireOperator(tx, email);
  if (row.disabled_at !== null) throw new AdminRefused(`${row.email} is shut out`);
  const sessionsEnded = await closeWays(tx, row, 'reset', change.now);
  await queries.setWayIn(tx, row.id, null);
  await queries.deletePasskeys(tx, row.id);
  await unbindSso(tx, row.id);
  await record(tx, row, 'operator.reset', change, { sessionsEnded });
  return { sessionsEnded, ...(await invite(tx, inviting, row, change.now)) };
}

/** Ends sessions, those in users' names included, and open links. @returns how many sessions of the console */
async function closeWays(
  tx: Tx,
  { id }: queries.OperatorRow,
  reason: queries.SessionEnd,
  now: Date,
): Promise<number> {
  await queries.endInvitations(tx, id, now);
  await queries.endResets(tx, id, now);
  await endSessionsOfOperator(tx, id, now);
  return queries.endSessions(tx, id, reason, now);
}

async function requireOperator(tx: Tx, email: string): Promise<queries.OperatorRow> {
  const row = await queries.lockOperator(tx, checkedEmail(email));
  if (row === undefined) throw new AdminRefused(`there is no operator ${email.trim().toLowerCase()}`);
  return row;
}

type Values = Readonly<Record<string, string | number | null>>;

const valuesOf = (row: queries.OperatorRow): Values => ({
  displayName: row.display_name,
  role: row.role,
  resellerId: row.reseller_id,
});

const named = (when: 'before' | 'after', values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${when}.${name}`, value]));

const differences = (before: Values, now: Values): Values =>
  Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) =>
      before[name] === value
        ? []
        : [
            [`before.${name}`, before[name] ?? null],
            [`after.${name}`, value],
          ],
    ),
  );

const record = (
  tx: Tx,
  row: Pick<queries.OperatorRow, 'email' | 'reseller_id'>,
  action: AuditAction,
  { now, ...by }: Change,
  detail: Values,
): Promise<void> =>
  recordAudit(tx, {
    action,
    at: now,
    resellerId: row.reseller_id ?? undefined,
    userEmail: row.email,
    ...by,
    detail,
  });
