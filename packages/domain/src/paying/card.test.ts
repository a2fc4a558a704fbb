import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as c from './card.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('card number', () => {
  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '378282246310005',
    '3782 822463 10005',
    '30569309025904',
    '4222222222222',
    '6304000000000000000',
    '  5555555555554444 ',
    '4242\u00a04242\u00a04242\u00a04242',
  ])('takes %j', (text) => {
    expect(c.cardNumberProblem(text)).toBeNull();
  });

  it.each([
    ['', 'required'],
    ['   ', 'required'],
    ['4242-4242-4242-4242', 'notDigits'],
    ['4242x', 'notDigits'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', 'notDigits'],
    ['424242424242', 'tooShort'],
    ['42424242424242424242', 'tooLong'],
    ['4242424242424241', 'checksum'],
    ['2424242424242424', 'checksum'],
  ])('%j is %s', (text, problem) => {
    expect(c.cardNumberProblem(text)).toBe(problem);
  });

  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['30569309025904', '3056 930902 5904'],
    ['42424', '4242 4'],
    ['4242', '4242'],
    ['', ''],
  ])('groups %s as %s', (text, grouped) => {
    expect(c.formatCardNumber(text)).toBe(grouped);
  });

  it('notices every single wrong digit', async () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 15, maxLength: 15 });
    await fc.assert(
      fc.property(digits, fc.nat({ max: 14 }), fc.integer({ min: 1, max: 9 }), (stem, place, shift) => {
        const number = [...'0123456789'].map((check) => stem + check).find(c.passesLuhn) ?? '';
        const wrong = [...number]
          .map((d, i) => (i === place ? String((Number(d) + shift) % 10) : d))
          .join('');
        expect(c.cardNumberProblem(number)).toBeNull();
        expect(c.cardNumberProblem(wrong)).toBe('checksum');
        expect(c.normaliseCardNumber(c.formatCardNumber(number))).toBe(number);
      }),
    );
  });
});

describe('expiry', () => {
  it.each(['11 / 26', '12 / 26', '01 / 27', '12 / 70', '11/2026', '11 / 2026', ' 11 / 26 '])(
    'takes %j',
    (text) => {
      expect(c.expiryProblem(text, now)).toBeNull();
    },
  );

  it.each([
    '',
    '10 / 26',
    '12 / 25',
    '00 / 30',
    '13 / 30',
    '01 / 71',
    '01/30',
    '1 / 30',
    'ab / cd',
    '01 / 1999',
  ])('refuses %j', (text) => {
    expect(c.expiryProblem(text, now)).toBe('Please provide valid date');
  });

  it.each([
    ['11', '2026', true],
    ['1', '2027', true],
    ['12', '2070', true],
    ['10', '2026', false],
    ['1', '2071', false],
    ['13', '2030', false],
    ['0', '2030', false],
    ['1', '27', false],
    ['001', '2030', false],
    ['', '2030', false],
    ['1', '', false],
    ['1e', '2030', false],
  ])('edits month %j and year %j', (month, year, isGood) => {
    expect(c.expiryFieldsProblem(month, year, now)).toBe(isGood ? null : 'Please provide valid date');
  });

  it('is good through the last day of its month', () => {
    expect(c.isExpired(11, 2026, new Date('2026-11-30T23:59:59Z'))).toBe(false);
    expect(c.isExpired(11, 2026, new Date('2026-12-01T00:00:00Z'))).toBe(true);
    expect(c.isExpired(11, 26, new Date('2026-12-01T00:00:00Z'))).toBe(true);
    expect(c.isExpired(1, 2027, new Date('2026-12-31T00:00:00Z'))).toBe(false);
  });

  it.each([
    ['03 / 27', '2027-03'],
    ['12/2070', '2070-12'],
    ['3/27', null],
    ['13 / 27', null],
    ['', null],
  ])('sends %j as %s', (text, wire) => {
    expect(c.expiryToWire(text)).toBe(wire);
  });

  it.each([
    ['1', '1'],
    ['2', '02'],
    ['12', '12'],
    ['12/', '12 / '],
    ['123', '12 / 3'],
    ['0130', '01 / 30'],
    ['1/30', '01 / 30'],
    ['01/2030', '01 / 30'],
    ['012030', '01 / 30'],
    ['01 / 30', '01 / 30'],
    ['abc', ''],
    ['', ''],
  ])('brings %j into the form %j', (text, formatted) => {
    expect(c.formatExpiry(text)).toBe(formatted);
  });
});

describe('CVC', () => {
  const [visa, amex] = ['4242 4242 4242 4242', '3782 822463 10005'];
  it.each([
    ['123', visa, null],
    ['1234', visa, 'length'],
    ['1234', amex, null],
    ['123', amex, 'length'],
    ['12', visa, 'length'],
    ['12345', amex, 'length'],
    ['123', '', null],
    ['1234', '', null],
    ['12', '', 'length'],
    ['', visa, 'required'],
    ['12a', visa, 'notDigits'],
    [' 123', visa, 'notDigits'],
  ])('%j for %j: %s', (cvc, number, problem) => {
    expect(c.cvcProblem(cvc, number)).toBe(problem);
  });
});
