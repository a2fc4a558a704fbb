import { eInvoiceFacts } from '@counterfoil/contract/brand.ts';
import { parseCurrency } from '@counterfoil/domain/money/money.ts';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import type { SellerFacts } from './compose.ts';
import { lineTotal, percentOf } from './line-total.ts';
import type { EInvoiceRow, ELineRow } from './queries.ts';

/** Invoices for this feature's tests, made up from a number: the same number is the same invoice. */

export interface SampleRows {
  readonly row: EInvoiceRow;
  readonly lines: readonly ELineRow[];
  readonly facts: SellerFacts;
}

/** A brand that says all that e-invoices need. */
export const sampleFacts: SellerFacts = {
  companyName: 'Northline',
  settings: eInvoiceFacts.parse({
    isOffered: true,
    legalName: 'Northline Telecom GmbH',
    vatId: 'AT U12345678'.replace(' ', ''),
    legalId: 'FN 123456 a',
    endpoint: '7300010000001',
    endpointScheme: '0088',
    street: 'Hauptplatz 1',
    city: 'Graz',
    postalCode: '8010',
    country: 'AT',
    iban: 'AT61 1904 3002 3457 3201',
  }),
};

const noParty = { scheme: 'customer', id: '' };

/** An invoice with one line, as a program sends it; parts of it as the test says. */
export function sampleRows(
  parts: Partial<EInvoiceRow> = {},
  lines?: readonly Partial<ELineRow>[],
): SampleRows {
  const made = (lines ?? [{}]).map((line, at) => ({ ...plainLine(at + 1), ...line }));
  const subtotal = made.reduce((all, line) => all + line.amount_minor, 0n);
  const tax = made.reduce((all, line) => all + line.tax_minor, 0n);
  return {
    facts: sampleFacts,
    lines: made,
    row: {
      id: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
      kind: 'invoice',
      number: 'INV-1001',
      issued_on: '2026-03-01',
      due_on: '2026-03-15',
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      currency: parseCurrency('EUR'),
      subtotal_minor: subtotal,
      tax_minor: tax,
      total_minor: subtotal + tax,
      rounding_minor: 0n,
      prepaid_minor: 0n,
      payable_minor: subtotal + tax,
      supplier: { name: 'Northline', identifiers: [{ scheme: 'reseller', id: '1' }] },
      buyer: { name: '', identifiers: [noParty] },
      details: {},
      discrepancies: [],
      customer_label: 'Harbour Office & Söhne',
      customer_ref: 'C-77',
      customer_country: 'AT',
      customer_address: { lines: ['Kai 1'], city: 'Linz', postalCode: '4020' },
      customer_endpoint: '0088:7300010000902',
      has_document: false,
      ...parts,
    },
  };
}

const plainLine = (lineNo: number): ELineRow => ({
  line_no: lineNo,
  kind: 'line',
  product_label: 'Internet',
  product_name: 'Fibre 300',
  details: '',
  service_item: '',
  cost_centre: null,
  date_from: '2026-02-01',
  date_to: '2026-02-28',
  quantity: '1.000000',
  unit: 'MON',
  price: '100.000000',
  base_quantity: '1.000000',
  amount_minor: 10_000n,
  tax_minor: 2_000n,
  tax_category: 'S',
  tax_percent: '20.0000',
});

