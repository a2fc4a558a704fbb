import { feeOfRefund } from '@counterfoil/domain/paying/refund-fee.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';

type LateKind = NonNullable<GatewayEvent['reversal']>['kind'];

/** Kinds of `reversal` rows that an event can bring. */
export type ReversalKind =
  | 'refund'
  | 'refundFailed'
  | 'lateFailure'
  | 'chargeback'
  | 'chargebackWon'
  | 'resubmitted';

export const kindOf: Readonly<Record<LateKind, ReversalKind>> = {
  failed: 'lateFailure',
  chargeback: 'chargeback',
  chargebackWon: 'chargebackWon',
  resubmitted: 'resubmitted',
  refund: 'refund',
  refundFailed: 'refundFailed',
};

/** What brings back the money that each kind took; the other way round for the kinds that bring it back. */
export const oppositeOf: Readonly<Record<ReversalKind, ReversalKind>> = {
  lateFailure: 'resubmitted',
  chargeback: 'chargebackWon',
  refund: 'refundFailed',
  resubmitted: 'lateFailure',
  chargebackWon: 'chargeback',
  refundFailed: 'refund',
};

/** Kinds that take money away; the others bring it back. */
export const takes = (kind: ReversalKind): boolean =>
  kind === 'lateFailure' || kind === 'chargeback' || kind === 'refund';

/** One target of a capture (`invoice:<id>`, `fee`, `credit`), or {@link LOST}, and an amount in minor units. */
export interface Share {
  readonly target: string;
  readonly amount: bigint;
}

/** A ledger leg of an earlier reversal of the same capture. */
export interface Leg extends Share {
  readonly kind: ReversalKind;
}

/** Money brought back that its invoice no longer needs: it stands as the customer's credit. */
export const intoCredit = (target: string): string => `${target}>credit`;

const CREDIT = 'credit';
/** The target of a charge's fee. */
export const FEE = 'fee';

/** What was taken beyond the capture: nobody's money but our own. */
export const LOST = 'lost';

/** Leg of what was {@link LOST} at first and is taken from a target that was brought back since. */
export const laterLeg = (kind: ReversalKind, target: string): string => `${kind}@${target}`;

/** A ledger leg as it is read; one of {@link laterLeg} is of its own kind, and makes what is lost less. */
export function readLeg<L extends Leg>(leg: L): L[] {
  const [kind, target] = leg.target.split('@');
  if (kind === undefined || target === undefined) return [leg];
  const own = { ...leg, kind: kind as ReversalKind };
  return [
    { ...own, target },
    { ...own, target: LOST, amount: -leg.amount },
  ];
}

const plain = (target: string): string => target.replace(/>credit$/, '');
const sum = (legs: readonly Leg[], fits: (leg: Leg) => boolean): bigint =>
  legs.reduce((total, leg) => (fits(leg) ? total + leg.amount : total), 0n);

/** What still stands of each target of a capture after its earlier reversals, in booking order. */
export function standing(allocations: readonly Share[], legs: readonly Leg[]): Share[] {
  const hasCredit = allocations.some(({ target }) => target === CREDIT);
  return [...allocations, ...(hasCredit ? [] : [{ target: CREDIT, amount: 0n }])].map(
    ({ target, amount }) => {
      const taken = sum(legs, (leg) => takes(leg.kind) && leg.target === target);
      const back = sum(legs, (leg) => !takes(leg.kind) && leg.target === target);
      const moved = sum(legs, (leg) => leg.target !== plain(leg.target));
      return { target, amount: amount - taken + back + (target === CREDIT ? moved : 0n) };
    },
  );
}

/** What one kind has taken of each target and its opposite has not brought back, in booking order. */
export function takenBy(kind: ReversalKind, allocations: readonly Share[], legs: readonly Leg[]): Share[] {
  // What was lost was taken last, and comes back first.
  const targets = new Set([LOST, ...allocations.map(({ target }) => target), CREDIT]);
  return [...targets].map((target) => {
    const taken = sum(legs, (leg) => leg.kind === kind && leg.target === target);
    const back = sum(legs, (leg) => leg.kind === oppositeOf[kind] && plain(leg.target) === target);
    return { target, amount: taken - back };
  });
}

/**
 * The shares that a refund draws from: so much of the fee as belongs to it, then all else in its order.
 * @param standing what is left, in the order in which it is drawn
 * @param allocations what the charge was booked to
 * @param told see {@link feeOfRefund}
 */
export function withFee(
  standing: readonly Share[],
  allocations: readonly Share[],
  amount: bigint,
  told: bigint | undefined,
): Share[] {
  const isFee = ({ target }: Share) => target === FEE;
  const total = (shares: readonly Share[]) => shares.reduce((sum, share) => sum + share.amount, 0n);
  const rest = standing.filter((share) => !isFee(share));
  const payment = {
    captured: total(allocations),
    fee: total(allocations.filter(isFee)),
    feeLeft: total(standing.filter(isFee)),
    restLeft: total(rest.filter((share) => share.amount > 0n)),
  };
  return [{ target: FEE, amount: feeOfRefund(amount, payment, told) }, ...rest];
}

/** The same shares, those of one refund before the others'. */
export function ownFirst(all: readonly Share[], own: readonly Share[]): Share[] {
  const first = own.map(({ target, amount }) => {
    const most = all.find((share) => share.target === target)?.amount ?? 0n;
    return { target, amount: amount < most ? amount : most };
  });
  const rest = all.map(({ target, amount }) => ({
    target,
    amount: amount - (first.find((share) => share.target === target)?.amount ?? 0n),
  }));
  return [...first, ...rest];
}

/** Takes `amount` from shares in their order. @returns what each gives, and what could not be found */
export function draw(shares: readonly Share[], amount: bigint): { drawn: Share[]; short: bigint } {
  let left = amount;
  const drawn = new Map<string, bigint>();
  for (const share of shares) {
    const part = share.amount < left ? share.amount : left;
    if (part <= 0n) continue;
    drawn.set(share.target, (drawn.get(share.target) ?? 0n) + part);
    left -= part;
  }
  return { drawn: [...drawn].map(([target, part]) => ({ target, amount: part })), short: left };
}
