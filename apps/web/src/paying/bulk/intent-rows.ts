import { FEE_LINES, type PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import {
  addMoney,
  formatDecimal,
  isPositive,
  negateMoney,
  sumMoney,
} from '@counterfoil/domain/money/money.ts';
import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import { moneyOf } from '../../shared/invoices/invoice-sums.ts';
import { formatMoney } from '../../text/format.ts';
import { isChoice, type Part } from '../part-payment.ts';
import { t } from './messages.ts';

/** What a payment method is, for its fee. */
export type MethodKind = keyof typeof FEE_LINES;

type Priced = Pick<PaymentIntent, 'invoices' | 'total' | 'currency'>;
type Line = PaymentIntent['invoices'][number];

const feeNumbers: readonly string[] = Object.values(FEE_LINES);
const isFee = ({ invoiceNumber, invoiceId }: Line): boolean =>
  invoiceId === null && feeNumbers.includes(invoiceNumber);

/** The invoices themselves, without the two lines of fees. */
export const invoiceLines = ({ invoices }: Pick<PaymentIntent, 'invoices'>): readonly Line[] =>
  invoices.filter((line) => !isFee(line));

/** The invoices that paying again is about: of a payment that went through, those of which something is still due. */
export const toPayAgain = ({ invoices, status }: Pick<PaymentIntent, 'invoices' | 'status'>): string[] =>
  invoiceLines({ invoices })
    .filter(({ stillDue = 0 }) => status !== BulkStatus.PAID || stillDue > 0)
    .flatMap(({ invoiceId }) => invoiceId ?? []);

/** What is still to be paid of what a payment was for, a decimal text, '0' for nothing; undefined: not known yet. */
export function stillDueOf({
  invoices,
  currency,
  status,
}: Pick<PaymentIntent, 'invoices' | 'currency' | 'status'>): string | undefined {
  if (status !== BulkStatus.PAID) return undefined;
  const dues = invoiceLines({ invoices }).map(({ stillDue = 0 }) => moneyOf(stillDue, currency));
  return formatDecimal(sumMoney(dues, currency));
}

/** The fee of a kind of method as a decimal text; undefined where none is taken. */
export function feeOf({ invoices, currency }: Priced, kind: MethodKind | undefined): string | undefined {
  const line = invoices.find(
    (one) => isFee(one) && kind !== undefined && one.invoiceNumber === FEE_LINES[kind],
  );
  const fee = line && moneyOf(line.invoiceAmount, currency);
  return fee && isPositive(fee) ? formatDecimal(fee) : undefined;
}

/** Whether any kind of method has a fee: its row then keeps its place. */
export const hasFees = (intent: Priced): boolean =>
  feeOf(intent, 'card') !== undefined || feeOf(intent, 'bank') !== undefined;

/** What is charged with a kind of method, as a decimal text: the total and the fee of that kind, summed exactly. */
export function totalWith(intent: Priced, kind: MethodKind | undefined): string {
  const total = moneyOf(intent.total, intent.currency);
  const fee = feeOf(intent, kind);
  return formatDecimal(fee === undefined ? total : addMoney(total, moneyOf(Number(fee), intent.currency)));
}

/** Whether there is something to charge; at 0 the customer's credit pays all (decisions §6). */
export const isCharged = ({ total, currency }: Pick<Priced, 'total' | 'currency'>): boolean =>
  isPositive(moneyOf(total, currency));

export interface IntentRow {
  readonly id: string;
  readonly label: string;
  /** Formatted. */
  readonly value: string;
  /** An invoice; not a fee, nor an adjustment. */
  readonly isItem?: boolean;
  /** It only keeps the place of what may come. */
  readonly isEmpty?: boolean;
}

/** Invoices, the fee of the chosen kind only, and adjustments when they are above 0 (payments §2). */
export function intentRows(
  intent: Priced & Pick<PaymentIntent, 'adjustmentsTotal'>,
  kind: MethodKind | undefined,
): readonly IntentRow[] {
  const { currency } = intent;
  const money = (amount: number | string) => formatMoney(amount, { currency });
  const rows: IntentRow[] = invoiceLines(intent).map(({ invoiceId, invoiceNumber, invoiceAmount }) => ({
    id: invoiceId ?? invoiceNumber,
    label: invoiceNumber,
    value: money(invoiceAmount),
    isItem: true,
  }));
  const fee = feeOf(intent, kind);
  const feeLabel = kind === 'bank' ? t('fact.bankFee') : t('fact.cardFee');
  if (fee !== undefined) rows.push({ id: 'fee', label: feeLabel, value: money(fee) });
  else if (hasFees(intent) && isCharged(intent)) {
    rows.push({ id: 'fee', label: feeLabel, value: money(0), isEmpty: true });
  }
  const adjustments = moneyOf(intent.adjustmentsTotal, currency);
  if (isPositive(adjustments)) {
    const value = money(formatDecimal(negateMoney(adjustments)));
    rows.push({ id: 'adjustments', label: t('fact.adjustments'), value });
  }
  return rows;
}

type Parted = Pick<PaymentIntent, 'partPayment' | 'invoices' | 'currency'>;

/** What may be paid of the one invoice; undefined where there is nothing to choose. */
export function partOf({ partPayment, currency }: Parted): Part | undefined {
  if (partPayment === null) return undefined;
  const { least, most, leastRest, step } = partPayment;
  const part = {
    least: moneyOf(least, currency),
    most: moneyOf(most, currency),
    leastRest: leastRest === null ? undefined : moneyOf(leastRest, currency),
    step: step === null ? undefined : moneyOf(step, currency),
  };
  return isChoice(part) ? part : undefined;
}

/** What is to be paid of the one invoice where that is not all of it, a decimal text. */
export function partPaid(intent: Parted): string | undefined {
  const [line] = invoiceLines(intent);
  const part = partOf(intent);
  if (line === undefined || part === undefined) return undefined;
  const amount = moneyOf(line.invoiceAmount, intent.currency);
  return amount.minor < part.most.minor ? formatDecimal(amount) : undefined;
}
