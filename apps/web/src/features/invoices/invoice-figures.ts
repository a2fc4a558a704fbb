import type { Invoice, InvoiceDetail, InvoiceLine } from '@counterfoil/contract/invoices.ts';
import { addMoney, formatDecimal, parseMoney } from '@counterfoil/domain/money/money.ts';
import { kindOfUnit, unitOf } from '@counterfoil/domain/money/quantity.ts';
import { formatDay, formatMoney, formatPrice } from '../../text/format.ts';
import { t } from './messages.ts';

/** Blanks as wide as a figure each: a price of two decimals stands above one of four, point under point. */
const TWO_FIGURES = '\u2007\u2007';

/** Subtotal + tax, exactly; a decimal text (decisions 1: the third card shows their sum). */
export function sumOfCards({
  subtotal,
  tax,
  currency,
}: Pick<Invoice, 'subtotal' | 'tax' | 'currency'>): string {
  return formatDecimal(addMoney(parseMoney(String(subtotal), currency), parseMoney(String(tax), currency)));
}

export interface SumLine {
  readonly id: 'rounding' | 'prepaid' | 'payments' | 'credits' | 'amountDue';
  readonly label: string;
  readonly value: string;
  readonly total?: boolean;
}

/** What stands between the invoice amount and what is due; nothing when the two are the same. */
export function sumLines(invoice: Invoice): readonly SumLine[] {
  const { currency, rounding, prepaid, paidAmount, creditedAmount } = invoice;
  const money = (amount: number) => formatMoney(amount, { currency });
  const parts = [
    { id: 'rounding', amount: rounding },
    { id: 'prepaid', amount: -prepaid },
    { id: 'payments', amount: -paidAmount },
    { id: 'credits', amount: -creditedAmount },
  ] as const;
  const shown = parts.filter(({ amount }) => amount !== 0);
  if (shown.length === 0) return [];
  return [
    ...shown.map(({ id, amount }) => ({ id, label: t(`sum.${id}`), value: money(amount) })),
    { id: 'amountDue', label: t('sum.amountDue'), value: money(invoice.amountDue), total: true },
  ];
}

/** What is metered: time and data. */
const isMetered = (written: string): boolean => {
  const unit = unitOf(written);
  return unit !== null && ['time', 'data'].includes(kindOfUnit(unit));
};

/** Usage is priced with four decimals, everything else with two (specification, portal §1). */
export const isUsagePrice = ({ price, unit }: Pick<InvoiceLine, 'price' | 'unit'>): boolean =>
  isMetered(unit) || Math.round(price * 100) !== Number((price * 100).toFixed(6));

export const priceText = (line: Pick<InvoiceLine, 'price' | 'unit'>, currency: string): string =>
  isUsagePrice(line)
    ? formatPrice(line.price, currency)
    : `${formatMoney(line.price, { currency })}${TWO_FIGURES}`;

/** The grey words beside a product: what it was, for what, in which time. */
export function detailsText(line: InvoiceLine): string {
  const { details, serviceItem, dateFrom, dateTo, baseQuantity } = line;
  const period =
    dateFrom !== null && dateTo !== null
      ? t('lines.period', { from: formatDay(dateFrom), to: formatDay(dateTo) })
      : '';
  const base = baseQuantity === 1 ? '' : t('lines.per', { quantity: baseQuantity });
  // The number first: it is never cut.
  return [details.includes(serviceItem) ? '' : serviceItem, details, base, period].filter(Boolean).join(', ');
}

/** The contradictions of an invoice's own figures, in sentences. */
export const discrepancyTexts = (invoice: InvoiceDetail): readonly string[] =>
  invoice.discrepancies.map(({ kind, lineNo, expected, stated }) =>
    t(`discrepancy.${kind}`, {
      lineNo: lineNo ?? 0,
      expected: formatMoney(expected, { currency: invoice.currency }),
      stated: formatMoney(stated, { currency: invoice.currency }),
    }),
  );
