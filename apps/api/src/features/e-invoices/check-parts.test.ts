import { describe, expect, it } from 'vitest';
import { CheckInParts } from './check-parts.ts';
import { composeEInvoice, documentPeriodOf } from './compose.ts';
import type { EInvoiceRow, ELineRow } from './queries.ts';
import { checkEInvoice } from './rules.ts';
import { generatedRows, type SampleRows, sampleRows } from './sample-rows.ts';

type Lines = readonly Partial<ELineRow>[];
const three: Lines = [1, 2, 3].map((line_no) => ({ line_no }));

/** Both judgements of one invoice. */
function judged({ row, lines, facts }: SampleRows) {
  const whole = new Set(checkEInvoice(composeEInvoice(row, lines, facts)).map(({ of }) => of));
  const check = new CheckInParts(row, facts, documentPeriodOf(row, lines));
  for (let at = 0; at < lines.length; at += 2) check.add(lines.slice(at, at + 2));
  return [check.end(), whole].map((forms) => [...forms].toSorted());
}

describe('an e-invoice that is checked in parts', () => {
  it.each<[string, Partial<EInvoiceRow>, Lines, boolean]>([
    ['keeps the rules', {}, three, true],
    ['has two taxes', {}, [...three, { line_no: 4, tax_percent: '10', tax_minor: 1_000n }], true],
    [
      'has an allowance in the last part',
      {},
      [...three, { line_no: 4, kind: 'allowance', amount_minor: -500n, tax_minor: -100n }],
      true,
    ],
    [
      'has an allowance below zero',
      {},
      [...three, { line_no: 4, kind: 'allowance', amount_minor: 500n, tax_minor: 100n }],
      false,
    ],
    ['states another sum', { subtotal_minor: 1n }, three, false],
    ['states another tax', { tax_minor: 1n }, three, false],
    ['has a unit nobody knows', {}, [...three, { line_no: 4, unit: 'dozen of dozens' }], false],
    [
      'has an amount that nothing explains',
      { discrepancies: [{ kind: 'lineAmount', lineNo: 4 }] },
      [...three, { line_no: 4, amount_minor: 7n }],
      false,
    ],
    [
      'has a line without a rate',
      {},
      [...three, { line_no: 4, tax_category: 'S', tax_percent: null, tax_minor: 0n }],
      false,
    ],
    [
      'bills other days in its last line',
      { period_start: '2026-02-01', period_end: '2026-02-28' },
      [...three, { line_no: 4, date_from: '2026-01-01', date_to: '2026-01-31' }],
      true,
    ],
    ['has no lines', {}, [], false],
    ['has allowances alone', {}, [{ kind: 'allowance', amount_minor: -500n, tax_minor: -100n }], false],
    ['says nothing of the buyer', { customer_ref: null, customer_endpoint: null }, three, false],
  ])('is judged as one that is checked at once: one that %s', (_, over, lines, isKept) => {
    const [parts, whole] = judged(sampleRows(over, lines));
    expect(parts).toEqual(whole);
    expect(whole?.length === 0).toBe(isKept);
  });

  it('as is whatever else there may be', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const [parts, whole] = judged(generatedRows(seed));
      expect(parts, `seed ${seed}`).toEqual(whole);
    }
  });
});
