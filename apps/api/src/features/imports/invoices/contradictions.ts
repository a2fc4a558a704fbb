import { formatDecimal, type Money, money } from '@counterfoil/domain/money/money.ts';
import { checkInvoiceSums, checkLine, type Discrepancy } from '@counterfoil/domain/paying/invoice.ts';
import type { ImportedAllowance, ImportedInvoice, ImportedLine } from './imported-invoice.ts';

/** Figures of a document that contradict each other: kept as they came, shown, never mended. */
export interface Contradiction {
  /** 'allowances', 'charges', 'taxParts' and 'taxableParts' compare sums with the totals the document states. */
  readonly kind:
    | Exclude<Discrepancy['name'], 'baseQuantity'>
    | 'allowances'
    | 'charges'
    | 'taxParts'
    | 'taxableParts';
  /** Number of the line in the document, from 1; null for the document itself. */
  readonly lineNo: number | null;
  readonly expected: Money;
  readonly stated: Money;
  /** One sentence for a person. */
  readonly text: string;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const amountOf = (allowances: readonly ImportedAllowance[], isCharge: boolean): bigint =>
  sum(allowances.filter((entry) => entry.isCharge === isCharge).map((entry) => entry.amountMinor));

/** Everything in a document that does not add up, document first, then line by line. */
export function contradictionsOf(invoice: ImportedInvoice): readonly Contradiction[] {
  return [
    ...inTotals(invoice),
    ...inParts(invoice),
    ...invoice.lines.flatMap((line, at) => inLine(invoice, line, at + 1)),
  ];
}

function inTotals(invoice: ImportedInvoice): readonly Contradiction[] {
  const { totals, currency } = invoice;
  const amount = (minor: bigint): Money => money(minor, currency);
  const found = checkInvoiceSums({
    lineTotals: invoice.lines.map((line) => amount(line.amountMinor)),
    allowances: amount(amountOf(invoice.allowances, false)),
    charges: amount(amountOf(invoice.allowances, true)),
    subtotal: amount(totals.taxExclusiveMinor),
    tax: amount(invoice.taxMinor),
    total: amount(totals.taxInclusiveMinor),
    rounding: amount(totals.roundingMinor),
    prepaid: amount(totals.prepaidMinor),
    payable: amount(totals.payableMinor),
  });
  return found.flatMap(({ name, expected, stated }) =>
    name === 'baseQuantity' ? [] : [contradiction(name, null, expected, stated)],
  );
}

const sentences: Readonly<Record<Contradiction['kind'], string>> = {
  linesVsSubtotal: 'the lines, less allowances, plus charges',
  subtotalPlusTaxVsTotal: 'subtotal plus tax',
  totalVsPayable: 'total plus rounding less prepaid',
  lineAmount: 'quantity × price, less allowances, plus charges',
  allowances: 'the allowances',
  charges: 'the charges',
  taxParts: 'the parts of the tax',
  taxableParts: 'the taxable parts',
};

function contradiction(
  kind: Contradiction['kind'],
  lineNo: number | null,
  expected: Money,
  stated: Money,
): Contradiction {
  const where = lineNo === null ? '' : `line ${lineNo}: `;
  const text = `${where}${sentences[kind]}: ${formatDecimal(expected)}, stated ${formatDecimal(stated)} ${stated.currency}`;
  return { kind, lineNo, expected, stated, text };
}

function inParts(invoice: ImportedInvoice): readonly Contradiction[] {
  const { totals, currency, taxes } = invoice;
  const compare = (
    kind: Contradiction['kind'],
    expected: bigint,
    stated: bigint,
  ): readonly Contradiction[] =>
    expected === stated
      ? []
      : [contradiction(kind, null, money(expected, currency), money(stated, currency))];
  return [
    ...compare('allowances', amountOf(invoice.allowances, false), totals.allowancesMinor),
    ...compare('charges', amountOf(invoice.allowances, true), totals.chargesMinor),
    ...(taxes.length === 0
      ? []
      : compare('taxParts', sum(taxes.map((tax) => tax.taxMinor)), invoice.taxMinor)),
    ...(taxes.length === 0
      ? []
      : compare('taxableParts', sum(taxes.map((tax) => tax.taxableMinor)), totals.taxExclusiveMinor)),
  ];
}

function inLine(invoice: ImportedInvoice, line: ImportedLine, lineNo: number): readonly Contradiction[] {
  const amount = (minor: bigint): Money => money(minor, invoice.currency);
  const found = checkLine({
    quantity: line.quantity,
    price: line.price,
    baseQuantity: line.baseQuantity,
    allowances: amount(amountOf(line.allowances, false)),
    charges: amount(amountOf(line.allowances, true)),
    amount: amount(line.amountMinor),
  });
  // A price for no quantity is refused where the document is read.
  if (found === null || found.name === 'baseQuantity') return [];
  return [contradiction(found.name, lineNo, found.expected, found.stated)];
}
