import type { AdminPaymentStory } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import {
  compareMoney,
  formatDecimal,
  isPositive,
  type Money,
  parseMoney,
  subtractMoney,
} from '@counterfoil/domain/money/money.ts';

type Refundable = Pick<AdminPaymentStory, 'direction' | 'capture' | 'currency'>;

/** What of a payment can still go back to its payer; null where nothing can. */
export function leftToRefund({ direction, capture, currency }: Refundable): Money | null {
  if (direction === 'refund' || capture === null) return null;
  const left = subtractMoney(parseMoney(capture.amount, currency), parseMoney(capture.refunded, currency));
  return isPositive(left) ? left : null;
}

/** What was typed as an amount to refund. @returns null unless it is above zero and not more than what is left */
export function typedRefund(typed: string, left: Money): string | null {
  try {
    const amount = parseMoney(typed.trim(), left.currency);
    return isPositive(amount) && compareMoney(amount, left) <= 0 ? formatDecimal(amount) : null;
  } catch {
    return null;
  }
}
