import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { addDays, type Day } from '@counterfoil/domain/time/day.ts';
import type { Decline, MethodKind } from '@counterfoil/gateways/port/gateway.ts';

/** A customer hears this many days before money is taken. */
export const ANNOUNCED_DAYS = 3;
/** After a decline it is tried again so many days after the first try. */
export const RETRY_DAYS = [3, 5, 7] as const;
/** Runs that no bank has decided (the gateway was away, a process died) are tried again on the next day, so often. */
const FAILURES_MOST = 3;

/** Why an invoice is not charged by itself. */
export type Reason =
  | 'creditNote'
  | 'paid'
  | 'credited'
  | 'void'
  | 'disputed'
  | 'nothingDue'
  | 'noConsent'
  | 'disabled'
  | 'paymentsOff'
  | 'noGateway'
  | 'currency'
  | 'tooSmall'
  | 'amountNotRepresentable'
  | 'cameBack'
  | 'noDueDate'
  | 'noAddress'
  | 'beingConfirmed'
  | 'notYet'
  | 'announced'
  | 'underWay'
  | 'charged'
  | 'byCredit'
  | 'noMethod'
  | 'sameMethod'
  | 'amountRaised'
  | 'forbidden'
  | 'authenticate'
  | 'exhausted'
  | 'gateway'
  | 'keys';

export type PlanState = 'announced' | 'noMethod' | 'charging' | 'skipped' | 'done' | 'stopped';

/** How auto-pay stands with an invoice. */
export interface Plan {
  readonly state: PlanState;
  readonly reason: Reason | null;
  readonly chargeOn: Day | null;
  readonly announcedMinor: bigint | null;
  readonly methodId: string | null;
  readonly runs: number;
  readonly declines: number;
  readonly failures: number;
  readonly firstOn: Day | null;
}

/** Everything that decides about one invoice. */
export interface Bill {
  readonly kind: 'invoice' | 'creditNote';
  readonly status: number;
  readonly dueMinor: bigint;
  readonly reversedMinor: bigint;
  readonly dueOn: Day | null;
  readonly hasOpenAttempt: boolean;
  readonly hasEmail: boolean;
  /** The customer agreed, or the reseller asks nobody. */
  readonly isCovered: boolean;
  readonly hasConsent: boolean;
  /** The provider has not disabled the customer. */
  readonly isActive: boolean;
  readonly paymentsEnabled: boolean;
  readonly hasGateway: boolean;
  /** The default method, if it can be charged. `expires`: month after which it cannot, YYYY-MM. */
  readonly method: { readonly id: string; readonly kind: MethodKind; readonly expires: string | null } | null;
  readonly hasMethods: boolean;
  /** With the fee of the default method's kind. */
  readonly totalMinor: bigint;
  /** Why the gateway would not take what credit leaves of it. */
  readonly refused: 'currency' | 'tooSmall' | 'amountNotRepresentable' | null;
  readonly plan: Plan | null;
}

/** The brand's clock. */
export interface Moment {
  readonly today: Day;
  /** It is 06:00 or later there. */
  readonly isPastSix: boolean;
}

export type Verdict =
  | { readonly do: 'announce'; readonly chargeOn: Day }
  | { readonly do: 'tellNoMethod' }
  | { readonly do: 'charge' }
  /** It was to be charged now and is not: recorded. */
  | { readonly do: 'skip'; readonly reason: Reason }
  | { readonly do: 'nothing'; readonly reason: Reason };

const settled: Readonly<Record<number, Reason>> = {
  [InvoiceStatus.PAID]: 'paid',
  [InvoiceStatus.CREDITED]: 'credited',
  [InvoiceStatus.VOID]: 'void',
  [InvoiceStatus.DISPUTED]: 'disputed',
};

/** What stands against charging an invoice, whatever the day. */
function obstacle(bill: Bill): Reason | undefined {
  if (bill.kind !== 'invoice') return 'creditNote';
  if (bill.status !== InvoiceStatus.OPEN) return settled[bill.status] ?? 'nothingDue';
  if (bill.dueMinor <= 0n) return 'nothingDue';
  if (!bill.isActive) return 'disabled';
  if (!bill.isCovered) return 'noConsent';
  if (!bill.paymentsEnabled) return 'paymentsOff';
  if (!bill.hasGateway) return 'noGateway';
  if (bill.refused !== null) return bill.refused;
  if (bill.reversedMinor > 0n) return 'cameBack';
  if (bill.dueOn === null) return 'noDueDate';
  return bill.hasEmail ? undefined : 'noAddress';
}

const isUsableOn = (method: Bill['method'], day: Day): method is NonNullable<Bill['method']> =>
  method !== null && (method.expires === null || method.expires >= day.slice(0, 7));

/** What is to be done about an invoice now. Pure: the same under the invoice's lock as in a preview. */
export function judge(bill: Bill, moment: Moment): Verdict {
  const { plan } = bill;
  if (plan?.state === 'done') return { do: 'nothing', reason: 'charged' };
  if (plan?.state === 'charging') return { do: 'nothing', reason: 'underWay' };
  if (plan?.state === 'stopped') return { do: 'nothing', reason: plan.reason ?? 'exhausted' };
  return plan?.state === 'announced' ? judgeAnnounced(bill, plan, moment) : judgeNew(bill, moment);
}

