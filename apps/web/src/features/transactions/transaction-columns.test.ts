import type { Transaction } from '@counterfoil/contract/transactions.ts';
import { describe, expect, it } from 'vitest';
import { priceSum } from './price-sum.ts';
import { extraColumns, transactionColumns, transactionsCsv } from './transaction-columns.tsx';

const row = (over: Partial<Transaction> = {}): Transaction => ({
  id: '1',
  productLabel: '',
  productName: 'Calls',
  serviceName: 'Voice',
  serviceItem: '+44 1',
  siteLabel: '',
  invoiceNumber: 'INV-1',
  invoiceId: 'i',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-31',
  price: 12.34,
  currency: 'USD',
  quantity: 2.5,
  unit: 'SEC',
  quantityUnit: 'second',
  extraField1: 'PO',
  extraField2: '',
  extraField3: '',
  extraField4: '',
  extraField5: 'B',
  ...over,
});
const none = {
  endPortalTransactionsExtraTab1: false,
  endPortalTransactionsExtraTab2: false,
  endPortalTransactionsExtraTab3: false,
  endPortalTransactionsExtraTab4: false,
  endPortalTransactionsExtraTab5: false,
};

describe('extra columns', () => {
  it.each([1, 2, 3, 4, 5] as const)(
    'column %i is shown when the brand enables it, with its custom label [portal.transactions.{extra-1,extra-2,extra-3,extra-4,extra-5,extra-headers,extra-labels-type-3}]',
    (n) => {
      const labels = [
        { type: 2, number: n, label: 'of another kind' },
        { type: 3, number: n, label: `Label ${n}` },
      ];
      expect(extraColumns({ ...none, [`endPortalTransactionsExtraTab${n}`]: true }, labels)).toEqual([
        { number: n, label: `Label ${n}` },
      ]);
      expect(extraColumns(none, labels)).toEqual([]);
    },
  );
});

describe('columns', () => {
  it('stand in the specification’s order; label and site only where there are any', () => {
    const ids = (isUsed: boolean) =>
      transactionColumns([{ number: 5, label: 'Tariff' }], {
        hasProductLabels: isUsed,
        hasSiteLabels: isUsed,
      }).map(({ id }) => id);
    const always = ['productName', 'serviceName', 'serviceItem', 'invoiceNumber', 'dateFrom', 'dateTo'];
    expect(ids(false)).toEqual([...always, 'quantity', 'price', 'extraField5']);
    expect(ids(true)).toEqual([
      'productLabel',
      'productName',
      'serviceName',
      'serviceItem',
      'siteLabel',
      'invoiceNumber',
      'dateFrom',
      'dateTo',
      'quantity',
      'price',
      'extraField5',
    ]);
  });
});

it('quantities stand with what the bill counts them in', () => {
  const quantity = transactionColumns([], undefined).find(({ id }) => id === 'quantity');
  const shown = (over: Partial<Transaction>) => quantity?.cell?.(row({ quantity: 90, ...over }));
  expect(shown({})).toBe('0:01:30');
  expect(shown({ unit: 'C62', quantityUnit: 'message' })).toBe('90\u00a0messages');
  expect(shown({ unit: 'KGM', quantityUnit: null })).toBe('90\u00a0KGM');
});

it('prices are rounded to 2 decimals, half away from zero [portal.format.constant.transaction-price-decimals]', () => {
  const price = transactionColumns([], undefined).find(({ id }) => id === 'price');
  expect(price?.cell?.(row({ price: 12.345, currency: 'XXX' }))).toMatch(/12\.35$/);
  expect(price?.cell?.(row({ price: -0.5, currency: 'XXX' }))).toMatch(/0\.50$/);
});

describe('the file', () => {
  it('has every field and the extra columns shown; figures stay figures', () => {
    const csv = transactionsCsv([row({ invoiceNumber: '' })], [{ number: 1, label: 'Purchase order' }]);
    expect(csv.head.slice(-2)).toEqual(['Purchase order', 'Unit']);
    expect(csv.rows).toEqual([
      [
        '',
        'Calls',
        'Voice',
        '+44 1',
        '',
        '',
        '2026-03-01',
        '2026-03-31',
        2.5,
        { decimal: '12.34' },
        'USD',
        'PO',
        'second',
      ],
    ]);
  });
});

it('sums of several currencies stand side by side', () => {
  const currencies = [
    { currency: 'EUR', price: 5 },
    { currency: 'USD', price: 0.3 },
  ];
  expect(priceSum({ currencies })).toMatch(/^EUR\s5\.00 · \D*0\.30$/);
});
