import { beforeAll, describe, expect, it } from 'vitest';
import { setBrandCurrency } from '../../text/format.ts';
import { intentRows, totalWith } from './intent-rows.ts';
import { intentOf } from './test-support.ts';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const shown = (...args: Parameters<typeof intentRows>) =>
  intentRows(...args)
    .filter(({ isEmpty }) => isEmpty !== true)
    .map(({ label, value }) => [label, value]);
const invoices = [
  ['INV-20431', '$1,284.16'],
  ['INV-20418', '$486.30'],
  ['INV-20398', '$612.45'],
];

describe('the lines of a bulk payment', () => {
  it('are each invoice number with its amount [payments.bulk.summary-invoices]', () => {
    expect(shown(intentOf({ adjustmentsTotal: 0 }), undefined)).toEqual(invoices);
  });
  it('have the fee of a card, or that of a bank account, never both [payments.bulk.summary-fees, payments.bulk.fee-bank, payments.bulk.fee-card]', () => {
    const intent = intentOf({ adjustmentsTotal: 0 });
    expect(shown(intent, 'card')).toEqual([...invoices, ['Card fee', '$35.44']]);
    expect(shown(intent, 'bank')).toEqual([...invoices, ['Bank fee', '$2.00']]);
  });
  it('keep the place of a fee before a method is chosen', () => {
    expect(intentRows(intentOf(), undefined).filter(({ isEmpty }) => isEmpty)).toHaveLength(1);
    const without = intentOf({ invoices: intentOf().invoices.slice(0, 3) });
    expect(intentRows(without, undefined).some(({ isEmpty }) => isEmpty)).toBe(false);
  });
  it('have adjustments as a deduction when they are above 0 [payments.bulk.text.adjustments, payments.bulk.adjustments-above-0]', () => {
    expect(shown(intentOf(), undefined)).toEqual([...invoices, ['Adjustments:', '−$20.00']]);
    expect(shown(intentOf({ adjustmentsTotal: 0 }), undefined)).toEqual(invoices);
  });
  it('an invoice that is called like a fee is an invoice', () => {
    const odd = intentOf({
      adjustmentsTotal: 0,
      invoices: [{ invoiceNumber: 'CARD_FEE', invoiceAmount: 5, invoiceId: 'i-9' }],
    });
    expect(shown(odd, undefined)).toEqual([['CARD_FEE', '$5.00']]);
    expect(totalWith({ ...odd, total: 5 }, 'card')).toBe('5.00');
  });
});

describe('the total', () => {
  it('is without a fee until a method is chosen, then with that of its kind [payments.bulk.fee-added]', () => {
    const intent = intentOf();
    expect([undefined, 'card', 'bank'].map((kind) => totalWith(intent, kind as never))).toEqual([
      '2362.91',
      '2398.35',
      '2364.91',
    ]);
  });
  it('is exact where floats are not', () => {
    const odd = intentOf({
      total: 0.1,
      invoices: [{ invoiceNumber: 'CARD_FEE', invoiceAmount: 0.2, invoiceId: null }],
    });
    expect(totalWith(odd, 'card')).toBe('0.30');
    const yen = intentOf({
      currency: 'JPY',
      total: 1000,
      invoices: [{ invoiceNumber: 'CARD_FEE', invoiceAmount: 25, invoiceId: null }],
    });
    expect(totalWith(yen, 'card')).toBe('1025');
  });
});
