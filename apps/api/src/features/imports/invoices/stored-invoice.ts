import { createHash } from 'node:crypto';
import { allocateByLargestRemainder } from '@counterfoil/domain/money/allocate.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { contradictionsOf } from './contradictions.ts';
import type {
  Identifier,
  ImportedAllowance,
  ImportedInvoice,
  ImportedLine,
  ImportedParty,
} from './imported-invoice.ts';

/**
 * The columns of an invoice as the tables hold it. Credit notes are stored below zero, quantities included, as a
 * negative invoice comes: so every sum over a customer's documents is right without knowing their kind.
 */
export interface StoredInvoice {
  readonly subtotal: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly rounding: bigint;
  readonly prepaid: bigint;
  readonly payable: bigint;
  /** `details` column */
  readonly details: Readonly<Record<string, unknown>>;
  /** `taxes` column: amounts in minor units */
  readonly taxes: readonly unknown[];
  /** `discrepancies` column: amounts in minor units */
  readonly discrepancies: readonly unknown[];
  /** The same in words. */
  readonly warnings: readonly string[];
  readonly lines: readonly StoredLine[];
}

/** The columns of an invoice line; decimals as text, minor units as bigint. */
export interface StoredLine {
  readonly kind: 'line' | 'allowance' | 'charge';
  readonly productLabel: string;
  readonly productName: string;
  readonly details: string;
  readonly serviceItem: string;
  /** Empty: that of the service item. */
  readonly site: string;
  readonly costCentre: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly quantity: string;
  readonly unit: string;
  readonly price: string;
  readonly baseQuantity: string;
  readonly amount: bigint;
  readonly tax: bigint;
  readonly taxCategory: string;
  readonly taxPercent: string | null;
  readonly extra: readonly string[];
}

/** Turns a document into what the tables hold. */
export function storedInvoiceOf(invoice: ImportedInvoice): StoredInvoice {
  const sign = invoice.kind === 'creditNote' ? -1n : 1n;
  const { totals } = invoice;
  const contradictions = contradictionsOf(invoice);
  return {
    subtotal: sign * totals.taxExclusiveMinor,
    tax: sign * invoice.taxMinor,
    total: sign * totals.taxInclusiveMinor,
    rounding: sign * totals.roundingMinor,
    prepaid: sign * totals.prepaidMinor,
    payable: sign * totals.payableMinor,
    details: detailsOf(invoice, sign),
    taxes: invoice.taxes.map((tax) => ({
      category: tax.category,
      percent: tax.percent,
      taxableMinor: Number(sign * tax.taxableMinor),
      taxMinor: Number(sign * tax.taxMinor),
    })),
    discrepancies: contradictions.map(({ kind, lineNo, expected, stated }) => ({
      kind,
      lineNo,
      expectedMinor: Number(sign * expected.minor),
      statedMinor: Number(sign * stated.minor),
    })),
    warnings: contradictions.map(({ text }) => text),
    lines: linesOf(invoice, sign),
  };
}

function detailsOf(invoice: ImportedInvoice, sign: bigint): Readonly<Record<string, unknown>> {
  const { typeCode, costCentre, serviceItem, buyerReference, orderReference, contractReference } = invoice;
  const { paymentTerms, paymentReferences, billingReferences, notes, taxElsewhere } = invoice;
  const note = notes.length === 0 ? null : notes.join('\n');
  return {
    typeCode,
    costCentre,
    serviceItem,
    buyerReference,
    orderReference,
    contractReference,
    paymentTerms,
    paymentReferences,
    billingReferences,
    note,
    ...(taxElsewhere === null
      ? {}
      : {
          taxElsewhere: {
            currency: taxElsewhere.currency,
            taxMinor: Number(sign * taxElsewhere.taxMinor),
            rate: taxElsewhere.rate,
            rateOn: taxElsewhere.rateOn,
          },
        }),
  };
}

type Untaxed = Omit<StoredLine, 'tax'>;

function linesOf(invoice: ImportedInvoice, sign: bigint): readonly StoredLine[] {
  const lines = [
    ...invoice.lines.map((line) => lineOf(invoice, line, sign)),
    ...invoice.allowances.map((allowance) => allowanceOf(invoice, allowance, sign)),
  ];
  const taxes = taxesOfLines(invoice, lines, sign);
  return lines.map((line, at) => ({ ...line, tax: taxes[at] ?? 0n }));
}

function lineOf(invoice: ImportedInvoice, line: ImportedLine, sign: bigint): Untaxed {
  const period = line.period ?? invoice.period;
  return {
    kind: 'line',
    productLabel: line.productCode ?? '',
    productName: line.name,
    details: lineDetails(invoice, line),
    serviceItem: line.serviceItem ?? invoice.serviceItem ?? '',
    site: line.site ?? '',
    costCentre: line.costCentre ?? invoice.costCentre,
    from: period?.from ?? null,
    to: period?.to ?? null,
    quantity: sign < 0n ? negated(line.quantity) : line.quantity,
    unit: line.unitCode,
    price: line.price,
    baseQuantity: line.baseQuantity,
    amount: sign * line.amountMinor,
    taxCategory: line.taxCategory,
    taxPercent: line.taxPercent,
    extra: line.extra ?? [],
  };
}

const decimalText = (minor: bigint, { currency }: ImportedInvoice): string =>
  formatDecimal(money(minor, currency));

