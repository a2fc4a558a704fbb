import { describe, expect, it } from 'vitest';
import {
  expiresSoon,
  expiryText,
  methodName,
  methodTitle,
  networkMark,
  networkName,
  routingText,
} from './method-words.ts';
import { accountOf, cardOf } from './test-support.ts';

describe('a card is called', () => {
  it.each([
    ['visa', 'Visa', 'VISA'],
    ['MasterCard', 'Mastercard', 'MC'],
    ['American Express', 'American Express', 'AMEX'],
    ['amex', 'American Express', 'AMEX'],
    ['somewhere', 'Somewhere', undefined],
    [null, 'Card', undefined],
  ])('by its network %s: %s', (brand, name, mark) => {
    expect([networkName(brand), networkMark(brand)]).toEqual([name, mark]);
  });

  it.each([
    ['4242', 'Visa ending 4242'],
    ['42', 'Visa ending 42'],
    ['424', 'Visa ending 424'],
    [null, 'Visa'],
  ])('with the last digits as the gateway gives them: %s [decisions.4.last4-as-given]', (last4, title) => {
    expect(methodTitle(cardOf({ last4 }))).toBe(title);
  });

  it.each([
    [8, 2028, '08 / 2028'],
    [12, 31, '12 / 2031'],
    [null, null, undefined],
  ])(
    'with an expiry of four digits: %s %s [payments.source.constant.short-years]',
    (expMonth, expYear, text) => {
      expect(expiryText({ expMonth, expYear })).toBe(text);
    },
  );
});

describe('a card expires soon', () => {
  const now = new Date('2026-12-31T23:59:59Z');
  it.each([
    [12, 2026, true],
    [1, 2027, true],
    [1, 27, true],
    [2, 2027, false],
    [12, 2027, false],
    [null, null, false],
  ])('until the end of the next month: %s %s', (expMonth, expYear, isSoon) => {
    expect(expiresSoon({ expMonth, expYear, isExpired: false }, now)).toBe(isSoon);
  });
  it('not when it has expired', () => {
    expect(expiresSoon({ expMonth: 11, expYear: 2026, isExpired: true }, now)).toBe(false);
  });
});

describe('a bank account is called', () => {
  it.each([
    [{ aubecsDebit: { bsbNumber: '062000', last4: '3456' } }, 'BSB 062-000'],
    [{ bacsDebit: { sort_code: '108800', last4: '2345' } }, 'Sort code 10-88-00'],
    [{ sepaDebit: { bank_code: '37040044', last4: '3000', country: 'DE' } }, 'Bank code 37040044'],
    [{ usbankAccount: { routing_number: '110000000', last4: '6789' } }, 'Routing number 110000000'],
    [{}, undefined],
  ])('by its bank: %o', (object, routing) => {
    expect(routingText(accountOf(object))).toBe(routing);
  });

  it('with what there is, in full and in a sentence', () => {
    const known = accountOf({ aubecsDebit: { bsbNumber: '062000' } });
    expect([methodTitle(known), methodName(known)]).toEqual([
      'BSB 062-000, account ending 3456',
      'account ending 3456',
    ]);
    expect(methodTitle(accountOf())).toBe('Account ending 3456');
    expect(methodTitle(accountOf({ brand: 'Test Bank' }))).toBe('Test Bank, account ending 3456');
    expect(methodTitle(accountOf({ last4: null }))).toBe('Account');
  });
});
