import { describe, expect, it } from 'vitest';
import { overviewOf } from '../../shared/invoices/overview-of.ts';
import { invoiceOf } from '../../shared/invoices/test-support.ts';
import { dueByCurrency, otherCurrencies, summaryOf } from './due.ts';

const invoices = [
  invoiceOf({ id: 'a', amountDue: 1284.16, dateDue: '2026-12-05' }),
  invoiceOf({ id: 'b', amountDue: 486.3, dateDue: '2026-11-30', state: 'partPaid' }),
  invoiceOf({ id: 'c', amountDue: 612.45, dateDue: '2026-11-05', state: 'overdue' }),
  invoiceOf({ id: 'd', amountDue: 1198.75, state: 'beingConfirmed', canPay: false }),
  invoiceOf({ id: 'e', amount: 90.1, amountDue: 0, paid: true, state: 'paid', canPay: false }),
  invoiceOf({ id: 'f', kind: 'creditNote', amount: 20, amountDue: 0, state: 'open', canPay: false }),
  invoiceOf({ id: 'g', amountDue: 5, state: 'disputed', canPay: false }),
  invoiceOf({ id: 'h', amountDue: 7, state: 'void', canPay: false }),
];
const euro = invoiceOf({ id: 'x', currency: 'EUR', amountDue: 3 });

describe('what is due', () => {
  it('adds up what is open, overdue or part-paid, exactly, with the overdue part and the next day', () => {
    expect(dueByCurrency(overviewOf(invoices))).toEqual([
      {
        currency: 'USD',
        total: '2382.91',
        count: 3,
        overdue: { amount: '612.45', count: 1, since: '2026-11-05' },
        nextDay: '2026-11-30',
      },
    ]);
  });
  it('is kept apart by currency, the brand’s first', () => {
    const due = dueByCurrency(overviewOf([...invoices, euro]));
    expect(due.map(({ currency, total }) => [currency, total])).toEqual([
      ['USD', '2382.91'],
      ['EUR', '3.00'],
    ]);
    expect(dueByCurrency(overviewOf([euro])).map(({ currency }) => currency)).toEqual(['EUR']);
    expect(otherCurrencies(overviewOf([euro, ...invoices]), 'USD')).toEqual(['EUR']);
  });
  it('is nothing when all is paid, credited or being confirmed', () => {
    expect(dueByCurrency(overviewOf(invoices.slice(3)))).toEqual([]);
  });
  it('can be paid where there is a link', () => {
    expect(overviewOf(invoices)).toMatchObject({ offersPay: 3, payable: 3, first: { id: 'c' } });
  });
  it('stays due, and can be paid, while its payment only waits for the payer', () => {
    const waiting = invoiceOf({
      id: 'w',
      amountDue: 10,
      state: 'overdue',
      canPay: false,
      waitsForPayer: true,
    });
    const all = [...invoices, waiting];
    expect(dueByCurrency(overviewOf(all))).toMatchObject([
      { total: '2392.91', count: 4, overdue: { amount: '622.45', count: 2 } },
    ]);
    expect(overviewOf(all)).toMatchObject({ offersPay: 4, payable: 3 });
    expect(summaryOf(overviewOf(all), 'USD').map(({ id, count }) => `${id} ${count}`)).toEqual([
      'later 2',
      'overdue 2',
      'due 4',
      'beingConfirmed 1',
      'disputed 1',
      'paid 1',
      'credits 1',
    ]);
  });
});

describe('the summary', () => {
  it('has every invoice of the currency in one part; what is due adds up', () => {
    expect(summaryOf(overviewOf([euro, ...invoices]), 'USD')).toEqual([
      { id: 'later', count: 2, amount: '1770.46' },
      { id: 'overdue', count: 1, amount: '612.45' },
      { id: 'due', count: 3, amount: '2382.91' },
      { id: 'beingConfirmed', count: 1, amount: '1198.75' },
      { id: 'disputed', count: 1, amount: '5.00' },
      { id: 'paid', count: 1, amount: '90.10' },
      { id: 'credits', count: 1, amount: '-20.00' },
    ]);
  });
  it('leaves out what there is none of, but for what is due', () => {
    expect(summaryOf(overviewOf([]), 'USD').map(({ id, amount }) => [id, amount])).toEqual([
      ['later', '0.00'],
      ['overdue', '0.00'],
      ['due', '0.00'],
    ]);
  });
});
