import { describe, expect, it } from 'vitest';
import { declineOf } from './wire-decline.ts';

const of = (code: string, declineCode = '', adviceCode = '') => declineOf({ code, declineCode, adviceCode });

describe('declines', () => {
  it.each([
    ['card_declined', 'generic_decline', '', 'otherMethod', 'Your card was declined'],
    ['card_declined', 'generic_decline', 'try_again_later', 'retryLater', 'Your card was declined'],
    ['card_declined', 'insufficient_funds', 'try_again_later', 'retryLater', 'Not enough funds on this card'],
    [
      'card_declined',
      'card_velocity_exceeded',
      '',
      'otherMethod',
      'Card limit reached, please use another method',
    ],
    ['incorrect_cvc', 'incorrect_cvc', 'confirm_card_data', 'fixInput', 'Please check the security code'],
    [
      'processing_error',
      'processing_error',
      'try_again_later',
      'retryLater',
      'Please try again in a few minutes',
    ],
    ['incorrect_number', '', '', 'fixInput', 'Please check the card number'],
    [
      'expired_card',
      'expired_card',
      'confirm_card_data',
      'fixInput',
      'Your credit card has expired. Please add a new one and try again',
    ],
    [
      'authentication_required',
      'authentication_required',
      'try_again_later',
      'authenticate',
      'Your bank asks you to confirm this payment yourself',
    ],
  ])('%s / %s, advised %s: %s', (code, declineCode, adviceCode, kind, text) => {
    const decline = of(code, declineCode, adviceCode);
    expect(decline).toMatchObject({ class: kind, text, code: declineCode || code });
    expect(decline.final).toBeUndefined();
  });

  it.each(['lost_card', 'stolen_card', 'pickup_card', 'fraudulent'])(
    '%s reads like any other decline, and is never tried again',
    (declineCode) => {
      const decline = of('card_declined', declineCode, 'do_not_try_again');
      expect(decline).toEqual({
        class: 'otherMethod',
        code: declineCode,
        text: 'Your card was declined',
        final: true,
      });
    },
  );

  it('an unknown code is a decline in general words', () => {
    expect(of('card_declined', 'something_new')).toMatchObject({ text: 'Your card was declined' });
    expect(of('', '')).toMatchObject({ code: 'declined', text: 'Your card was declined' });
    expect(of('constructor', 'toString', 'valueOf')).toMatchObject({ class: 'otherMethod' });
  });

  it('a debit is not called a card', () => {
    const returned = (failureCode: string) =>
      declineOf({
        code: 'payment_intent_payment_attempt_failed',
        declineCode: '',
        adviceCode: '',
        failureCode,
        isBank: true,
      });
    expect(returned('insufficient_funds').text).toBe('Not enough funds on this account');
    expect(returned('debit_not_authorized')).toMatchObject({ class: 'otherMethod', final: true });
    expect(returned('never_heard_of').text).toContain('Your bank refused this debit');
  });
});
