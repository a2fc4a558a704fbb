import type { CardChange, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { expiryFieldsProblem } from '@counterfoil/domain/paying/card.ts';
import { changeable } from '@counterfoil/gateways/port/capabilities.ts';
import type { GatewayState, MethodKind, SetupResult } from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import { AppError } from '../../app-error.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope, SessionScope } from '../../http/requests/scope.ts';
import { tellOfMethod } from '../../messages/people-messages.ts';
import type { Secrets } from '../../secrets.ts';
import { withTimeout } from '../../with-timeout.ts';
import { isBeingCharged } from '../payments/queries.ts';
import type { GatewayAccount } from '../payments/service.ts';
import {
  lockMethods,
  type MethodDeps,
  type MethodRow,
  methodColumns,
  monthOf,
  unseal,
} from './method-row.ts';
import { presentMethod } from './present.ts';
import { findListed, listMethods } from './queries.ts';
import { removeAtGateway } from './remove.ts';
import { tellDefault } from './setups/follow.ts';
import { leave, promote } from './setups/take-in.ts';

/** A signed-in person, the customer they act for, and the gateway of that customer's reseller. */
export interface Acting {
  readonly session: SessionScope;
  readonly scope: CustomerScope;
  readonly account: GatewayAccount;
}

/** The longest wait until the gateway knows of a new default, milliseconds. */
const TELL_WITHIN_MS = 2_000;

const tell = (deps: MethodDeps, { account, scope }: Acting) =>
  withTimeout(TELL_WITHIN_MS, tellDefault(deps, account, scope.customerId), undefined);

/** The methods a customer can be offered, of one kind or both. */
export async function methodsOf(
  deps: MethodDeps,
  scope: CustomerScope,
  account: GatewayAccount,
  kind: MethodKind | null,
): Promise<SavedSource[]> {
  const rows = await listMethods(deps.db, scope, account.id, kind);
  return rows.map((row) => presentMethod(row, account, deps.clock.now()));
}

/** One of them. @throws {AppError} `paymentMethod.notFound` */
export async function methodOf(
  deps: MethodDeps,
  scope: CustomerScope,
  account: GatewayAccount,
  id: string,
): Promise<SavedSource> {
  const row = await findListed(deps.db, scope, account.id, id);
  if (row === undefined) throw new AppError('paymentMethod.notFound');
  return presentMethod(row, account, deps.clock.now());
}

/** A saved method as a charge takes it. */
export interface ChargedMethod {
  readonly id: string;
  readonly kind: MethodKind;
  readonly saved: GatewayState;
  readonly payer: GatewayState;
  /** What a person knows it by, under the port's names; `type` is the gateway's name of the kind of method. */
  readonly shown: Readonly<Record<string, string>>;
}

/**
 * What a charge with a saved method takes to its gateway; undefined for another customer's, one that was removed, of another gateway
 * or not to be charged. Their states are the adapter’s: whoever stores one seals it.
 */
export async function methodForCharge(
  deps: { readonly db: Db; readonly secrets: Secrets },
  scope: CustomerScope,
  account: GatewayAccount,
  id: string,
): Promise<ChargedMethod | undefined> {
  const row = await deps.db.maybeOne<MethodRow & { payer_bag: Buffer | null }>(sql`
    select ${methodColumns}, p.gateway_state_sealed as payer_bag from payment_method m
      left join payer p on p.customer_id = m.customer_id and p.id = m.payer_id
     where m.customer_id = ${scope.customerId} and m.gateway_account_id = ${account.id} and m.id = ${id}
       and m.state = 'active' and m.usable = 'now'`);
  if (row === undefined) return undefined;
  const payer =
    row.payer_bag === null || row.payer_id === null ? {} : unseal(deps.secrets, row.payer_bag, row.payer_id);
  return {
    id: row.id,
    kind: row.kind,
    shown: row.show,
    payer,
    saved: unseal(deps.secrets, row.gateway_state_sealed, row.id),
  };
}

/** The methods of a customer at one gateway. */
interface MethodsAt {
  readonly customerId: string;
  readonly accountId: string;
}

const methodsAt = ({ scope, account }: Acting): MethodsAt => ({
  customerId: scope.customerId,
  accountId: account.id,
});

/** A method of the customer, with all of theirs locked. */
async function lockMethod(tx: Tx, { customerId, accountId }: MethodsAt, id: string): Promise<MethodRow> {
  await lockMethods(tx, customerId);
  const row = await tx.maybeOne<MethodRow>(sql`
    select ${methodColumns} from payment_method m
     where m.customer_id = ${customerId} and m.gateway_account_id = ${accountId} and m.id = ${id}
       and m.state = 'active'`);
  if (row === undefined) throw new AppError('paymentMethod.notFound');
  return row;
}

function audit(tx: Tx, { session, scope }: Acting, action: AuditAction, row: MethodRow, now: Date) {
  const { userId, email: userEmail, actor, resellerId, sessionId } = session;
  return recordAudit(tx, {
    action,
    at: now,
    resellerId,
    userId,
    userEmail,
    actor,
    sessionId,
    customerId: scope.customerId,
    detail: { paymentMethodId: row.id, kind: row.kind },
  });
}

/**
 * Makes a method the customer's default.
 * @throws {AppError} for another customer's method, an expired card, an account that cannot be debited
 */
export async function setDefault(deps: MethodDeps, acting: Acting, id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const row = await lockMethod(tx, methodsAt(acting), id);
    if (row.expires !== null && row.expires < monthOf(now)) throw new AppError('paymentMethod.expired');
    if (row.usable !== 'now') throw new AppError('paymentMethod.notUsable');
    if (row.is_default) return;
    await tx.execute(sql`
      update payment_method set is_default = false
       where customer_id = ${row.customer_id} and gateway_account_id = ${row.gateway_account_id} and is_default`);
    await tx.execute(sql`
      update payment_method set is_default = true, updated_at = ${now}
       where customer_id = ${row.customer_id} and id = ${row.id}`);
    await audit(tx, acting, 'paymentMethod.defaultSet', row, now);
  });
  await tell(deps, acting);
}

