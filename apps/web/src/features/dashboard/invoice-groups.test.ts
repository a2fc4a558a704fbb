import { describe, expect, it } from 'vitest';
import { invoiceOf } from '../../shared/invoices/test-support.ts';
import { groupInvoices, isBill } from './invoice-groups.ts';

const numbers = (invoices: Parameters<typeof groupInvoices>[0]) =>
  groupInvoices(invoices).map(({ newest, others, amount, amountDue }) => [
    newest.id,
    others.map(({ id }) => id),
    amount,
    amountDue,
  ]);

describe('duplicate invoices', () => {
  it('of one number, kind and currency are one row with exactly summed amounts, the newest first [portal.dashboard.duplicates-aggregated]', () => {
    expect(
      numbers([
        invoiceOf({ id: 'old', amount: 0.1, amountDue: 0, dateInvoice: '2026-09-01' }),
        invoiceOf({ id: 'new', amount: 0.2, amountDue: 0.2, dateInvoice: '2026-11-01' }),
        invoiceOf({ id: 'mid', amount: 0.4, amountDue: 0.1, dateInvoice: '2026-10-01' }),
      ]),
    ).toEqual([['new', ['mid', 'old'], '0.70', '0.30']]);
  });
  it('of one day are told apart by when they were generated', () => {
    const [group] = groupInvoices([
      invoiceOf({ id: 'a', dateGenerated: '2026-11-05T00:00:00.000Z' }),
      invoiceOf({ id: 'b', dateGenerated: '2026-11-05T09:00:00.000Z' }),
    ]);
    expect(group?.newest.id).toBe('b');
  });
  it('of another number, kind or currency are rows of their own', () => {
    const rows = groupInvoices([
      invoiceOf({ id: 'a' }),
      invoiceOf({ id: 'b', number: 'INV-2' }),
      invoiceOf({ id: 'c', kind: 'creditNote' }),
      invoiceOf({ id: 'd', currency: 'EUR' }),
    ]);
    expect(rows).toHaveLength(4);
  });
  it('what was withdrawn adds nothing to what replaced it, and stands by itself when nothing did', () => {
    const gone = invoiceOf({ id: 'gone', state: 'void', canPay: false, dateInvoice: '2026-10-01' });
    expect(numbers([invoiceOf({ id: 'now' }), gone])).toEqual([['now', ['gone'], '1284.16', '1284.16']]);
    expect(numbers([gone])[0]?.[2]).toBe('1284.16');
  });
  it('show the state of what is still owed', () => {
    const [group] = groupInvoices([
      invoiceOf({ id: 'paid', paid: true, amountDue: 0, state: 'paid' }),
      invoiceOf({ id: 'late', state: 'overdue', dateInvoice: '2026-09-01' }),
    ]);
    expect([group?.newest.id, group?.speaking.id]).toEqual(['paid', 'late']);
  });
});

it('credits stand with a minus and are no bills', () => {
  const [group] = groupInvoices([invoiceOf({ kind: 'creditNote', amount: 12.5, amountDue: 0 })]);
  expect(group?.amount).toBe('-12.50');
  expect(group && isBill(group)).toBe(false);
});
