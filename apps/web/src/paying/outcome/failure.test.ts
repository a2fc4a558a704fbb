import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { failureMessage, isDefiniteRefusal } from './failure.ts';

describe('the message of a failure', () => {
  it('of status 400 is the message for the user [payments.public.message-400]', () => {
    expect(
      failureMessage(new ApiError(400, 'payment.fieldMissing', 'Please fill in all required fields')),
    ).toBe('Please fill in all required fields');
  });
  it('of any other status but 500 comes from the body [payments.public.message-not-500]', () => {
    expect(failureMessage(new ApiError(410, 'payLink.expired', 'This payment link has expired'))).toBe(
      'This payment link has expired',
    );
  });
  it('of 500 is the message of the response [payments.public.message-response]', () => {
    expect(failureMessage(new ApiError(500, 'server.fault', 'Internal Server Error'))).toBe(
      'Internal Server Error',
    );
  });
  it('is the default when there is none [payments.public.error.message-default]', () => {
    for (const error of [
      new ApiError(400, 'request.invalid', ' '),
      new ApiError(500, 'server.fault', ''),
      new Error('x'),
      7,
    ])
      expect(failureMessage(error)).toBe('Oops, something went wrong');
  });
});

describe('a definite refusal', () => {
  it.each([
    [400, true],
    [409, true],
    [429, true],
    [408, false],
    [0, false],
    [500, false],
    [503, false],
  ])('status %i: %s', (status, expected) => {
    expect(isDefiniteRefusal(new ApiError(status, 'request.invalid', ''))).toBe(expected);
  });

  it('is that payments are paused: it is said before anything is asked of the gateway', () => {
    expect(isDefiniteRefusal(new ApiError(503, 'payments.paused', ''))).toBe(true);
  });
});