/**
 * Removes a method: it is out of every list at once and never charged again, whether or not its gateway can be told
 * now. The first remaining becomes the default.
 */
export async function removeMethod(deps: MethodDeps, acting: Acting, id: string): Promise<void> {
  await takeOut(deps, methodsAt(acting), id, (tx, row, now) =>
    audit(tx, acting, 'paymentMethod.removed', row, now),
  );
}

/**
 * The same, whoever asks for it.
 * @param record says so in the audit trail
 * @throws {AppError} `paymentMethod.notFound`, `paymentMethod.inUse`
 */
export async function takeOut(
  deps: MethodDeps,
  at: MethodsAt,
  id: string,
  record: (tx: Tx, row: MethodRow, now: Date) => Promise<unknown>,
): Promise<void> {
  const now = deps.clock.now();
  const row = await deps.db.transaction(async (tx) => {
    const found = await lockMethod(tx, at, id);
    await leave(tx, found, now);
    await promote(tx, found.customer_id, found.gateway_account_id, now);
    await record(tx, found, now);
    return found;
  });
  const end = await removeAtGateway(deps, { ...row, state: 'leaving' });
  if (end === 'inUse') {
    await comeBack(deps, row);
    throw new AppError('paymentMethod.inUse');
  }
  const account = await deps.accounts.byId(at.accountId);
  if (account !== undefined)
    await withTimeout(TELL_WITHIN_MS, tellDefault(deps, account, at.customerId), undefined);
}

/** The gateway does not let it go: it is still there, and so are its uses. */
const comeBack = (deps: MethodDeps, row: MethodRow) =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await lockMethods(tx, row.customer_id);
    if (row.is_default)
      await tx.execute(sql`
        update payment_method set is_default = false
         where customer_id = ${row.customer_id} and gateway_account_id = ${row.gateway_account_id} and is_default`);
    await tx.execute(sql`
      update payment_method set state = 'active', is_default = ${row.is_default}, check_at = null, updated_at = ${now}
       where customer_id = ${row.customer_id} and id = ${row.id} and state = 'leaving'`);
    await tellOfMethod(tx, row.customer_id, { id: row.id, type: 'payment_method.added' }, now);
  });

/**
 * Changes what can be changed of a method: expiry, names, address.
 * @throws {AppError} for an expiry that cannot be, a member this gateway does not take, or when nobody knows whether
 *   it was changed (it is read again later)
 */
