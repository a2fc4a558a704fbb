import { beforeEach, describe, expect, it } from 'vitest';
import { installTranslations } from './catalogue.ts';
import {
  formatDay,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPrice,
  plainMoney,
  setBrandCurrency,
} from './format.ts';

beforeEach(() => {
  installTranslations({}, 'en-US');
  setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' });
});

describe('money', () => {
  it('has two decimals and the brand’s symbol [portal.format.constant.money-decimals, decisions.5.currency-shown]', () => {
    expect(formatMoney(1284.16)).toBe('$1,284.16');
    expect(formatMoney(0)).toBe('$0.00');
    expect(formatMoney(-89.9, { currency: 'USD' })).toBe('−$89.90');
  });
  it('carries its code in another currency [decisions.5.currency-shown]', () => {
    expect(formatMoney('1.235', { currency: 'KWD' })).toBe('KWD\u00a01.235');
    expect(formatMoney(1039, { currency: 'EUR' })).toBe('EUR\u00a01,039.00');
    expect(formatMoney(-1, { currency: 'EUR' })).toBe('−EUR\u00a01.00');
  });
  it.each([
    ['JPY', '1200', 'JPY\u00a01,200.00', 'JPY\u00a01,200'],
    ['KWD', '1.23', 'KWD\u00a01.23', 'KWD\u00a01.230'],
    ['USD', '1200', '$1,200.00', '$1,200.00'],
  ])(
    'has two decimals in %s, or those of the currency where the brand says so [decisions.10.money-digits]',
    (currency, amount, two, own) => {
      expect(formatMoney(amount, { currency })).toBe(two);
      setBrandCurrency({ code: 'USD', symbol: '$', digits: 'currency' });
      expect(formatMoney(amount, { currency })).toBe(own);
      expect(plainMoney(amount, currency)).toBe(own.replace(/[^\d.]/g, ''));
      expect(formatPrice(1.5, currency)).toMatch(/1\.5000$/);
    },
  );
  it('shows a decimal text digit for digit, however large', () => {
    expect(formatMoney('90071992547409931.05')).toBe('$90,071,992,547,409,931.05');
  });
  it('groups as the reader is used to', () => {
    installTranslations({}, 'de-DE');
    expect(formatMoney(1284.16)).toBe('$1.284,16');
  });
  it('rounds half away from zero [decisions.5.rounding]', () => {
    expect([formatMoney('1.005'), formatMoney('-1.005')]).toEqual(['$1.01', '−$1.01']);
  });
  it('has four decimals as a usage price', () => {
    expect(formatPrice(0.1234)).toBe('$0.1234');
    expect(formatPrice(2, 'EUR')).toBe('EUR\u00a02.0000');
  });
});

describe('other figures', () => {
  it('shows days as MM.DD.YYYY whatever the locale [portal.format.constant.date]', () => {
    installTranslations({}, 'de-DE');
    expect([formatDay('2026-12-05'), formatDay('2026-12-05T10:00:00Z')]).toEqual([
      '12.05.2026',
      '12.05.2026',
    ]);
    expect([formatDay(null), formatDay(undefined), formatDay('soon')]).toEqual(['-', '-', '-']);
  });
  it('names months in the reader’s language', () => {
    expect(formatMonth(2026, 3)).toBe('March 2026');
    installTranslations({}, 'de-DE');
    expect(formatMonth(2026, 3)).toBe('März 2026');
  });
  it('keeps the digits a quantity has [decisions.5.digits-screen]', () => {
    expect([formatNumber(12), formatNumber('1234.5678')]).toEqual(['12', '1,234.5678']);
    expect(formatNumber('0.123456')).toBe('0.1235');
  });
});
