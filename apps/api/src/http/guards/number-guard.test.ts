import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holdsAccountNumber,
  holdsCardNumber,
  holdsIban,
  refuseCardNumbers,
  refuseNumbers,
} from './number-guard.ts';

const PAN = '4242424242424242';
const GROUPED = '4242 4242 4242 4242';

describe('what reads like a card number', () => {
  it.each([PAN, GROUPED, '4242-4242-4242-4242', `x${PAN}y`, '378282246310005', '6200000000000005'])(
    '%s',
    (text) => {
      expect(holdsCardNumber(text)).toBe(true);
    },
  );
  it('tokens, numbers of customers, telephones and other digits do not', () => {
    for (const text of ['tok_visa', 'tok_1Mabc4242424242', '4242424242424241', '+61 2 9374 4000', '20180140'])
      expect(holdsCardNumber(text)).toBe(false);
    fc.assert(fc.property(fc.stringMatching(/^tok_[A-Za-z]{24}$/), (token) => !holdsCardNumber(token)));
  });
});

describe('what reads like an account number', () => {
  it.each([
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'gb82west12345698765432',
    '(AT611904300234573201)',
    'my account is NL91 ABNA 0417 1643 00 please',
  ])('the IBAN %s', (text) => {
    expect(holdsIban(text)).toBe(true);
  });
  it('not with a wrong check digit, nor tokens and names', () => {
    const tokens = ['pm_1Mabc4242424242424242', 'pm_Hc079B97Dx7wcPCbS02wZ6Ed'];
    for (const text of ['DE88370400440532013000', ...tokens, 'Jo Fox', 'PO Box 4242 4242'])
      expect(holdsIban(text), text).toBe(false);
    fc.assert(fc.property(fc.stringMatching(/^(tok|pm)_[A-Za-z0-9]{24}$/), (token) => !holdsIban(token)));
    // With their remainder of 1 these two read like IBANs where no country's length is known.
    for (const address of ['ec39b805 Test Street', 'AB12 Green Lane'])
      expect(holdsIban(address), address).toBe(false);
    const street = fc.stringMatching(/^[A-Z]{2}\d{2}( [A-Z][a-z]{2,8}){2,3}$/);
    fc.assert(
      fc.property(street, (address) => !holdsIban(address)),
      { numRuns: 2_000 },
    );
  });
  it.each([
    ['Jo 000123456789', true],
    ['Jo 000-123 456', true],
    ['Jo Fox the 3rd', false],
    ['Studio 54', false],
  ])('in the name %s', (name, expected) => {
    expect(holdsAccountNumber(name)).toBe(expected);
  });
});

describe('refusing', () => {
  const refused = (run: () => void): unknown => {
    try {
      run();
      return undefined;
    } catch (error) {
      return (error as { fields?: unknown }).fields;
    }
  };
  it('names the member at any depth, and never its content', () => {
    expect(refused(() => refuseCardNumbers({ a: { b: PAN } }))).toEqual([
      { path: 'a.b', message: 'holds a card number' },
    ]);
    expect(refused(() => refuseNumbers({ name: '000123456789' }, ['name']))).toEqual([
      { path: 'name', message: 'holds an account number' },
    ]);
    expect(refused(() => refuseNumbers({ phone: '000123456789' }, ['name']))).toBeUndefined();
  });
  it('lets our ids pass, whatever their digits read like', () => {
    const id = '42424242-4242-7242-8111-111111111111';
    expect(holdsCardNumber('x 4242-4242-4242-4242')).toBe(true);
    fc.assert(fc.property(fc.uuid(), (uuid) => refused(() => refuseCardNumbers({ id: uuid })) === undefined));
    expect(refused(() => refuseCardNumbers({ id }))).toBeUndefined();
    const key = 'bb4242424242424242f68a4f4a0acc1c';
    expect(holdsCardNumber(key)).toBe(true);
    expect(refused(() => refuseCardNumbers({ 'idempotency-key': key }))).toBeUndefined();
    expect(refused(() => refuseCardNumbers({ cardHolder: key }))).toBeDefined();
    expect(refused(() => refuseCardNumbers({ 'idempotency-key': PAN }))).toBeDefined();
    const link = 'DE89370400440532013000';
    expect(refused(() => refuseCardNumbers({ uid: link, reqUid: link }))).toBeUndefined();
    expect(refused(() => refuseCardNumbers({ name: link }))).toBeDefined();
  });
  it('finds one that is no text, and one that is filled up to the length of a ciphertext', () => {
    expect(refused(() => refuseCardNumbers({ type: Number(PAN) }))).toBeDefined();
    for (const filled of [
      `${'x'.repeat(128)}-${PAN}`,
      `${'ab12'.repeat(40)}.${PAN}`,
      `${PAN}${'0'.repeat(120)}`.replace('0', 'x'),
    ])
      expect(
        refused(() => refuseCardNumbers({ token: filled })),
        filled,
      ).toBeDefined();
  });
  it('lets what was encrypted pass, whatever its letters and digits read like', () => {
    const bytes = fc
      .uint8Array({ minLength: 128, maxLength: 256, size: 'max' })
      .filter((one) => new Set(one).size > 60);
    const held = 'DE89370400440532013000';
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      fc.assert(
        fc.property(bytes, (one) => {
          const text = Buffer.from(one).toString(encoding);
          const withIban = `${text.slice(0, 70)}/${held}/${text.slice(70)}`;
          return [text, withIban].every(
            (fields) => refused(() => refuseCardNumbers({ fields })) === undefined,
          );
        }),
      );
  });
});