function judgeAnnounced(bill: Bill, plan: Plan, { today, isPastSix }: Moment): Verdict {
  const against = obstacle(bill);
  if (plan.chargeOn === null || today < plan.chargeOn || !isPastSix)
    return { do: 'nothing', reason: against ?? 'announced' };
  if (against !== undefined) return { do: 'skip', reason: against };
  // Somebody is paying it this moment: how that ends decides.
  if (bill.hasOpenAttempt) return { do: 'nothing', reason: 'beingConfirmed' };
  if (!isUsableOn(bill.method, today)) return { do: 'skip', reason: 'noMethod' };
  if (bill.totalMinor > (plan.announcedMinor ?? 0n)) return { do: 'skip', reason: 'amountRaised' };
  return { do: 'charge' };
}

function judgeNew(bill: Bill, { today, isPastSix }: Moment): Verdict {
  const { plan, dueOn, method } = bill;
  const against = obstacle(bill);
  if (against !== undefined || dueOn === null) return { do: 'nothing', reason: against ?? 'noDueDate' };
  if (bill.hasOpenAttempt) return { do: 'nothing', reason: 'beingConfirmed' };
  const earliest = addDays(today, ANNOUNCED_DAYS);
  if (earliest < dueOn || !isPastSix) return { do: 'nothing', reason: 'notYet' };
  const chargeOn = earliest > dueOn ? earliest : dueOn;
  if (!isUsableOn(method, chargeOn)) {
    // Who agreed to nothing and keeps no method pays otherwise, and is not told what is missing.
    const isExpected = bill.hasConsent || bill.hasMethods;
    return isExpected && plan?.state !== 'noMethod'
      ? { do: 'tellNoMethod' }
      : { do: 'nothing', reason: 'noMethod' };
  }
  if (plan?.reason === 'sameMethod' && plan.methodId === method.id)
    return { do: 'nothing', reason: 'sameMethod' };
  return { do: 'announce', chargeOn };
}

/**
 * The day on which an invoice will be charged by itself if nothing changes until then; undefined where it will not. The
 * same rules, asked of the days to come.
 * @param today at the brand
 */
export function foreseenDay(bill: Bill, today: Day): Day | undefined {
  const { plan, dueOn } = bill;
  if (plan?.state === 'announced' && plan.chargeOn !== null) {
    const on = { today: later(plan.chargeOn, today), isPastSix: true };
    const verdict = judge(bill, on);
    if (verdict.do === 'charge') return on.today;
    // What cannot be charged as it was announced is announced again.
    return verdict.do === 'skip'
      ? newDay({ ...bill, plan: { ...plan, state: 'skipped' } }, on.today)
      : undefined;
  }
  return dueOn === null ? undefined : newDay(bill, later(addDays(dueOn, -ANNOUNCED_DAYS), today));
}

function newDay(bill: Bill, today: Day): Day | undefined {
  const verdict = judge(bill, { today, isPastSix: true });
  return verdict.do === 'announce' ? verdict.chargeOn : undefined;
}

/** How a run's attempt has ended. */
export interface RunEnd {
  readonly state: 'succeeded' | 'declined' | 'notAttempted' | 'absent' | 'closed';
  readonly decline: Decline | null;
}

export type Next = Pick<Plan, 'state' | 'reason' | 'chargeOn' | 'declines' | 'failures'>;

const later = (one: Day, other: Day): Day => (one > other ? one : other);

/** What follows from a run's end. @param today at the brand, when it became known */
export function afterRun(plan: Plan, end: RunEnd, today: Day): Next {
  const { declines, failures } = plan;
  const kept = { chargeOn: null, declines, failures };
  const stop = (reason: Reason, over: Partial<Next> = {}): Next => ({
    ...kept,
    ...over,
    state: 'stopped',
    reason,
  });
  if (end.state === 'succeeded') return { ...kept, state: 'done', reason: null };
  // The bank wanted its customer and the attempt was closed: only they can go on.
  if (end.state === 'closed') return stop('authenticate');
  if (end.state !== 'declined') {
    if (failures >= FAILURES_MOST) return stop('gateway');
    const chargeOn = addDays(today, 1);
    return { ...kept, state: 'announced', reason: 'gateway', chargeOn, failures: failures + 1 };
  }
  const counted = { declines: declines + 1 };
  if (end.decline?.final === true) return stop('forbidden', counted);
  if (end.decline?.class === 'authenticate') return stop('authenticate', counted);
  // Asked again with the same data a bank says the same.
  if (end.decline?.class === 'fixInput')
    return { ...kept, ...counted, state: 'skipped', reason: 'sameMethod' };
  const days = RETRY_DAYS[declines];
  if (days === undefined) return stop('exhausted', counted);
  const chargeOn = later(addDays(plan.firstOn ?? today, days), addDays(today, 1));
  return { ...kept, ...counted, state: 'announced', reason: null, chargeOn };
}