function negated(decimal: string): string {
  if (decimal.startsWith('-')) return decimal.slice(1);
  return decimal === '0' ? '0' : `-${decimal}`;
}

/** Description, note and the line's own allowances, which its amount already contains. */
function lineDetails(invoice: ImportedInvoice, line: ImportedLine): string {
  const allowances = line.allowances.map((entry) => {
    const amount = `${entry.isCharge ? '+' : '−'} ${decimalText(entry.amountMinor, invoice)}`;
    return `${entry.reason ?? (entry.isCharge ? 'Charge' : 'Allowance')} ${amount}`;
  });
  const description = line.description === line.name ? null : line.description;
  return [description, line.note, ...allowances].filter((part) => part !== null).join(' · ');
}

function allowanceOf(invoice: ImportedInvoice, allowance: ImportedAllowance, sign: bigint): Untaxed {
  const amount = sign * (allowance.isCharge ? allowance.amountMinor : -allowance.amountMinor);
  return {
    kind: allowance.isCharge ? 'charge' : 'allowance',
    productLabel: '',
    productName: allowance.reason ?? (allowance.isCharge ? 'Charge' : 'Allowance'),
    details: allowance.percent === null ? '' : `${allowance.percent} %`,
    serviceItem: invoice.serviceItem ?? '',
    site: '',
    costCentre: invoice.costCentre,
    from: invoice.period?.from ?? null,
    to: invoice.period?.to ?? null,
    quantity: '1',
    unit: '',
    price: decimalText(amount, invoice),
    baseQuantity: '1',
    amount,
    taxCategory: allowance.taxCategory,
    taxPercent: allowance.taxPercent,
    extra: [],
  };
}

/**
 * The tax of each line: each category's tax split over its lines, so that the lines add up to the document.
 * @param lines those of the document as stored, in order
 * @param sign -1 for a credit note, else 1
 * @returns minor units, one for each line
 */
export function taxesOfLines(
  { taxes }: Pick<ImportedInvoice, 'taxes'>,
  lines: readonly Pick<StoredLine, 'amount' | 'taxCategory' | 'taxPercent'>[],
  sign: bigint,
): readonly bigint[] {
  const keyOf = (category: string, percent: string | null): string => `${category} ${percent ?? ''}`;
  const placesOf = Map.groupBy(lines.keys(), (at) => {
    const line = lines[at];
    return line === undefined ? '' : keyOf(line.taxCategory, line.taxPercent);
  });
  const shares = lines.map(() => 0n);
  for (const part of taxes) {
    const places = placesOf.get(keyOf(part.category, part.percent)) ?? [];
    if (places.length === 0) continue;
    const weights = places.map((at) => lines[at]?.amount ?? 0n);
    allocateByLargestRemainder(sign * part.taxMinor, weights).forEach((share, index) => {
      const at = places[index];
      if (at !== undefined) shares[at] = (shares[at] ?? 0n) + share;
    });
  }
  return shares;
}

function partyKey(party: ImportedParty): string {
  const numbered = (kind: string, { scheme, id }: Identifier): string => `${kind}:${scheme}:${id}`;
  if (party.endpoint !== null) return numbered('endpoint', party.endpoint);
  if (party.legalId !== null) return numbered('legal', party.legalId);
  const [identifier] = party.identifiers;
  if (identifier !== undefined) return numbered('id', identifier);
  return party.taxId === null ? `name:${party.name}` : `tax:${party.taxId}`;
}

/** Who issued a document, as part of its identity: electronic address, else legal id, other number, tax id, name. */
export const supplierKeyOf = (invoice: ImportedInvoice): string => partyKey(invoice.supplier);

/**
 * Digest of what a document says. The list is fixed: members added to the model later stay outside, so that a
 * file taken in by an older version is still the same file.
 */
export function contentHashOf(invoice: ImportedInvoice): Buffer {
  const { totals } = invoice;
  const facts = [
    '1',
    invoice.kind,
    invoice.number,
    invoice.typeCode,
    invoice.issuedOn,
    invoice.dueOn,
    invoice.currency,
    partyKey(invoice.supplier),
    partyKey(invoice.buyer),
    invoice.period,
    invoice.costCentre,
    invoice.serviceItem,
    totals.linesMinor,
    totals.taxExclusiveMinor,
    totals.taxInclusiveMinor,
    totals.allowancesMinor,
    totals.chargesMinor,
    totals.prepaidMinor,
    totals.roundingMinor,
    totals.payableMinor,
    invoice.taxMinor,
    invoice.billingReferences.map((reference) => reference.number),
    invoice.taxes.map((tax) => [tax.category, tax.percent, tax.taxableMinor, tax.taxMinor]),
    invoice.allowances.map(allowanceFacts),
    invoice.lines.map((line) => [
      line.id,
      line.name,
      line.quantity,
      line.unitCode,
      line.price,
      line.baseQuantity,
      line.amountMinor,
      line.period,
      line.costCentre,
      line.serviceItem,
      line.taxCategory,
      line.taxPercent,
      line.allowances.map(allowanceFacts),
    ]),
  ];
  const text = JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return createHash('sha256').update(text).digest();
}

const allowanceFacts = (entry: ImportedAllowance): readonly unknown[] => [
  entry.isCharge,
  entry.amountMinor,
  entry.reason,
  entry.taxCategory,
  entry.taxPercent,
];
