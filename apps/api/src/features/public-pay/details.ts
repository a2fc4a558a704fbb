import type { PaymentInfo, PaymentInfoAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { formatDecimal, isPositive, type Money, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { periodText } from '@counterfoil/domain/time/period.ts';
import { type Brand, symbolOf } from '../brand/service.ts';
import type { TakenMoney } from '../payments/queries.ts';
import { type AttemptRow, answerFor, type GatewayAccount, PaymentTerms } from '../payments/service.ts';
import type { PayableRow } from './queries.ts';

/** What is due of an invoice. */
export const dueOf = (row: Pick<PayableRow, 'due_minor' | 'currency'>): Money =>
  money(row.due_minor > 0n ? row.due_minor : 0n, row.currency);

export interface DetailsInput {
  readonly uid: string;
  readonly row: PayableRow;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
  readonly apiStatus: boolean;
  /** Payments are off after a restored backup. */
  readonly paymentsPaused: boolean;
  readonly attempt: AttemptRow | undefined;
  /** What it has brought. */
  readonly taken: TakenMoney | undefined;
  /** It is for no other invoice beside this one. */
  readonly isAlone: boolean;
  /** The bank has taken its money back since. */
  readonly isTakenBack: boolean;
  /** Until when the link takes no payment. */
  readonly paused: Date | undefined;
  /** The account that can be debited once instead of a card. */
  readonly bank: PaymentInfo['bank'];
}

/** Payment info of the public page (payments §3). */
export function presentDetails(input: DetailsInput): PaymentInfo {
  const { uid, row, brand, account, apiStatus, attempt, paused } = input;
  const terms = new PaymentTerms(brand, account);
  const price = terms.price(dueOf(row), 'card');
  const { settings } = brand;
  const isPeriodKnown = row.period_start !== null && row.period_end !== null;
  // Else nothing is typed that cannot pay.
  const asked = terms.cardEntry('payOnce');
  const by = asked?.how === 'redirect' ? 'page' : 'token';
  const card = { kind: 'card', source: { by }, currency: row.currency } as const;
  const entry = terms.refusal(card) === undefined ? asked : null;
  const least = terms.least(row.currency);
  const step = terms.step(row.currency);
  const isPayable =
    apiStatus && account !== undefined && row.status === InvoiceStatus.OPEN && isPositive(price.due);
  const range = settings.partPayment ? terms.parts(price.due) : null;
  return {
    uid,
    invoiceAmount: formatDecimal(price.due),
    fee: formatDecimal(price.fee),
    total: formatDecimal(price.total),
    currency: row.currency,
    currencySymbol: symbolOf(brand, row.currency),
    moneyDigits: settings.moneyDigits,
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
    isFrame: entry?.how === 'providerFrame',
    isCredited: row.status === InvoiceStatus.CREDITED,
    supportEmail: settings.supportEmail,
    supportPhone: settings.supportPhone,
    bankDetails: [...settings.bankDetails],
    paymentInstructions: settings.paymentInstructions,
    brandSettings:
      isPayable && entry !== null
        ? { uid, publishableKey: String(entry.public['publishableKey'] ?? ''), ...entry }
        : null,
    bank: isPayable ? input.bank : null,
    signInToPay:
      isPayable &&
      entry === null &&
      input.bank === null &&
      settings.bulkPay &&
      terms.takesSaved(row.currency),
    partPayment: range && {
      least: formatDecimal(range.least),
      most: formatDecimal(range.most),
      leastRest: range.leastRest === undefined ? null : formatDecimal(range.leastRest),
      fee: terms.feeSetting('card', row.currency),
    },
    leastCharge: least === undefined ? null : formatDecimal(least),
    chargeStep: step === undefined ? null : formatDecimal(step),
    paymentsPaused: input.paymentsPaused,
    pausedUntil: paused?.toISOString() ?? null,
    // Also one that went through while the invoice is still open: less may have been taken than was asked for.
    attempt: attempt === undefined ? null : presentAttempt(attempt, input),
  };
}

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/** The same as the call answers it: amounts as numbers. */
export function infoAnswer(info: PaymentInfo): PaymentInfoAnswer {
  const { partPayment: part, bank, attempt } = info;
  return {
    ...info,
    invoiceAmount: Number(info.invoiceAmount),
    fee: Number(info.fee),
    total: Number(info.total),
    leastCharge: numberOf(info.leastCharge),
    chargeStep: numberOf(info.chargeStep),
    partPayment: part && {
      least: Number(part.least),
      most: Number(part.most),
      leastRest: numberOf(part.leastRest),
      fee: part.fee,
    },
    bank: bank && { ...bank, fee: Number(bank.fee), total: Number(bank.total) },
    attempt: attempt && {
      ...attempt,
      amount: Number(attempt.amount),
      asked: numberOf(attempt.asked),
    },
  };
}

function presentAttempt(
  attempt: AttemptRow,
  { account, taken, isAlone, isTakenBack }: DetailsInput,
): PaymentInfo['attempt'] {
  const { status, expected, message, asked } = answerFor(attempt, account, taken);
  const decimal = (minor: bigint) => formatDecimal(money(minor, attempt.currency));
  return {
    id: attempt.id,
    kind: attempt.kind,
    status,
    ...(expected === undefined ? {} : { expected }),
    ...(message === undefined ? {} : { message }),
    amount: decimal(taken?.minor ?? attempt.amount_minor),
    asked: asked === undefined ? null : decimal(attempt.amount_minor),
    reference: attempt.ref,
    at: attempt.updated_at.toISOString(),
    method: attempt.method,
    hasReceipt: isAlone && status === 'succeeded',
    isTakenBack,
  };
}
