import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { expect, it } from 'vitest';
import { feeIn, leftToRefund, typedRefund } from './refundable.ts';

const capture = { amount: '110.00', refunded: '10.00', lost: '0.00', feeRefunded: '0.20' };

it('what is left is what was taken less what went back; of a refund, and of what was not taken, nothing', () => {
  const left = leftToRefund({ direction: 'charge', capture, currency: 'NZD' });
  expect(left === null ? left : formatDecimal(left)).toBe('100.00');
  expect(
    leftToRefund({ direction: 'charge', capture: { ...capture, refunded: '110.00' }, currency: 'NZD' }),
  ).toBeNull();
  expect(leftToRefund({ direction: 'charge', capture: null, currency: 'NZD' })).toBeNull();
  expect(leftToRefund({ direction: 'refund', capture, currency: 'NZD' })).toBeNull();
});

it.each([
  ['12.5', '12.50'],
  [' 100.00 ', '100.00'],
  ['100.01', null],
  ['0', null],
  ['-1', null],
  ['12.345', null],
  ['twelve', null],
  ['', null],
])('an amount of %j is taken as %j', (typed, is) => {
  expect(typedRefund(typed, money(10_000n, 'NZD'))).toBe(is);
});

it.each([
  ['10.00', '0.20'],
  ['100.00', '2.00'],
  ['99.90', '2.00'],
])('the fee in a refund of %s is %s', (amount, fee) => {
  const payment = { capture, capturedFee: '2.20', currency: 'NZD' };
  expect(feeIn(amount, payment)).toBe(fee);
  expect(feeIn(amount, { ...payment, capturedFee: '0.00' })).toBeNull();
});
