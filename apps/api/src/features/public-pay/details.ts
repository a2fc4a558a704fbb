import type { PaymentInfo, PaymentInfoAnswer } from '@counterfoil/contract/public-pay.ts';
import { parseDay } from '@counterfoil/domain/day.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice.ts';
import { formatDecimal, isPositive, money } from '@counterfoil/domain/money.ts';
import { partRange } from '@counterfoil/domain/part-payment.ts';
import { periodText } from '@counterfoil/domain/period.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import { answerFor } from '../payments/answer.ts';
import type { AttemptRow } from '../payments/attempt-row.ts';
import { cardEntryOf } from '../payments/card-entry.ts';
import { type Charging, chargeStep, leastCharge } from '../payments/chargeable.ts';
import { feeSettingFor, type Price, priceFor, symbolOf } from '../payments/price.ts';
import type { PayableRow } from './queries.ts';

/** Prices an invoice for a card. */
export const priceForCard = (
  row: Pick<PayableRow, 'due_minor' | 'currency'>,
  brand: Brand,
  account: Charging,
): Price => priceFor(money(row.due_minor > 0n ? row.due_minor : 0n, row.currency), 'card', brand, account);

export interface DetailsInput {
  readonly uid: string;
  readonly row: PayableRow;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
  readonly apiStatus: boolean;
  readonly attempt: AttemptRow | undefined;
  /** It is for no other invoice beside this one. */
  readonly isAlone: boolean;
  /** Until when the link takes no cards. */
  readonly paused: Date | undefined;
}

/** Payment info of the public page (payments §3). */
export function presentDetails(input: DetailsInput): PaymentInfo {
  const { uid, row, brand, account, apiStatus, attempt, isAlone, paused } = input;
  const price = priceForCard(row, brand, account);
  const { settings } = brand;
  const isPeriodKnown = row.period_start !== null && row.period_end !== null;
  const showsAttempt =
    attempt !== undefined &&
    (attempt.state !== 'succeeded' || row.status === InvoiceStatus.PAID || settings.partPayment);
  const least = leastCharge(account, row.currency);
  const step = chargeStep(account, row.currency);
  const range = settings.partPayment ? partRange(price.due, least, step) : null;
  return {
    uid,
    invoiceAmount: formatDecimal(price.due),
    fee: formatDecimal(price.fee),
    total: formatDecimal(price.total),
    currency: row.currency,
    currencySymbol: symbolOf(brand, row.currency),
    brandName: brand.name,
    companyName: brand.companyName,
    periodLabel: isPeriodKnown
      ? periodText(
          { start: parseDay(row.period_start ?? ''), end: parseDay(row.period_end ?? '') },
          settings.language,
        )
      : null,
    invoiceDate: row.issued_on,
    invoiceDueDate: row.due_on,
    InvoiceNumber: row.number,
    invoiceStatus: row.status,
    apiStatus,
    enabledReceipt: settings.emailReceipt,
    requiredCardHolder: settings.cardHolderRequired,
    requiredBillingAddress: settings.billingAddressRequired,
    customer: { name: row.customer_label, email: row.customer_email, country: row.customer_country },
    isFrame: false,
    isCredited: row.status === InvoiceStatus.CREDITED,
    supportEmail: settings.supportEmail,
    supportPhone: settings.supportPhone,
    brandSettings:
      apiStatus && account !== undefined && row.status === InvoiceStatus.OPEN && isPositive(price.due)
        ? { uid, ...cardEntryOf(account, brand) }
        : null,
    partPayment: range && {
      ...{ least: formatDecimal(range.least), most: formatDecimal(range.most) },
      leastRest: range.leastRest === undefined ? null : formatDecimal(range.leastRest),
      fee: feeSettingFor(brand, 'card', row.currency),
    },
    leastCharge: least === undefined ? null : formatDecimal(least),
    chargeStep: step === undefined ? null : formatDecimal(step),
    pausedUntil: paused?.toISOString() ?? null,
    attempt: showsAttempt ? presentAttempt(attempt, account, isAlone) : null,
  };
}

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/** The same as the call answers it: amounts as numbers. */
export function infoAnswer(info: PaymentInfo): PaymentInfoAnswer {
  const { partPayment: part, attempt } = info;
  return {
    ...info,
    ...{ invoiceAmount: Number(info.invoiceAmount), fee: Number(info.fee), total: Number(info.total) },
    ...{ leastCharge: numberOf(info.leastCharge), chargeStep: numberOf(info.chargeStep) },
    partPayment: part && {
      ...{ least: Number(part.least), most: Number(part.most), leastRest: numberOf(part.leastRest) },
      fee: part.fee,
    },
    attempt: attempt && { ...attempt, amount: Number(attempt.amount) },
  };
}

function presentAttempt(
  attempt: AttemptRow,
  account: GatewayAccount | undefined,
  isAlone: boolean,
): PaymentInfo['attempt'] {
  const { status, expected, message } = answerFor(attempt, account);
  return {
    id: attempt.id,
    status,
    ...(expected === undefined ? {} : { expected }),
    ...(message === undefined ? {} : { message }),
    amount: formatDecimal(money(attempt.amount_minor, attempt.currency)),
    reference: attempt.ref,
    at: attempt.updated_at.toISOString(),
    method: attempt.method,
    hasReceipt: isAlone && status === 'succeeded',
  };
}
