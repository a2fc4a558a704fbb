import { describe, expect, it } from 'vitest';
import { acceptData, readReply } from './accept.ts';

describe('Accept.js', () => {
  const account = { apiLoginID: 'a', clientKey: 'b' };
  it('is told a card in its own parts, and of its owner what is there', () => {
    const typed = { number: '4111', expiry: '2031-05', code: '123' };
    expect(acceptData(account, 'card', typed, {})).toEqual({
      authData: account,
      cardData: { cardNumber: '4111', month: '05', year: '2031', cardCode: '123' },
    });
    expect(acceptData(account, 'bank', { accountNumber: '1' }, { name: 'x'.repeat(30) })).toMatchObject({
      bankData: { nameOnAccount: 'x'.repeat(22) },
    });
  });

  it.each([
    ['E_WC_05', { field: 'number' }],
    ['E_WC_08', { field: 'expiry' }],
    ['E_WC_15', { field: 'cvc' }],
    ['E_WC_21', { error: expect.stringContaining('isn’t configured properly') }],
    ['E_WC_14', { error: expect.stringContaining('could not be reached') }],
    ['E_WC_99', { error: 'said' }],
  ])('%s is said where it can be mended', (code, said) => {
    const reply = { messages: { resultCode: 'Error', message: [{ code, text: 'said' }] } };
    expect(readReply(reply, 'card', {})).toMatchObject(said);
  });

  it('gives a nonce, and beside it the bank that it does not take', () => {
    const reply = { opaqueData: { dataValue: 'nonce' }, messages: { resultCode: 'Ok' } };
    expect(readReply(reply, 'card', {})).toEqual({ token: 'nonce' });
    expect(readReply(reply, 'bank', { bankName: 'First' })).toEqual({
      token: 'nonce',
      beside: { bankName: 'First' },
    });
  });
});
