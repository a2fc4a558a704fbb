import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { LookupResult, LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount, GatewayAccounts } from '../accounts.ts';
import { isPaused } from '../pause/pause.ts';
import {
  type AttemptRow,
  attemptColumns,
  isInOpenState,
  openGatewayState,
  sealGatewayState,
} from './attempt-row.ts';
import { isMethodUnchanged, keepsMethod } from './kept-method.ts';
import type { SettleDeps } from './settle.ts';
import { type StrategyTerms, strategyUse } from './strategy-use.ts';

export interface LookUpDeps extends SettleDeps {
  readonly accounts: GatewayAccounts;
}

/** How one attempt is looked up. */
export interface LookUp {
  readonly account: GatewayAccount;
  /** In the order in which they are tried. */
  readonly strategies: readonly LookupStrategy[];
  /** Whether a strategy is allowed that takes the money when the first request never arrived. */
  readonly mayCharge: boolean;
  /** Brought about by a webhook, which anybody may send: it uses up none of a counted number of look-ups. */
  readonly isHint: boolean;
  /** One question to the gateway. */
  readonly ask: (attempt: AttemptRow, strategy: LookupStrategy) => Promise<LookupResult>;
}

/** `attempt` is the row as it was when the gateway was last asked. */
export type LookedUp =
  /** A strategy decided. */
  | { readonly is: 'decided'; readonly found: LookupResult; readonly attempt: AttemptRow }
  /** Something was asked, and nothing decided: `found` is the weakest answer, an absence that proves nothing or not knowing. */
  | {
      readonly is: 'undecided';
      readonly found: LookupResult;
      readonly attempt: AttemptRow;
      readonly againAt: Date | undefined;
    }
  /** Nothing could be asked now; `waits` where this asker can ask later. */
  | {
      readonly is: 'notAsked';
      readonly waits: boolean;
      readonly attempt: AttemptRow;
      readonly againAt: Date | undefined;
    }
  /** Every strategy is closed for ever. */
  | { readonly is: 'exhausted'; readonly why: string; readonly attempt: AttemptRow };

/**
 * Looks up what became of an attempt by the strategies its gateway declares, in their order, until one decides. An absence
 * that proves nothing, as not knowing, goes on to the next strategy.
 */
export async function lookUp(deps: LookUpDeps, attempt: AttemptRow, how: LookUp): Promise<LookedUp> {
  const terms = await termsOf(deps, attempt, how);
  const closed = new Set<string>();
  let isAnyLeft = false;
  let waits = false;
  let weakest: LookupResult | undefined;
  let current = attempt;
  for (const strategy of how.strategies) {
    const use = strategyUse(strategy, current, deps.clock.now().getTime(), terms);
    if (use.is === 'expired') {
      closed.add(`${strategy.by}: ${use.why}`);
      continue;
    }
    isAnyLeft = true;
    waits ||= use.is === 'later';
    if (use.is !== 'now') continue;
    if (strategy.mayCharge && !(await isMethodKept(deps, current))) continue;
    const sentBefore = current.last_sent_at;
    const counted = await countAsk(deps, current, strategy, how.isHint);
    // It ended meanwhile, or what it pays is no longer due.
    if (counted === undefined) continue;
    current = counted;
    const found = await asked(deps, how, current, strategy);
    if (found.is !== 'inconclusive' && !isUnproven(found)) return { is: 'decided', found, attempt: current };
    if (found.is === 'inconclusive') current = await keepAnswer(deps, current, found, sentBefore);
    weakest = isUnproven(found) ? found : (weakest ?? { is: 'unknown', evidence: 'not found out yet' });
  }
  const againAt = nextUse(how.strategies, current, deps.clock.now().getTime(), terms);
  if (weakest !== undefined) return { is: 'undecided', found: weakest, attempt: current, againAt };
  if (isAnyLeft) return { is: 'notAsked', waits, attempt: current, againAt };
  const why = ['every way to find out is closed', ...closed].join('; ');
  return { is: 'exhausted', why, attempt: current };
}

/** The earliest time at which any strategy may be used; undefined where one may be used now, or the time is not known. */
function nextUse(
  strategies: readonly LookupStrategy[],
  attempt: AttemptRow,
  nowMs: number,
  terms: StrategyTerms,
): Date | undefined {
  const waits = strategies.flatMap((strategy) => {
    const use = strategyUse(strategy, attempt, nowMs, terms);
    if (use.is === 'later') return [use.inMs ?? 0];
    return use.is === 'now' ? [0] : [];
  });
  const inMs = waits.length === 0 ? 0 : Math.min(...waits);
  return inMs === 0 ? undefined : new Date(nowMs + inMs);
}

const isUnproven = (found: LookupResult): boolean => found.is === 'absent' && !found.proven;

