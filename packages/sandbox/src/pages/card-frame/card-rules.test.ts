import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brandOf,
  formatExpiry,
  formatNumber,
  passesLuhn,
  stateOfExpiry,
  stateOfNumber,
} from './card-rules.ts';

describe('the card form', () => {
  it('changes exactly one digit of a card: the check digit no longer holds', () => {
    fc.assert(
      fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digits = [...'4242424242424242'];
        digits[at] = String((Number(digits[at]) + by) % 10);
        expect(passesLuhn(digits.join(''))).toBe(false);
      }),
    );
  });

  it('formatting keeps the digits and is stable', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,16}$/), (digits) => {
        const shown = formatNumber(digits);
        expect(digits.startsWith(shown.replaceAll(' ', ''))).toBe(true);
        expect(formatNumber(shown)).toBe(shown);
      }),
    );
  });

  it.each([
    ['4242424242424242', 'visa', '4242 4242 4242 4242'],
    ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
    ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
    ['378282246310005', 'amex', '3782 822463 10005'],
    ['6011111111111117', 'discover', '6011 1111 1111 1117'],
    ['36227206271667', 'diners', '3622 720627 1667'],
    ['3056930009020004', 'diners', '3056 9300 0902 0004'],
    ['3566002020360505', 'jcb', '3566 0020 2036 0505'],
    ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
  ])('knows %s as %s', (number, brand, shown) => {
    expect(brandOf(number).name).toBe(brand);
    expect(formatNumber(number)).toBe(shown);
    expect(stateOfNumber(number)).toEqual({ empty: false, complete: true });
  });

  it.each([
    ['5', '05 / '],
    ['12', '12 / '],
    ['1234', '12 / 34'],
    ['12/2034', '12 / 34'],
    ['1/', '01 / '],
    ['1/34', '01 / 34'],
  ])('formats the expiry %s as %s', (typed, shown) => {
    expect(formatExpiry(typed)).toBe(shown);
  });

  it('refuses past months, past years and month 13', () => {
    const now = new Date(2026, 10, 21);
    expect(stateOfExpiry('11 / 26', now).complete).toBe(true);
    expect(stateOfExpiry('10 / 26', now).error?.code).toBe('invalid_expiry_month_past');
    expect(stateOfExpiry('12 / 25', now).error?.code).toBe('invalid_expiry_year_past');
    expect(stateOfExpiry('13', now).error?.code).toBe('invalid_expiry_month');
  });
});
