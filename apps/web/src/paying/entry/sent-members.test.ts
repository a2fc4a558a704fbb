import { describe, expect, it } from 'vitest';
import { payMembers, saveMembers } from './sent-members.ts';
import { canTake } from './use-entry.ts';

const numbers = { cardNumber: '4242424242424242', expirationDate: '2031-12', cardCode: '123' };

describe('what an entry has made', () => {
  it.each([
    [{ token: 'tok_1' }, undefined, { cardToken: 'tok_1' }, { token: 'tok_1' }],
    [
      { token: 'tok_1', beside: { expiry: '2031-12' } },
      'e-1',
      { cardToken: 'tok_1', beside: { expiry: '2031-12' }, entryId: 'e-1' },
      { token: 'tok_1', beside: { expiry: '2031-12' }, entryId: 'e-1' },
    ],
    [{ entered: true } as const, 'e-1', { entryId: 'e-1' }, { entryId: 'e-1' }],
    [
      { fields: { encryptedNumber: 'abc' } },
      'e-1',
      { fields: { encryptedNumber: 'abc' }, entryId: 'e-1' },
      { fields: { encryptedNumber: 'abc' }, entryId: 'e-1' },
    ],
    [
      { numbers },
      undefined,
      { cardNumber: '4242424242424242', expirationDate: '2031-12', cardCode: '123' },
      { cardNumber: '4242424242424242', expirationDate: '2031-12', cvc: '123' },
    ],
    [
      { numbers: { ...numbers, saved: { encryptedNumber: 'abc', cvv: '123' } } },
      undefined,
      { cardNumber: '4242424242424242', expirationDate: '2031-12', cardCode: '123' },
      { encryptedNumber: 'abc', cvv: '123' },
    ],
    [
      { numbers: { account: { routingNumber: '110000000', accountNumber: '000123' } } },
      undefined,
      { routingNumber: '110000000', accountNumber: '000123' },
      { routingNumber: '110000000', accountNumber: '000123' },
    ],
  ])('%j is sent by the names of the calls', (entered, entryId, paid, saved) => {
    expect(payMembers('card', { entered, entryId })).toEqual(paid);
    expect(saveMembers({ entered, entryId })).toEqual(saved);
  });

  it('is the method’s id where an account pays', () => {
    expect(payMembers('bank', { entered: { token: 'pm_1' }, entryId: undefined })).toEqual({
      paymentMethodId: 'pm_1',
    });
  });
});

it.each([
  ['Stripe', 'providerFields', true],
  ['Other', 'ownFieldsToUs', true],
  ['Other', 'providerFrame', true],
  ['Other', 'redirect', true],
  // These need the gateway's own code.
  ['Other', 'providerFields', false],
  ['Other', 'ownFieldsToProvider', false],
  ['Other', 'ownFieldsEncrypted', false],
] as const)('%s, %s: it can be taken here: %s', (integrationType, how, is) => {
  expect(canTake({ integrationType, how })).toBe(is);
});
