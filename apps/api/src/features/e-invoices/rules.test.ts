import { eInvoiceFacts } from '@counterfoil/contract/brand.ts';
import { parseCurrency } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { composeEInvoice } from './compose.ts';
import type { EInvoiceRow, ELineRow } from './queries.ts';
import { checkEInvoice } from './rules.ts';
import { sampleFacts, sampleRows } from './sample-rows.ts';

type Facts = Partial<typeof sampleFacts.settings>;

function brokenBy(row: Partial<EInvoiceRow>, line: Partial<ELineRow> = {}, facts: Facts = {}): string[] {
  const made = sampleRows(row, [line]);
  const settings = eInvoiceFacts.parse({ ...sampleFacts.settings, ...facts });
  const composed = composeEInvoice(made.row, made.lines, { ...sampleFacts, settings });
  return [...new Set(checkEInvoice(composed).map(({ rule }) => rule))];
}

const untaxed = { tax_percent: null, tax_category: '', tax_minor: 0n };

describe('rules of e-invoices', () => {
  it('are kept by an invoice that a program sends, with what the brand and the customer say', () => {
    expect(brokenBy({})).toEqual([]);
    expect(brokenBy({}, untaxed)).toEqual([]);
    expect(brokenBy({}, untaxed, { untaxedCategory: 'E', exemptionReason: 'Small business' })).toEqual([]);
    expect(
      brokenBy({ kind: 'creditNote' }, { amount_minor: -10_000n, tax_minor: -2_000n, quantity: '-1' }),
    ).toEqual([]);
  });

  it('take a discount of a line as one, and a price below zero as a quantity below zero', () => {
    expect(brokenBy({}, { amount_minor: 9_000n, tax_minor: 1_800n })).toEqual([]);
    expect(brokenBy({}, { price: '-100', amount_minor: -10_000n, tax_minor: -2_000n })).toEqual([]);
  });

  it.each<[string[], Partial<EInvoiceRow>, Partial<ELineRow>?, Facts?]>([
    [['BR-CO-25'], { due_on: null }],
    [['BR-CO-16'], { payable_minor: 1n }],
    [['BR-DEC-12'], { currency: parseCurrency('KWD') }, { price: '10' }],
    [['PEPPOL-EN16931-R003'], { customer_ref: null }],
    [['PEPPOL-EN16931-R010'], { customer_endpoint: null }],
    [['PEPPOL-COMMON-R040'], { customer_endpoint: '0088:7300010000903' }],
    [['PEPPOL-EN16931-CL008'], { customer_endpoint: 'mail:a@b.example' }],
    [['BR-11'], { customer_country: null }],
    [['BR-CL-14'], { customer_country: 'XX' }],
    [['BR-25'], {}, { product_name: '', product_label: '' }],
    [['BR-CL-23'], {}, { unit: 'furlong' }],
    [['BR-CO-17'], {}, { tax_minor: 1_900n }],
    [['PEPPOL-EN16931-R120'], { discrepancies: [{ kind: 'lineAmount', lineNo: 1 }] }, { price: '50' }],
    [['BR-E-10'], {}, untaxed, { untaxedCategory: 'E' }],
    [['BR-AE-02'], {}, untaxed, { untaxedCategory: 'AE' }],
    [['BR-O-02'], {}, untaxed, { untaxedCategory: 'O' }],
    [['BR-S-02'], {}, {}, { vatId: '' }],
    [['BR-CO-09'], {}, {}, { vatId: '123' }],
    [['BR-09'], {}, {}, { country: '' }],
    [['BR-50'], {}, {}, { iban: '12' }],
    [['PEPPOL-EN16931-R020'], {}, {}, { endpoint: '' }],
    [['SE-R'], {}, {}, { country: 'SE' }],
  ])('%j is told', (rules, row, line, facts) => {
    expect(brokenBy(row, line, facts)).toEqual(rules);
  });
});
