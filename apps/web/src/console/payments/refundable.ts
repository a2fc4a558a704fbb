import type { AdminPaymentStory } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import {
  compareMoney,
  formatDecimal,
  isPositive,
  type Money,
  money,
  parseMoney,
  subtractMoney,
} from '@counterfoil/domain/money/money.ts';
import { feeOfRefund } from '@counterfoil/domain/paying/refund-fee.ts';

type Refundable = Pick<AdminPaymentStory, 'direction' | 'capture' | 'currency'>;
type WithFee = Pick<AdminPaymentStory, 'capture' | 'capturedFee' | 'currency'>;

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

/** What of a refund is fee, as the server will have it; null where the payment has none. @param amount as {@link typedRefund} gives it */
export function feeIn(amount: string | null, { capture, capturedFee, currency }: WithFee): string | null {
  if (amount === null || capture === null || capturedFee === null) return null;
  const minor = (decimal: string) => parseMoney(decimal, currency).minor;
  const [captured, fee] = [minor(capture.amount), minor(capturedFee)];
  const feeLeft = fee - minor(capture.feeRefunded);
  const restLeft = captured - minor(capture.refunded) - feeLeft;
  return fee === 0n
    ? null
    : formatDecimal(money(feeOfRefund(minor(amount), { captured, fee, feeLeft, restLeft }), currency));
}