export async function changeMethod(
  deps: MethodDeps,
  acting: Acting,
  change: CardChange,
): Promise<SavedSource> {
  const { account, scope } = acting;
  const now = deps.clock.now();
  const { updateMethod: edit, capabilities: can } = account.gateway;
  const row = await deps.db.transaction((tx) => lockMethod(tx, methodsAt(acting), change.id));
  const wanted = changesOf(change, row, now);
  const names = changeable(can, row.kind);
  if (edit === undefined || names.length === 0) throw new AppError('paymentMethod.notEditable');
  const fields = Object.keys(wanted)
    .filter((name) => !names.includes(name))
    .map((path) => ({ path, message: 'cannot be changed' }));
  if (fields.length > 0) throw new AppError('request.invalid', { fields });
  await beginChange(deps, acting, row.id, now);
  const observed: SetupResult = await edit(
    newGatewayRef(),
    unseal(deps.secrets, row.gateway_state_sealed, row.id),
    wanted,
  ).catch((error: unknown) => {
    deps.log.error({ err: error, method: row.id }, 'a gateway adapter threw while changing a method');
    return { is: 'unknown' as const, evidence: 'adapter fault' };
  });
  if (observed.is !== 'saved') throw await notChanged(deps, row, observed, now);
  const { show, expires = null } = observed.method;
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, row.customer_id);
    await tx.execute(sql`
      update payment_method set show = ${JSON.stringify(show)}, expires = ${expires}, check_at = ${row.check_at},
             changed_at = ${deps.clock.now()}, updated_at = ${now}
       where customer_id = ${row.customer_id} and id = ${row.id}`);
    // A card that is valid again may be the only one that can be the default.
    await promote(tx, row.customer_id, row.gateway_account_id, now);
    await audit(tx, acting, 'paymentMethod.changed', row, now);
  });
  return methodOf(deps, scope, account, row.id);
}

/** How soon a method is read again whose change was started and never ended: its process died. */
const CHANGE_WITHIN_MS = 60_000;

/**
 * Refuses a change while a charge of the method may have to be sent again as it was, and marks the method as changed from
 * now on: a charge that is written meanwhile is not sent again either.
 * @throws {AppError} `paymentMethod.beingCharged`
 */
const beginChange = (deps: MethodDeps, acting: Acting, id: string, now: Date) =>
  deps.db.transaction(async (tx) => {
    const row = await lockMethod(tx, methodsAt(acting), id);
    const isKey = acting.account.gateway.capabilities.lookup.some(
      ({ methodUnchanged }) => methodUnchanged === true,
    );
    if (isKey && (await isBeingCharged(tx, row))) throw new AppError('paymentMethod.beingCharged');
    await tx.execute(sql`
      update payment_method set changed_at = ${now}, check_at = ${new Date(now.getTime() + CHANGE_WITHIN_MS)}
       where customer_id = ${row.customer_id} and id = ${row.id}`);
  });

/** What is to be changed, under the port's names; of a month or year alone the other stays. */
function changesOf(change: CardChange, row: MethodRow, now: Date): Record<string, string> {
  const { expMonth, expYear, name, email, phone, address } = change;
  const [year, month] = (row.expires ?? '').split('-');
  const expiry: Record<string, string> = {};
  if (expMonth !== undefined || expYear !== undefined) {
    const [m, y] = [String(expMonth ?? month ?? ''), String(expYear ?? year ?? '')];
    if (row.kind !== 'card' || expiryFieldsProblem(m, y, now) !== null)
      throw new AppError('paymentMethod.badExpiry');
    Object.assign(expiry, { expMonth: String(Number(m)), expYear: y.trim() });
  }
  const given = { name, email, phone, ...address };
  const texts = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return { ...expiry, ...Object.fromEntries(texts) };
}

async function notChanged(
  deps: MethodDeps,
  row: MethodRow,
  observed: Exclude<SetupResult, { is: 'saved' }>,
  now: Date,
): Promise<AppError> {
  if (observed.is === 'refused') return new AppError('paymentMethod.declined', { text: observed.why.text });
  if (observed.is === 'notAttempted' && observed.why === 'config')
    return new AppError('gateway.misconfigured');
  if (observed.is === 'notAttempted' && observed.why === 'invalid')
    return new AppError('paymentMethod.refused');
  // Perhaps it was changed: it is read again soon.
  await deps.db.transaction((tx) =>
    tx.execute(sql`
      update payment_method set check_at = ${now} where customer_id = ${row.customer_id} and id = ${row.id}`),
  );
  return new AppError('server.unavailable');
}
