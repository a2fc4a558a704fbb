import { expect, it } from 'vitest';
import { dueOf } from './due.ts';

it('adds up exactly, each currency by itself, and tells what is overdue since when', () => {
  const owed = [
    { currency: 'NZD', due: '0.10', dueOn: '2026-03-10' },
    { currency: 'NZD', due: '0.20', dueOn: '2026-03-15' },
    { currency: 'EUR', due: '5.00', dueOn: null },
    { currency: 'NZD', due: '-0.05', dueOn: '2026-03-01' },
  ];
  expect(dueOf(owed, '2026-03-15')).toEqual([
    { currency: 'EUR', due: '5.00', overdue: '0.00', open: 1, since: null },
    { currency: 'NZD', due: '0.25', overdue: '0.05', open: 3, since: '2026-03-01' },
  ]);
  expect(dueOf([], '2026-03-15')).toEqual([]);
});
