import type { Invoice, InvoiceDetail, InvoiceLine } from '@counterfoil/contract/invoices.ts';
import { addMoney, formatDecimal, parseMoney } from '@counterfoil/domain/money/money.ts';
import { kindOfUnit, unitOf } from '@counterfoil/domain/money/quantity.ts';
import { formatDay, formatMoney, formatPrice, leastMoneyDecimals } from '../../text/format.ts';
import { t } from './messages.ts';

const PRICE_DECIMALS = 4;
/** Blanks as wide as a point and figures: a price of few decimals stands above one of four, point under point. */
const blank = (decimals: number): string =>
  `${decimals === 0 ? '\u2008' : ''}${'\u2007'.repeat(PRICE_DECIMALS - decimals)}`;

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

/** Usage is priced with four decimals, everything else as money, as far as that says it (specification, portal §1). */
export function priceText({ price, unit }: Pick<InvoiceLine, 'price' | 'unit'>, currency: string): string {
  const decimals = leastMoneyDecimals(currency);
  const isMoney = Number(price.toFixed(decimals)) === price;
  return isMetered(unit) || !isMoney
    ? formatPrice(price, currency)
    : `${formatMoney(price, { currency })}${blank(decimals)}`;
}

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