async function termsOf(deps: LookUpDeps, attempt: AttemptRow, how: LookUp): Promise<StrategyTerms> {
  const { strategies, account, isHint } = how;
  // After a restored backup the invoice may have been paid by what is not known here.
  const mayCharge =
    how.mayCharge && strategies.some((one) => one.mayCharge) && !(await isPaused(deps.db, account.id));
  const needsRights = strategies.some(({ needs }) => needs !== undefined);
  const needsMethod = strategies.some(({ methodUnchanged }) => methodUnchanged === true);
  return {
    mayCharge,
    isHint,
    repeat: account.gateway.capabilities.repeat,
    rights: needsRights ? await deps.accounts.rightsOf(account) : undefined,
    isMethodUnchanged: needsMethod ? await isMethodUnchanged(deps.db, attempt) : true,
  };
}

async function asked(
  deps: LookUpDeps,
  how: LookUp,
  attempt: AttemptRow,
  strategy: LookupStrategy,
): Promise<LookupResult> {
  try {
    return await how.ask(attempt, strategy);
  } catch (error) {
    deps.log.error({ err: error, attempt: attempt.id }, 'a gateway adapter threw while finding out');
    return { is: 'inconclusive', why: 'adapter fault' };
  }
}

/**
 * Whether the saved method is still there to be charged, whoever pressed Pay: who removed it since takes for granted that
 * nothing more is taken from it. What became of the first request is then looked for without sending it again.
 */
async function isMethodKept(deps: LookUpDeps, attempt: AttemptRow): Promise<boolean> {
  const saved = openGatewayState(attempt.method_sealed, attempt.id, deps.secrets);
  return saved === undefined || keepsMethod(deps, attempt.customer_id, attempt.gateway_account_id, saved);
}

/**
 * Whether a charge without a payer is still allowed: by Auto-Pay only while the customer's permission stands and the method
 * is still theirs. Who pressed Pay has asked.
 */
const isStillAllowed = ({
  customer_id: customerId,
}: AttemptRow) => sql`(a.initiator = 'customer' or a.direction = 'refund' or (
  (exists (select from consent s
            where s.customer_id = ${customerId} and s.purpose = 'autoPay' and s.revoked_at is null)
    or exists (select from reseller r where r.id = a.reseller_id
                  and (r.settings ->> 'requireCustomerPermissionForCharging')::boolean = false))
  and not exists (
    select from autopay_run u
      join payment_method m on m.customer_id = u.customer_id and m.id = u.payment_method_id
     where u.customer_id = ${customerId} and u.attempt_id = a.id and m.state <> 'active')))`;

/**
 * Counts the question, and commits a new sending before one that may charge. A hint's is not counted, but the pause
 * after it is kept.
 * @returns undefined when this must not be asked any more: the attempt has ended, or asking may charge for an
 *   invoice that is no longer due, or without the customer's permission
 */
function countAsk(
  deps: LookUpDeps,
  attempt: AttemptRow,
  strategy: LookupStrategy,
  isHint: boolean,
): Promise<AttemptRow | undefined> {
  const now = deps.clock.now();
  const lookups = {
    ...attempt.lookups,
    [strategy.by]: (attempt.lookups[strategy.by] ?? 0) + (isHint ? 0 : 1),
  };
  const lookedUpAt = { ...attempt.looked_up_at, [strategy.by]: now.toISOString() };
  return deps.db.transaction((tx) =>
    tx.maybeOne<AttemptRow>(sql`
      update attempt a set lookups = ${JSON.stringify(lookups)}::jsonb, looked_up_at = ${JSON.stringify(lookedUpAt)}::jsonb,
             last_sent_at = case when ${strategy.mayCharge} then ${now}::timestamptz else a.last_sent_at end
       where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id} and (not ${strategy.mayCharge} or (${isInOpenState}
         and not exists (
           select 1 from claim c join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
            where c.customer_id = ${attempt.customer_id} and c.attempt_id = a.id and c.is_open
              and (i.status <> ${InvoiceStatus.OPEN} or i.due_minor < c.amount_minor))
         and ${isStillAllowed(attempt)}))
      returning ${attemptColumns}`),
  );
}

/** What a strategy that cannot tell leaves behind: a new gatewayState, and no new sending where nothing was sent. */
async function keepAnswer(
  deps: LookUpDeps,
  attempt: AttemptRow,
  found: Extract<LookupResult, { is: 'inconclusive' }>,
  sentBefore: Date,
): Promise<AttemptRow> {
  const lastSentAt = found.sent === true ? attempt.last_sent_at : sentBefore;
  if (found.state === undefined && lastSentAt.getTime() === attempt.last_sent_at.getTime()) return attempt;
  const gatewayState =
    found.state === undefined ? null : sealGatewayState(found.state, attempt.id, deps.secrets);
  return deps.db.transaction((tx) =>
    tx.one<AttemptRow>(sql`
      update attempt a set gateway_state_sealed = coalesce(${gatewayState}, a.gateway_state_sealed),
             -- Another asker may have sent since: its sending stands.
             last_sent_at = case when a.last_sent_at = ${attempt.last_sent_at} then ${lastSentAt}::timestamptz
                                 else a.last_sent_at end
       where a.customer_id = ${attempt.customer_id} and a.id = ${attempt.id} returning ${attemptColumns}`),
  );
}
