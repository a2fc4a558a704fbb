import { isOpen } from '@counterfoil/domain/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice.ts';
import type { FindPlan, Found, RemoteId } from '@counterfoil/gateways/port.ts';
import { sql } from '../../db/sql.ts';
import { keepsMethod } from '../payment-methods/kept-queries.ts';
import type { GatewayAccount, GatewayAccounts } from './accounts.ts';
import { type AttemptRow, attemptColumns, chargeFromRow, openBag, sealBag } from './attempt-row.ts';
import { ABANDONED_MS, PERSON_AFTER_MS } from './schedule.ts';
import { type AttemptKey, type Cause, type Finding, type SettleDeps, settle } from './settle.ts';

export interface AskDeps extends SettleDeps {
  readonly accounts: GatewayAccounts;
  /** The longest wait for a charge's answer, milliseconds (20,000). */
  readonly callWithinMs?: number;
}

/** A plan that may charge runs only this long after the customer pressed Pay. */
const MAY_CHARGE_FOR_MS = 30 * 60_000;

/** One attempt by its key. */
export const readAttempt = (deps: Pick<AskDeps, 'db'>, key: AttemptKey) =>
  deps.db.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a where a.customer_id = ${key.customerId} and a.id = ${key.attemptId}`);

/**
 * Finds out what became of an open attempt, by the plans its gateway declares, in their order.
 * @param mayCharge whether a plan is allowed that takes the money when the first request never arrived; a webhook
 *   never is
 */
export async function ask(
  deps: AskDeps,
  attempt: AttemptRow,
  cause: Cause,
  mayCharge: boolean,
): Promise<AttemptRow> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) {
    return settle(deps, key, { is: 'hold', why: 'the gateway account cannot be opened' }, cause);
  }
  let current = attempt;
  let isAnyLeft = false;
  for (const plan of account.gateway.can.find) {
    const use = usable(plan, current, deps.clock.now().getTime(), mayCharge);
    if (use === 'expired') continue;
    isAnyLeft = true;
    if (use === 'notNow') continue;
    if (plan.mayCharge && !(await isMethodKept(deps, current))) continue;
    const sentBefore = current.last_sent_at;
    const counted = await countAsk(deps, current, plan);
    // It ended meanwhile, or what it pays is no longer due.
    if (counted === undefined) continue;
    current = counted;
    const found = await tryPlan(account, current, plan, deps);
    if (found.is !== 'cannotTell') {
      const after = await settle(deps, key, orHold(found, current, cause, deps), cause, current);
      // A challenge found only now, when nobody is there to finish it: whatever is on record, it is closed.
      const isAbandoned = found.is === 'requiresAction' && ageOf(deps, current) >= ABANDONED_MS;
      return isAbandoned && cause === 'reconciler' && isOpen(after.state) ? closeAttempt(deps, after) : after;
    }
    current = await keepAnswer(deps, current, found, sentBefore);
  }
  if (!isAnyLeft) {
    return settle(deps, key, { is: 'hold', why: 'every way to find out has expired' }, cause);
  }
  // A webhook may be early: the answer to the call itself is still to come, so not knowing changes nothing.
  if (cause !== 'reconciler') return current;
  // Nothing could be told now: the schedule brings it round again.
  return settle(
    deps,
    key,
    orHold({ is: 'unknown', evidence: 'not found out yet' }, current, cause, deps),
    cause,
  );
}

/** What is still unknown after an hour needs a person; the schedule goes on asking all the same. */
export function orHold(found: Found, attempt: AttemptRow, cause: Cause, deps: AskDeps): Finding {
  const isOpenQuestion = found.is === 'unknown' || (found.is === 'absent' && !found.proven);
  const ageMs = ageOf(deps, attempt);
  if (!isOpenQuestion || cause !== 'reconciler' || attempt.state === 'held' || ageMs < PERSON_AFTER_MS)
    return found;
  const bag = found.is === 'unknown' && found.bag !== undefined ? { bag: found.bag } : {};
  return { is: 'hold', why: found.is === 'unknown' ? found.evidence : 'not seen at the gateway', ...bag };
}

const ageOf = (deps: AskDeps, attempt: AttemptRow): number =>
  deps.clock.now().getTime() - attempt.sent_at.getTime();

type Use = 'now' | 'notNow' | 'expired';

/** Whether a plan may be used at this moment; what the port documents about each duration is obeyed here. */
export function usable(plan: FindPlan, attempt: AttemptRow, nowMs: number, mayCharge: boolean): Use {
  const sinceSent = nowMs - attempt.sent_at.getTime();
  const sinceLast = nowMs - attempt.last_sent_at.getTime();
  if (plan.validMs !== 'unknown' && sinceSent > plan.validMs) return 'expired';
  if (plan.savedMethodOnly && attempt.method_sealed === null) return 'expired';
  if (plan.maxAsks !== 'any' && (attempt.asks[plan.by] ?? 0) >= plan.maxAsks) return 'expired';
  if (plan.mayCharge) {
    if (attempt.initiator === 'customer' && sinceSent > MAY_CHARGE_FOR_MS) return 'expired';
    if (!mayCharge) return 'notNow';
  }
  return sinceLast < plan.firstMs ? 'notNow' : 'now';
}

/**
 * Looks once more, without ever charging, at what became of an attempt that has ended: money that was taken after
 * all is booked as the customer's credit, and a second charge is reported.
 * @param other the gateway's id of a charge that carries the reference and is not the one we know of
 * @returns whether the gateway gave a certain answer; with `other`, about that charge
 */
export async function askEnded(deps: AskDeps, attempt: AttemptRow, other?: RemoteId): Promise<boolean> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  const named = other === undefined ? undefined : await tryNamed(account, attempt, other, deps);
  const found = named ?? (await tryPlans(account, attempt, deps));
  if (found === undefined) return false;
  await settle(deps, key, found, 'webhook', attempt);
  if (found.is === 'unknown' || found.is === 'absent') return false;
  if (other === undefined || named !== undefined || attempt.remote === null) return true;
  return 'remote' in found && found.remote === other;
}

async function tryPlans(
  account: GatewayAccount | undefined,
  attempt: AttemptRow,
  deps: AskDeps,
): Promise<Found | undefined> {
  for (const plan of account?.gateway.can.find ?? []) {
    if (account === undefined || usable(plan, attempt, deps.clock.now().getTime(), false) !== 'now') continue;
    const found = await tryPlan(account, attempt, plan, deps);
    if (found.is !== 'cannotTell') return found;
  }
  return undefined;
}

async function tryNamed(
  account: GatewayAccount | undefined,
  attempt: AttemptRow,
  remote: RemoteId,
  deps: AskDeps,
): Promise<Found | undefined> {
  try {
    const found = await account?.gateway.findNamed?.(chargeFromRow(attempt, deps.secrets), remote);
    return found?.is === 'cannotTell' ? undefined : found;
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while finding out');
    return undefined;
  }
}

/**
 * Whether the saved method is still there to be charged, whoever pressed Pay: who removed it since takes for granted that
 * nothing more is taken from it. What became of the first request is then looked for without sending it again.
 */
async function isMethodKept(deps: AskDeps, attempt: AttemptRow): Promise<boolean> {
  const saved = openBag(attempt.method_sealed, attempt.id, deps.secrets);
  return saved === undefined || keepsMethod(deps, attempt.customer_id, attempt.gateway_account_id, saved);
}

/**
 * Whether whom nobody asked may still be charged: by Auto-Pay only while the customer's permission stands and the method
 * is still theirs. Who pressed Pay has asked.
 */
const isStillAllowed = sql`(a.initiator = 'customer' or a.direction = 'giveBack' or (
  (exists (select from consent s
            where s.customer_id = a.customer_id and s.purpose = 'autoPay' and s.revoked_at is null)
    or exists (select from reseller r where r.id = a.reseller_id
                  and (r.settings ->> 'requireCustomerPermissionForCharging')::boolean = false))
  and not exists (
    select from autopay_run u
      join payment_method m on m.customer_id = u.customer_id and m.id = u.payment_method_id
     where u.customer_id = a.customer_id and u.attempt_id = a.id and m.state <> 'active')))`;

/**
 * Counts the question, and commits a new sending before one that may charge.
 * @returns undefined when this must not be asked any more: the attempt has ended, or asking may charge for an
 *   invoice that is no longer due, or somebody who allows it no more
 */
export function countAsk(
  deps: AskDeps,
  attempt: AttemptRow,
  plan: FindPlan,
): Promise<AttemptRow | undefined> {
  const asks = { ...attempt.asks, [plan.by]: (attempt.asks[plan.by] ?? 0) + 1 };
  const now = deps.clock.now();
  return deps.db.transaction((tx) =>
    tx.maybeOne<AttemptRow>(sql`
      update attempt a set asks = ${JSON.stringify(asks)}::jsonb,
             last_sent_at = case when ${plan.mayCharge} then ${now}::timestamptz else a.last_sent_at end
       where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id} and (not ${plan.mayCharge} or (a.is_open
         and not exists (
           select 1 from claim c join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
            where c.customer_id = a.customer_id and c.attempt_id = a.id and c.is_open
              and (i.status <> ${InvoiceStatus.OPEN} or i.due_minor < c.amount_minor))
         and ${isStillAllowed}))
      returning ${attemptColumns}`),
  );
}

/** What a plan that cannot tell leaves behind: a new bag, and no new sending where nothing was sent. */
export async function keepAnswer(
  deps: AskDeps,
  attempt: AttemptRow,
  found: Extract<Found, { is: 'cannotTell' }>,
  sentBefore: Date,
): Promise<AttemptRow> {
  const lastSentAt = found.sent === true ? attempt.last_sent_at : sentBefore;
  if (found.bag === undefined && lastSentAt.getTime() === attempt.last_sent_at.getTime()) return attempt;
  const bag = found.bag === undefined ? null : sealBag(found.bag, attempt.id, deps.secrets);
  return deps.db.transaction((tx) =>
    tx.one<AttemptRow>(sql`
      update attempt a set bag_sealed = coalesce(${bag}, a.bag_sealed),
             -- Another asker may have sent since: its sending stands.
             last_sent_at = case when a.last_sent_at = ${attempt.last_sent_at} then ${lastSentAt}::timestamptz
                                 else a.last_sent_at end
       where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id} returning ${attemptColumns}`),
  );
}

async function tryPlan(
  account: GatewayAccount,
  attempt: AttemptRow,
  plan: FindPlan,
  deps: AskDeps,
): Promise<Found> {
  const charge = chargeFromRow(attempt, deps.secrets);
  try {
    return await account.gateway.find(charge, openBag(attempt.bag_sealed, attempt.id, deps.secrets), plan);
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while finding out');
    return { is: 'cannotTell', why: 'adapter fault' };
  }
}

/**
 * Ends an open attempt at the gateway so that it can never capture, or learns what it has become.
 * Used before the payer starts anew and on an abandoned 3-D Secure.
 */
export async function closeAttempt(deps: AskDeps, attempt: AttemptRow): Promise<AttemptRow> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  if (account === undefined) return attempt;
  const charge = chargeFromRow(attempt, deps.secrets);
  const closed = await account.gateway
    .close(charge, openBag(attempt.bag_sealed, attempt.id, deps.secrets))
    .catch((error: unknown) => {
      deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while closing');
      return { is: 'cannotClose' as const };
    });
  return settle(deps, key, closed, 'close', attempt);
}

/** What the reconciler does with one attempt whose time has come. */
export function lookInto(deps: AskDeps, attempt: AttemptRow): Promise<AttemptRow> {
  if (attempt.state === 'requiresAction' && ageOf(deps, attempt) >= ABANDONED_MS)
    return closeAttempt(deps, attempt);
  return ask(deps, attempt, 'reconciler', true);
}
