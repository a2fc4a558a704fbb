import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { LetterContext } from '../../../letters/sender.ts';
import type { Letter } from '../../../pdf/letter/letter.ts';
import type { InvoiceDetailRow, InvoiceLineRow } from '../invoice-row.ts';
import { composeDocument } from './compose-document.ts';
import { chargesOf } from './summary.ts';

const DAY_MS = 86_400_000;
/** Charges before tax, in minor units. */
const CHARGES = [
  ['Business Mobile 20', '20 services', '20', '32.50', 65_000n],
  ['Fibre 300', 'Head office', '1', '119.00', 11_900n],
  ['National calls', '128 calls', '128', '0.11', 1_408n],
] as const;
const SUBTOTAL = 78_308n;
const TAX = 7_831n;

/** An invoice as it would be printed in a brand, with sample data, for the preview of the brand. */
export function sampleInvoiceLetter(context: LetterContext, now: Date): Promise<Letter> {
  const day = (after: number) => new Date(now.getTime() + after * DAY_MS).toISOString().slice(0, 10);
  const { brand } = context;
  const total = SUBTOTAL + TAX;
  const row: InvoiceDetailRow = {
    id: '00000000-0000-7000-8000-000000000000',
    kind: 'invoice',
    number: 'INV-20431',
    issued_on: day(-10),
    due_on: day(20),
    period_start: null,
    period_end: null,
    currency: brand.currency,
    subtotal_minor: SUBTOTAL,
    tax_minor: TAX,
    total_minor: total,
    rounding_minor: 0n,
    prepaid_minor: 0n,
    payable_minor: total,
    paid_minor: 0n,
    credited_minor: 0n,
    reversed_minor: 0n,
    status: InvoiceStatus.OPEN,
    generated_at: now,
    has_discrepancy: false,
    attempt_open: false,
    waits_for_payer: false,
    token_sealed: null,
    customer_label: 'Harbour & Finch',
    supplier: {},
    buyer: { address: { lines: ['1 Quay Street'], city: 'Auckland', postalCode: '1010' } },
    details: {},
    taxes: [{ category: 'S', percent: '10', taxableMinor: Number(SUBTOTAL), taxMinor: Number(TAX) }],
    discrepancies: [],
    customer_ref: 'C-1001',
    customer_country: null,
  };
  const lines = CHARGES.map(
    ([name, details, quantity, price, amount], at): InvoiceLineRow => ({
      id: `${at}`,
      line_no: at + 1,
      kind: 'line',
      product_name: name,
      details,
      service_name: null,
      record_type: null,
      record_unit: null,
      service_item: '',
      cost_centre: null,
      date_from: null,
      date_to: null,
      quantity,
      unit: '',
      price,
      base_quantity: '1',
      amount_minor: amount,
      tax_minor: 0n,
      tax_percent: '10',
      usage_records: 0,
      has_archived_usage: false,
    }),
  );
  return composeDocument({
    ...context,
    row,
    charges: chargesOf(lines),
    invoice: { periodLabel: null, waitsForPayer: false, canPay: true, payToken: 'preview' },
    before: [],
    credits: [],
    payments: [],
    coming: undefined,
    isOpen: false,
    canPayOnline: true,
  });
}
