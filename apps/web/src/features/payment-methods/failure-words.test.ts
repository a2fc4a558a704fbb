import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { cardFailure, defaultFailure } from './failure-words.ts';

const of = (status: number, message: string) => new ApiError(status, 'server.fault', message);
const expired = 'Your credit card has expired. Please add a new one and try again';

describe('a card that is not added', () => {
  it.each([
    [of(402, 'Your card has insufficient funds'), 'Your card has insufficient funds'],
    [of(409, 'This kind of payment method is not offered'), 'This kind of payment method is not offered'],
    [of(500, 'Our server returned error, try again later'), 'Your card was declined'],
    [of(503, ''), 'Our server returned error, try again later'],
    [new Error('broken'), 'Our server returned error, try again later'],
  ])(
    'is refused with the words for %s [payments.methods.error.add-other, payments.methods.error.add-500]',
    (error, words) => {
      expect(cardFailure(error)).toBe(words);
    },
  );
});

describe('a default that is not changed', () => {
  it.each([
    [of(409, 'Error: The credit card has expired (code 8)'), expired],
    [of(409, expired), expired],
    [
      of(409, 'This payment method cannot be used for payments yet'),
      'This payment method cannot be used for payments yet',
    ],
    [of(500, ''), 'Oops, something went wrong'],
  ])(
    'shows the message of %s [payments.methods.error.default-failure, payments.methods.error.default-expired]',
    (error, words) => {
      expect(defaultFailure(error)).toBe(words);
    },
  );
});
