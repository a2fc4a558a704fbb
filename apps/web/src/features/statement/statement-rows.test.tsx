import type { Ageing, Statement, StatementEntry } from '@counterfoil/contract/statement.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { describe, expect, it } from 'vitest';
import { ageBuckets, entryColumns, kindText, rowsOf, statementCsv } from './statement-rows.tsx';
import { chosenRange, lastMonths } from './statement-span.ts';

const ageing: Ageing = {
  notDue: 200,
  days1To30: 50,
  days31To60: 0,
  days61To90: 0.01,
  over90: 0,
  total: 250.01,
  credit: 10,
};
const entry = (over: Partial<StatementEntry> = {}): StatementEntry => ({
  kind: 'invoice',
  date: '2026-03-05',
  reference: 'INV-7',
  invoiceId: 'i-7',
  receiptOf: null,
  amount: 100,
  balance: 120,
  ...over,
});
const statement: Statement = {
  dateFrom: '2026-03-01',
  dateTo: '2026-03-31',
  currency: 'USD',
  currencies: ['USD'],
  opening: 20,
  entries: [
    entry(),
    entry({
      kind: 'payment',
      date: '2026-03-09',
      reference: 'P7',
      invoiceId: null,
      receiptOf: null,
      amount: -120,
      balance: 0,
    }),
  ],
  billed: 100,
  paidAndCredited: -120,
  closing: 0,
  ageing,
};

describe('the span', () => {
  it.each([
    ['2026-11-22', '2026-08-22'],
    ['2026-02-10', '2025-11-10'],
    ['2026-03-31', '2025-12-31'],
    ['2026-05-31', '2026-02-28'],
  ])('is the last three months up to %s: from %s', (day, start) => {
    expect(lastMonths(parseDay(day))).toEqual({ start, end: day });
  });
  it('is what the address says; a day that is absent is the default', () => {
    const day = parseDay('2026-11-22');
    expect(chosenRange({ from: undefined, to: undefined }, day)).toEqual({
      from: '2026-08-22',
      to: '2026-11-22',
    });
    expect(chosenRange({ from: '2026-01-01', to: undefined }, day).from).toBe('2026-01-01');
  });
});

describe('an entry', () => {
  it('has date, what it is, reference, amount and the balance after it', () => {
    const columns = entryColumns('USD', 'Invoice');
    expect(columns.map(({ id }) => id)).toEqual(['date', 'kind', 'reference', 'amount', 'balance']);
    const [row] = rowsOf(statement);
    expect(row && columns.map((column) => column.value(row))).toEqual([
      '2026-03-05',
      'Invoice',
      'INV-7',
      100,
      120,
    ]);
  });
  it('is named in words, an invoice by the brand’s', () => {
    const kinds = ['invoice', 'credit', 'payment', 'paymentReturned', 'adjustment'] as const;
    expect(kinds.map((kind) => kindText(kind, 'Bill'))).toEqual([
      'Bill',
      'Credit',
      'Payment',
      'Payment returned',
      'Adjustment',
    ]);
  });
});

it('the file has opening, every entry and closing, and its days in the name', () => {
  const csv = statementCsv(statement, 'Invoice');
  expect(csv.name).toBe('Statement_2026-03-01_2026-03-31.csv');
  expect(csv.head).toEqual(['Date', 'Entry', 'Reference', 'Amount', 'Balance', 'Currency']);
  expect(csv.rows).toEqual([
    ['2026-03-01', 'Opening balance', '', '', { decimal: '20.00' }, 'USD'],
    ['2026-03-05', 'Invoice', 'INV-7', { decimal: '100.00' }, { decimal: '120.00' }, 'USD'],
    ['2026-03-09', 'Payment', 'P7', { decimal: '-120.00' }, { decimal: '0.00' }, 'USD'],
    ['2026-03-31', 'Closing balance', '', '', { decimal: '0.00' }, 'USD'],
  ]);
});

describe('the bars', () => {
  it('compare the spans; the least of something is still seen', () => {
    expect(ageBuckets(ageing).map(({ share }) => share)).toEqual([100, 25, 0, 1, 0]);
  });
  it('are empty when nothing is open', () => {
    const nothing = { ...ageing, notDue: 0, days1To30: 0, days61To90: 0, total: 0 };
    expect(ageBuckets(nothing).every(({ share }) => share === 0)).toBe(true);
  });
});
