import type { PaymentInfo, PaymentInfoAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { currencyExponent } from '@counterfoil/domain/money/currency.ts';

/** The answer of `GET /v1/ec/payment/details/{token}` as the page reckons with it: its numbers as decimal texts. */
export function readInfo(answer: PaymentInfoAnswer): PaymentInfo {
  const decimals = currencyExponent(answer.currency);
  const text = (amount: number) => amount.toFixed(decimals);
  const textOrNull = (amount: number | null) => (amount === null ? null : text(amount));
  const { partPayment: part, bank, attempt } = answer;
  return {
    ...answer,
    invoiceAmount: text(answer.invoiceAmount),
    fee: text(answer.fee),
    total: text(answer.total),
    leastCharge: textOrNull(answer.leastCharge),
    chargeStep: textOrNull(answer.chargeStep),
    partPayment: part && {
      least: text(part.least),
      most: text(part.most),
      leastRest: textOrNull(part.leastRest),
      fee: part.fee,
    },
    bank: bank && { ...bank, fee: text(bank.fee), total: text(bank.total) },
    attempt: attempt && {
      ...attempt,
      amount: text(attempt.amount),
      asked: textOrNull(attempt.asked ?? null),
    },
  };
}
