import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import { isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import { multiplyRates, parseRate, type Rate } from '@counterfoil/domain/money/rate.ts';
import { isIsoScheme, taxCategories, typeCodes, unitWords } from './codes.ts';
import { lineTotal } from './line-total.ts';
import type { EAllowance, EIdentifier, EInvoice, ELine, EParty, EPeriod, ETax, ETotals } from './model.ts';
import type { AddressRow, EInvoiceRow, ELineRow, PartyRow } from './queries.ts';

/** What the provider says about itself, for what an invoice does not state. */
export interface SellerFacts {
  readonly companyName: string;
  readonly settings: StoredBrandSettings['eInvoice'];
}

/**
 * The document's period where it holds all days of its lines; where a line bills other days, the lines alone say which
 * (PEPPOL-EN16931-R110, R111).
 */
export function documentPeriodOf(
  row: EInvoiceRow,
  lines: readonly Pick<ELineRow, 'date_from' | 'date_to'>[],
): EPeriod | null {
  const period = periodOf(row.period_start, row.period_end);
  return lines.every(({ date_from: from, date_to: to }) => holds(period, from, to)) ? period : null;
}

/**
 * Turns an invoice of the books into the terms of EN 16931: nothing is converted, rounded or mended.
 * @param rows all of its lines, or some of them with the period of all
 */
export function composeEInvoice(
  row: EInvoiceRow,
  rows: readonly ELineRow[],
  facts: SellerFacts,
  documentPeriod: EPeriod | null = documentPeriodOf(row, rows),
): EInvoice {
  const sign = row.kind === 'creditNote' ? -1n : 1n;
  const { details } = row;
  const taxed = rows.map((line) => ({ line, ...taxOf(line, facts.settings) }));
  const shared = { sign, row, period: documentPeriod };
  const allowances = taxed.filter(({ line }) => line.kind !== 'line').map((one) => allowanceOf(one, sign));
  const lines = taxed.filter(({ line }) => line.kind === 'line').map((one) => lineOf(one, shared));
  const code = details.typeCode ?? '';
  const isKnown = typeCodes[row.kind].has(code);
  return {
    kind: row.kind,
    number: row.number,
    typeCode: isKnown ? code : row.kind === 'invoice' ? '380' : '381',
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    currency: row.currency,
    period: documentPeriod,
    seller: sellerOf(row.supplier, facts),
    buyer: buyerOf(row),
    note: textOf(details.note),
    costCentre: textOf(details.costCentre),
    serviceItem: textOf(details.serviceItem),
    // Where the buyer gave none, the number under which the provider knows the buyer.
    buyerReference: textOf(details.buyerReference) ?? textOf(row.customer_ref),
    orderReference: textOf(details.orderReference),
    contractReference: textOf(details.contractReference),
    paymentTerms: textOf(details.paymentTerms),
    payment: paymentOf(row, facts),
    preceding: details.billingReferences ?? [],
    lines,
    allowances,
    taxes: taxesOf(taxed, sign, facts.settings),
    taxElsewhere: taxElsewhereOf(row, sign),
    totals: totalsOf(row, lines, allowances, sign),
  };
}

const textOf = (text: string | null | undefined): string | null => text?.trim() || null;

const periodOf = (from: string | null, to: string | null): EPeriod | null =>
  from === null && to === null ? null : { from, to };

function holds(period: EPeriod | null, from: string | null, to: string | null): boolean {
  if (period === null) return true;
  const isEarly = from !== null && period.from !== null && from < period.from;
  const isLate = to !== null && period.to !== null && to > period.to;
  return !isEarly && !isLate;
}

type Taxed = ReturnType<typeof taxOf> & { readonly line: ELineRow };

/** Category and rate of a line. Where the books have no category, a rate is the standard one and none is as the brand says. */
function taxOf(line: ELineRow, settings: SellerFacts['settings']) {
  const percent = line.tax_percent === null ? null : parseRate(line.tax_percent);
  const isTaxed = percent !== null && percent !== '0';
  const stated = taxCategories.has(line.tax_category) ? line.tax_category : undefined;
  const category = stated ?? (isTaxed ? 'S' : settings.untaxedCategory);
  if (category === 'O') return { category, percent: null };
  return { category, percent: percent ?? (category === 'S' ? null : '0') };
}

function allowanceOf({ line, category, percent }: Taxed, sign: bigint): EAllowance {
  const isCharge = line.kind === 'charge';
  const amount = sign * line.amount_minor;
  const reason = textOf(line.product_name) ?? (isCharge ? 'Charge' : 'Discount');
  return { isCharge, reason, amountMinor: isCharge ? amount : -amount, category, percent };
}

interface Shared {
  readonly sign: bigint;
  readonly row: EInvoiceRow;
  readonly period: EPeriod | null;
}

function lineOf({ line, category, percent }: Taxed, { sign, row, period }: Shared): ELine {
  const amountMinor = sign * line.amount_minor;
  // A price below zero is a negative quantity of a positive one (BR-27).
  const isNegative = line.price.startsWith('-');
  const turned = (sign < 0n ? -1n : 1n) * (isNegative ? -1n : 1n);
  const quantity = turned < 0n ? negated(parseRate(line.quantity)) : parseRate(line.quantity);
  const price = isNegative ? negated(parseRate(line.price)) : parseRate(line.price);
  const baseQuantity = parseRate(line.base_quantity);
  const own = { quantity, price, baseQuantity };
  const name = textOf(line.product_name) ?? textOf(line.product_label) ?? textOf(line.service_item);
  const dates = periodOf(line.date_from, line.date_to);
  const isSamePeriod = dates?.from === period?.from && dates?.to === period?.to;
  return {
    id: `${line.line_no}`,
    name: name ?? textOf(line.details)?.slice(0, 100) ?? '',
    description: textOf(line.details),
    productCode: textOf(line.product_label),
    ...own,
    unit: unitWords[line.unit.trim().toLowerCase()] ?? line.unit.trim(),
    amountMinor,
    period: isSamePeriod ? null : dates,
    costCentre: line.cost_centre === row.details.costCentre ? null : textOf(line.cost_centre),
    serviceItem: line.service_item === row.details.serviceItem ? null : textOf(line.service_item),
    allowances: ownAllowances(line, amountMinor - lineTotal(own, row.currency), row),
    category,
    percent,
  };
}

const negated = (rate: Rate): Rate => multiplyRates(rate, parseRate('-1'));

/** What may differ by rounding alone (PEPPOL-EN16931-R120), in minor units. */
const SLACK = 1n;

/**
 * The line's own discounts and charges, of which the books keep the sum: by so much its amount differs from quantity and
 * price. Of a line whose document contradicts itself nothing is made up.
 */
function ownAllowances(line: ELineRow, difference: bigint, row: EInvoiceRow): ELine['allowances'] {
  const isWrong = row.discrepancies.some(
    ({ kind, lineNo }) => kind === 'lineAmount' && lineNo === line.line_no,
  );
  const isCharge = difference > 0n;
  const size = isCharge ? difference : -difference;
  if (isWrong || size <= SLACK) return [];
  return [{ isCharge, reason: isCharge ? 'Charge' : 'Discount', amountMinor: size }];
}

const reasons: Readonly<Record<string, string>> = {
  AE: 'Reverse charge',
  K: 'Intra-Community supply',
  G: 'Export outside the EU',
  O: 'Not subject to VAT',
};

function taxesOf(taxed: readonly Taxed[], sign: bigint, settings: SellerFacts['settings']): readonly ETax[] {
  const groups = Map.groupBy(taxed, ({ category, percent }) => `${category} ${percent ?? ''}`);
  return [...groups.values()].map((group) => {
    const { category = '', percent = null } = group[0] ?? {};
    const sum = (of: (line: ELineRow) => bigint) =>
      sign * group.reduce((all, { line }) => all + of(line), 0n);
    const isExempt = !['S', 'Z', 'L', 'M'].includes(category);
    return {
      category,
      percent,
      taxableMinor: sum((line) => line.amount_minor),
      taxMinor: sum((line) => line.tax_minor),
      exemptionReason: isExempt ? (textOf(settings.exemptionReason) ?? reasons[category] ?? null) : null,
    };
  });
}

function taxElsewhereOf({ details, currency }: EInvoiceRow, sign: bigint): EInvoice['taxElsewhere'] {
  const stated = details.taxElsewhere;
  if (stated === undefined || stated.currency === currency || !isCurrencyCode(stated.currency)) return null;
  return { currency: stated.currency, taxMinor: sign * BigInt(stated.taxMinor) };
}

function totalsOf(
  row: EInvoiceRow,
  lines: readonly ELine[],
  allowances: readonly EAllowance[],
  sign: bigint,
): ETotals {
  const sum = (amounts: readonly { readonly amountMinor: bigint }[]): bigint =>
    amounts.reduce((all, { amountMinor }) => all + amountMinor, 0n);
  return {
    linesMinor: sum(lines),
    allowancesMinor: sum(allowances.filter(({ isCharge }) => !isCharge)),
    chargesMinor: sum(allowances.filter(({ isCharge }) => isCharge)),
    taxExclusiveMinor: sign * row.subtotal_minor,
    taxMinor: sign * row.tax_minor,
    taxInclusiveMinor: sign * row.total_minor,
    prepaidMinor: sign * row.prepaid_minor,
    roundingMinor: sign * row.rounding_minor,
    payableMinor: sign * row.payable_minor,
  };
}

const identifierOf = (party: PartyRow): EIdentifier | null => {
  const [first] = party.identifiers ?? [];
  // Programs name parties by our numbering, which says nothing outside.
  if (first === undefined || ['reseller', 'customer'].includes(first.scheme)) return null;
  return { scheme: isIsoScheme(first.scheme) ? first.scheme : '', id: first.id };
};

const legalOf = (legalId: PartyRow['legalId']): EIdentifier | null =>
  legalId == null ? null : { scheme: isIsoScheme(legalId.scheme) ? legalId.scheme : '', id: legalId.id };

const madeOf = (scheme: string, id: string): EIdentifier | null => (id === '' ? null : { scheme, id });

/** The seller as the invoice states it; what it does not state, the brand does. */
function sellerOf(supplier: PartyRow, { companyName, settings }: SellerFacts): EParty {
  const stated = supplier.address ?? {};
  const address: AddressRow = stated.country
    ? stated
    : {
        lines: settings.street === '' ? [] : [settings.street],
        city: settings.city,
        postalCode: settings.postalCode,
        country: settings.country,
      };
  const name =
    textOf(supplier.legalName) ?? textOf(settings.legalName) ?? textOf(supplier.name) ?? companyName;
  return {
    name,
    tradingName: otherName(supplier.name, name),
    identifier: identifierOf(supplier),
    legalId: legalOf(supplier.legalId) ?? madeOf(settings.legalIdScheme, settings.legalId),
    vatId: textOf(supplier.taxId) ?? textOf(settings.vatId),
    endpoint: supplier.endpoint ?? madeOf(settings.endpointScheme, settings.endpoint),
    ...placeOf(address, ''),
  };
}

function buyerOf(row: EInvoiceRow): EParty {
  const { buyer } = row;
  const stated = buyer.address ?? {};
  const hasAddress = Boolean(stated.country ?? stated.city) || (stated.lines ?? []).length > 0;
  const name = textOf(buyer.legalName) ?? textOf(buyer.name) ?? row.customer_label;
  return {
    name,
    tradingName: otherName(buyer.name, name),
    identifier: identifierOf(buyer) ?? madeOf('', row.customer_ref ?? ''),
    legalId: legalOf(buyer.legalId),
    vatId: textOf(buyer.taxId),
    endpoint: buyer.endpoint ?? endpointOf(row.customer_endpoint),
    ...placeOf(hasAddress ? stated : row.customer_address, row.customer_country ?? ''),
  };
}

const otherName = (name: string | undefined, legalName: string): string | null =>
  textOf(name) === null || textOf(name) === legalName ? null : textOf(name);

/** `scheme:id`, as customers are known by it. */
function endpointOf(known: string | null): EIdentifier | null {
  const colon = known?.indexOf(':') ?? -1;
  return known === null || colon < 0 ? null : { scheme: known.slice(0, colon), id: known.slice(colon + 1) };
}

const placeOf = (address: AddressRow, country: string) => ({
  street: (address.lines ?? []).filter((line) => line.trim() !== '').slice(0, 3),
  city: textOf(address.city),
  postalCode: textOf(address.postalCode),
  region: textOf(address.region),
  country: textOf(address.country) ?? country,
});

function paymentOf(row: EInvoiceRow, { settings, companyName }: SellerFacts): EInvoice['payment'] {
  const iban = settings.iban.replaceAll(' ', '');
  if (iban === '' || row.kind === 'creditNote') return null;
  return {
    iban,
    accountName: textOf(settings.legalName) ?? companyName,
    reference: row.details.paymentReferences?.[0] ?? row.number,
  };
}
