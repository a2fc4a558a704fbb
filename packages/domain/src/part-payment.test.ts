import { describe, expect, it } from 'vitest';
import { money } from './money.ts';
import { partRange, readPart } from './part-payment.ts';

describe('what may be paid of an invoice', () => {
  it.each([
    ['USD', 11_000n, 100n],
    ['USD', 80n, 80n],
    ['JPY', 500n, 1n],
    ['KWD', 9_000n, 1_000n],
  ])('%s %d: from %d to all of it', (currency, due, least) => {
    expect(partRange(money(due, currency))).toEqual({
      least: money(least, currency),
      most: money(due, currency),
    });
  });
  it('is nothing where nothing is due', () => {
    expect([partRange(money(0n, 'USD')), partRange(money(-1n, 'USD'))]).toEqual([null, null]);
  });
});

describe('reading an amount to pay', () => {
  it.each([
    ['USD', '1', 100n],
    ['USD', '50.250', 5_025n],
    ['USD', '110.00', 11_000n],
    ['KWD', '1.001', 1_001n],
    ['JPY', '12', 12n],
  ])('takes %s %s', (currency, text, minor) => {
    const range = partRange(money(11_000n, currency));
    expect(range && readPart(text, range)).toEqual(money(minor, currency));
  });
  it.each([
    ['USD', '0', 'tooLittle'],
    ['USD', '-5', 'tooLittle'],
    ['USD', '0.99', 'tooLittle'],
    ['USD', '5.005', 'tooLittle'],
    ['USD', '1e2', 'tooLittle'],
    ['USD', '', 'tooLittle'],
    ['JPY', '12.5', 'tooLittle'],
    ['USD', '110.01', 'tooMuch'],
  ])('refuses %s %s as %s', (currency, text, why) => {
    const range = partRange(money(11_000n, currency));
    expect(range && readPart(text, range)).toBe(why);
  });
});
