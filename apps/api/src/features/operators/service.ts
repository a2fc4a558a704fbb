import type { OperatorRole } from '@counterfoil/contract/operator/operators.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import { AdminRefused, checkedEmail, checkedName, requireReseller } from '../admin/service.ts';
import { issueInvitation } from './invitations.ts';
import * as queries from './queries.ts';

/** What owners and the command `operator` do: people of the provider are made, changed and shut out. */

export { invitationUrl } from './invitations.ts';
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

export interface Invited {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Makes an operator, who comes in by the invitation.
 * @throws {AdminRefused} for an address that an operator has, and for an unknown reseller
 */
export async function addOperator(
  tx: Tx,
  secrets: Secrets,
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
  await record(tx, row, 'operator.added', change, after({ displayName, role, resellerId }));
  return { email, ...(await issueInvitation(tx, secrets, row.id, change.now)) };
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
 * For one who lost password or authenticator app: both are taken away, sessions end, and a new invitation is made.
 * @throws {AdminRefused} for an address that no operator has, and for one who is shut out
 */
export async function resetOperator(
  tx: Tx,
  secrets: Secrets,
  email: string,
  change: Change,
): Promise<Invited & { readonly sessionsEnded: number }> {
  const row = await requireOperator(tx, email);
  if (row.disabled_at !== null) throw new AdminRefused(`${row.email} is shut out`);
  const sessionsEnded = await closeWays(tx, row, 'reset', change.now);
  await queries.setWayIn(tx, row.id, null);
  await record(tx, row, 'operator.reset', change, { sessionsEnded });
  return { email: row.email, sessionsEnded, ...(await issueInvitation(tx, secrets, row.id, change.now)) };
}

/** Ends sessions and invitations. @returns how many sessions */
async function closeWays(
  tx: Tx,
  { id }: queries.OperatorRow,
  reason: queries.SessionEnd,
  now: Date,
): Promise<number> {
  await queries.endInvitations(tx, id, now);
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

const after = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`after.${name}`, value]));

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
