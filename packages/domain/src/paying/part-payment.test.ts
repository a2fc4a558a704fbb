import { describe, expect, it } from 'vitest';
import { money } from '../money/money.ts';
import { isChoice, partRange, readPart } from './part-payment.ts';

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

describe('where less than an amount cannot be charged', () => {
  const range = (due: bigint, least: bigint) => partRange(money(due, 'USD'), money(least, 'USD'));
  it('neither a part nor what it leaves is below it', () => {
    const ten = range(1_000n, 250n);
    expect(ten).toMatchObject({
      least: { minor: 250n },
      most: { minor: 1_000n },
      leastRest: { minor: 250n },
    });
    if (ten === null) throw new Error('nothing is due');
    expect(readPart('2.49', ten)).toBe('tooLittle');
    expect(readPart('2.50', ten)).toEqual(money(250n, 'USD'));
    expect(readPart('7.50', ten)).toEqual(money(750n, 'USD'));
    expect(readPart('7.51', ten)).toBe('leavesTooLittle');
    expect(readPart('9.99', ten)).toBe('leavesTooLittle');
    expect(readPart('10.00', ten)).toEqual(money(1_000n, 'USD'));
    expect(readPart('10.01', ten)).toBe('tooMuch');
  });
  it('a unit of the currency stays the least where that is more', () => {
    expect(range(1_000n, 50n)).toMatchObject({ least: { minor: 100n }, leastRest: { minor: 50n } });
  });
  it.each([
    [1_000n, 250n, true],
    [500n, 250n, true],
    [499n, 250n, false],
    [40n, 50n, false],
  ])('of %s with %s there is a choice: %s', (due, least, wanted) => {
    const found = range(due, least);
    expect(found !== null && isChoice(found)).toBe(wanted);
  });
});

describe('where only whole steps can be charged', () => {
  const due = money(12_345n, 'KWD');
  const range = partRange(due, undefined, money(10n, 'KWD')) ?? expect.fail('nothing to pay');
  it.each([
    ['12.340', 12_340n],
    ['1.000', 1_000n],
    ['12.345', 12_345n],
    ['12.344', 'amountNotRepresentable'],
    ['1.001', 'amountNotRepresentable'],
    ['12.346', 'tooMuch'],
  ])('%s is read as %s', (text, expected) => {
    const read = readPart(text, range);
    expect(typeof read === 'string' ? read : read.minor).toBe(expected);
  });
});
