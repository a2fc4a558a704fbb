import type { InvoiceValues } from '@counterfoil/contract/operator/billing/put-invoice.ts';
import { parseCurrency } from '@counterfoil/domain/money/currency.ts';
import { parseMoney } from '@counterfoil/domain/money/money.ts';
import { compareRates, parseRate, type Rate, zeroRate } from '@counterfoil/domain/money/rate.ts';
import { type Day, parseDay } from '@counterfoil/domain/time/day.ts';
import { AppError } from '../../app-error.ts';
import { sha256 } from '../../secrets.ts';
import { contradictionsOf, type ImportedInvoice } from '../imports/service.ts';

interface Fault {
  readonly path: string;
  readonly message: string;
}

type Party = ImportedInvoice['supplier'];

/** A party that the reseller's own numbering names. */
export const partyOf = (scheme: string, id: string, name: string): Party => ({
  endpoint: null,
  identifiers: [{ scheme, id }],
  legalId: null,
  taxId: null,
  name,
  legalName: null,
  address: { lines: [], city: null, postalCode: null, region: null, country: null },
  email: null,
  phone: null,
});

const dayOf = (text: string | null): Day | null => (text === null ? null : parseDay(text));
const periodOf = (from: string | null, to: string | null) =>
  from === null && to === null ? null : { from: dayOf(from), to: dayOf(to) };

/**
 * An invoice that a program sends, as one that was imported.
 * @param number its number
 * @param reseller who issues it
 * @returns it without its buyer
 * @throws {AppError} request.invalid for a currency that is none, more decimals than it has, and sums that are not exact
 */
export function importedInvoiceOf(
  values: InvoiceValues,
  number: string,
  reseller: { readonly id: number; readonly name: string },
): ImportedInvoice {
  const faults: Fault[] = [];
  const currency = read(faults, 'currency', () => parseCurrency(values.currency));
  if (currency === undefined) throw new AppError('request.invalid', { fields: faults });
  const minor = (path: string, text: string): bigint =>
    read(faults, path, () => parseMoney(text, currency).minor) ?? 0n;
  const allowanceOf = (one: InvoiceValues['allowances'][number], path: string) => ({
    isCharge: one.isCharge,
    reason: one.reason,
    percent: null,
    amountMinor: minor(`${path}.amount`, one.amount),
    baseMinor: null,
    taxCategory: one.taxCategory,
    taxPercent: rateOf(one.taxPercent),
  });
  const lines = values.lines.map((line, at) => {
    const baseQuantity = parseRate(line.baseQuantity);
    if (compareRates(baseQuantity, zeroRate) <= 0)
      faults.push({ path: `lines.${at}.baseQuantity`, message: 'is not above 0' });
    return {
      at: at + 1,
      id: `${at + 1}`,
      name: line.name,
      description: line.description,
      note: null,
      productCode: line.label === '' ? null : line.label,
      quantity: parseRate(line.quantity),
      unitCode: line.unit,
      price: parseRate(line.price),
      baseQuantity,
      amountMinor: minor(`lines.${at}.amount`, line.amount),
      period: periodOf(line.periodFrom, line.periodTo),
      costCentre: line.costCentre,
      serviceItem: line.serviceItem,
      ...(line.site !== '' && { site: line.site }),
      orderLine: null,
      allowances: line.allowances.map((one, place) => allowanceOf(one, `lines.${at}.allowances.${place}`)),
      taxCategory: line.taxCategory,
      taxPercent: rateOf(line.taxPercent),
      ...(line.extra.length > 0 && { extra: line.extra }),
    };
  });
  const taxes = values.taxes.map((tax, at) => ({
    category: tax.category,
    percent: rateOf(tax.percent),
    taxableMinor: minor(`taxes.${at}.taxable`, tax.taxable),
    taxMinor: minor(`taxes.${at}.amount`, tax.amount),
  }));
  const allowances = values.allowances.map((one, at) => allowanceOf(one, `allowances.${at}`));
  const sumOf = (isCharge: boolean) =>
    allowances.reduce((sum, one) => (one.isCharge === isCharge ? sum + one.amountMinor : sum), 0n);
  const [subtotal, off, onTop] = [minor('subtotal', values.subtotal), sumOf(false), sumOf(true)];
  const invoice: ImportedInvoice = {
    kind: values.kind,
    number,
    typeCode: values.kind === 'invoice' ? '380' : '381',
    issuedOn: parseDay(values.issuedOn),
    dueOn: dayOf(values.dueOn),
    currency,
    period: periodOf(values.periodFrom, values.periodTo),
    supplier: partyOf('reseller', `${reseller.id}`, reseller.name),
    buyer: partyOf('customer', '', ''),
    notes: values.note === null ? [] : [values.note],
    costCentre: null,
    serviceItem: null,
    buyerReference: values.buyerReference,
    orderReference: values.orderReference,
    contractReference: values.agreement,
    paymentTerms: values.paymentTerms,
    paymentReferences: [],
    billingReferences: values.credits.map((credited) => ({ number: credited, issuedOn: null })),
    lines,
    allowances,
    taxMinor: minor('tax', values.tax),
    taxes,
    taxElsewhere: null,
    totals: {
      linesMinor: subtotal + off - onTop,
      taxExclusiveMinor: subtotal,
      taxInclusiveMinor: minor('total', values.total),
      allowancesMinor: off,
      chargesMinor: onTop,
      prepaidMinor: minor('prepaid', values.prepaid),
      roundingMinor: minor('rounding', values.rounding),
      payableMinor: minor('payable', values.payable),
    },
  };
  if (faults.length === 0)
    for (const { kind, lineNo, text } of contradictionsOf(invoice))
      faults.push({ path: lineNo === null ? pathOf[kind] : `lines.${lineNo - 1}.amount`, message: text });
  if (faults.length > 0) throw new AppError('request.invalid', { fields: faults.slice(0, MOST_FAULTS) });
  return invoice;
}

/**
 * Digest of all that a program said of an invoice, however it wrote its amounts; what reseller and customer are called counts
 * for nothing.
 */
export const contentHashOfValues = (invoice: ImportedInvoice): Buffer =>
  sha256(
    JSON.stringify(
      { ...invoice, supplier: invoice.supplier.identifiers, buyer: invoice.buyer.identifiers },
      (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    ),
  );

const MOST_FAULTS = 100;

/** The member whose figure does not add up. */
const pathOf: Readonly<Record<ReturnType<typeof contradictionsOf>[number]['kind'], string>> = {
  linesVsSubtotal: 'subtotal',
  subtotalPlusTaxVsTotal: 'total',
  totalVsPayable: 'payable',
  lineAmount: 'lines',
  allowances: 'lines',
  charges: 'lines',
  taxParts: 'taxes',
  taxableParts: 'taxes',
};

const rateOf = (text: string | null): Rate | null => (text === null ? null : parseRate(text));

function read<T>(faults: Fault[], path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch {
    faults.push({ path, message: 'is not known, or has more decimals than the currency has' });
    return undefined;
  }
}