/** A generator of numbers from 0 up to a bound, the same for the same seed (a linear congruence of 32 bits). */
function numbersFrom(seed: number): (bound: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** An invoice or credit note of many kinds: rates, units, discounts, currencies, gaps and things that are wrong. */
export function generatedRows(seed: number): SampleRows {
  const next = numbersFrom(seed);
  const pick = <T>(...values: readonly T[]): T => values[next(values.length)] as T;
  const sign = next(6) === 0 ? -1n : 1n;
  const currency = parseCurrency(pick('EUR', 'EUR', 'EUR', 'GBP', 'JPY', 'KWD'));
  const untaxed = next(8) === 0;
  const lines = Array.from({ length: 1 + next(8) }, (_, at) => generatedLine(at + 1));
  if (next(3) === 0) lines.push(allowance(lines.length + 1));
  const base = sampleRows({}, lines);
  const tax = base.row.tax_minor;
  const prepaid = next(5) === 0 ? sign * BigInt(next(500)) : 0n;
  const rounding = next(5) === 0 ? BigInt(next(40) - 20) : 0n;
  const total = base.row.total_minor;
  return {
    facts:
      next(12) === 0
        ? { ...sampleFacts, settings: eInvoiceFacts.parse({ country: pick('AT', '', 'SE') }) }
        : sampleFacts,
    lines: base.lines,
    row: {
      ...base.row,
      kind: sign < 0n ? 'creditNote' : 'invoice',
      number: `GEN-${seed}`,
      currency,
      due_on: pick('2026-03-15', '2026-03-15', null),
      period_start: pick('2026-02-01', null),
      period_end: pick('2026-02-28', null),
      prepaid_minor: prepaid,
      rounding_minor: rounding,
      payable_minor: total - prepaid + rounding + (next(25) === 0 ? 1n : 0n),
      tax_minor: tax,
      details: {
        typeCode: sign < 0n ? '381' : pick('380', '384', ''),
        note: pick(null, 'Thank you', 'Line one\nLine two <b> & "more"'),
        paymentTerms: pick(null, '14 days net'),
        orderReference: pick(null, 'PO-77'),
        contractReference: pick(null, 'C-1'),
        costCentre: pick(null, 'CC 12'),
        serviceItem: pick(null, '555-0100'),
        ...(sign < 0n && { billingReferences: [{ number: 'INV-1', issuedOn: pick(null, '2026-01-02') }] }),
        ...(currency === 'GBP' && { taxElsewhere: { currency: 'EUR', taxMinor: Number(tax) } }),
      },
      customer_ref: pick('C-77', 'C-77', 'C-77', null),
      customer_country: pick('AT', 'DE', 'FR', 'AT', null),
      customer_endpoint: pick(
        '0088:7300010000902',
        '0088:7300010000902',
        '9930:DE123456789',
        '0088:7300010000903',
        null,
      ),
      customer_address: pick(
        { lines: ['Kai 1', 'Tor 2', 'Stiege 3'], city: 'Linz', postalCode: '4020', region: 'OÖ' },
        {},
      ),
    },
  };

  function generatedLine(lineNo: number): ELineRow {
    const quantity = parseRate(pick('1', '3', '120', '0.5', '1250.75'));
    const price = parseRate(pick('10', '0', '0.0425', '99.99', '-5', '1.123456'));
    const baseQuantity = parseRate(pick('1', '1', '1', '100'));
    const discount = next(6) === 0 ? -BigInt(next(300)) : 0n;
    const amount = lineTotal({ quantity, price, baseQuantity }, currency) + discount;
    const percent = untaxed ? '0' : pick('20', '20', '10', '5.5');
    return {
      ...plainLine(lineNo),
      product_name: pick('Calls', 'Fibre 300', 'Data <roaming>', 'SMS & MMS'),
      product_label: pick('', 'Voice'),
      details: pick('', 'National · peak'),
      service_item: pick('', '555-0100', '555-0199'),
      cost_centre: pick(null, 'CC 12', 'CC 13'),
      unit: pick('MIN', '', 'minutes', 'MB', 'C62', next(30) === 0 ? 'furlong' : 'EA'),
      quantity: sign < 0n ? `-${quantity}` : quantity,
      price,
      base_quantity: baseQuantity,
      date_from: pick('2026-02-01', '2026-02-03', next(10) === 0 ? '2026-01-15' : '2026-02-01', null),
      date_to: pick('2026-02-28', null),
      amount_minor: sign * amount,
      tax_minor: sign * percentOf(amount, percent),
      tax_category: untaxed ? pick('Z', '') : pick('S', 'S', ''),
      tax_percent: percent,
    };
  }

  function allowance(lineNo: number): ELineRow {
    const isCharge = next(2) === 0;
    const amount = BigInt(next(200)) * (isCharge ? 1n : -1n);
    const percent = untaxed ? '0' : '20';
    return {
      ...plainLine(lineNo),
      kind: isCharge ? 'charge' : 'allowance',
      product_name: pick('Loyalty', 'Late fee'),
      product_label: '',
      quantity: '1',
      unit: '',
      amount_minor: sign * amount,
      tax_minor: sign * percentOf(amount, percent),
      tax_category: untaxed ? 'Z' : 'S',
      tax_percent: percent,
    };
  }
}
