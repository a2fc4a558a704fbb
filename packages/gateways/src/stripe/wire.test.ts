import { currencyCodes } from '@counterfoil/domain/money/currency.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { aud, intentOf, paidIntent } from './test-support.ts';
import {
  chargeRequest,
  fromWireAmount,
  isIdle,
  lookupFromIntent,
  outcomeFromFault,
  readIntent,
  type StripeFault,
  toWireAmount,
} from './wire.ts';
import { declineOf } from './wire-decline.ts';

const charge = testCharge();
const found = (over: Record<string, unknown>) => {
  const intent = readIntent(intentOf(charge, over));
  if (intent === undefined) throw new Error('the test reply is not an intent');
  return lookupFromIntent(intent, { paymentMethod: 'pm_B2' });
};
const state = { paymentMethod: 'pm_B2', intent: 'pi_C3' };
const redirect = {
  type: 'redirect_to_url',
  redirect_to_url: { url: 'https://hooks.stripe.com/x', return_url: '' },
};

describe('a payment intent as an outcome', () => {
  const bank = { payment_method_types: ['au_becs_debit'] };
  const attempted = { status: 'requires_payment_method' };
  const action = { do: 'redirect', to: 'https://hooks.stripe.com/x' };
  const script = { type: 'redirect_to_url', redirect_to_url: { url: 'javascript:alert(1)' } };
  const failed = 'payment_intent_authentication_failure';
  const rowsOf = (...all: readonly (readonly [what: string, over: object, expected: object])[]) => all;

  it.each(
    rowsOf(
      // What was received, not what was asked for.
      [
        'succeeded',
        { status: 'succeeded', amount_received: 12_000 },
        { is: 'succeeded', remote: 'pi_C3', captured: aud(12_000n), state },
      ],
      ['succeeded with nothing', { status: 'succeeded', amount_received: 0 }, { is: 'unknown', state }],
      ['succeeded with null', { status: 'succeeded', amount_received: null }, { is: 'unknown' }],
      ['succeeded, untold', { status: 'succeeded', amount_received: undefined }, { is: 'unknown' }],
      [
        'succeeded in a currency nobody knows',
        { status: 'succeeded', amount_received: 1, currency: 'zzz' },
        { is: 'unknown' },
      ],
      ['a debit on its way', { ...bank, status: 'processing' }, { is: 'pending', because: 'bank' }],
      ['a card on its way', { status: 'processing' }, { is: 'pending', because: 'gateway' }],
      [
        'a redirect',
        { status: 'requires_action', next_action: redirect },
        { is: 'requiresAction', action, remote: 'pi_C3', state },
      ],
      ['no redirect', { status: 'requires_action', next_action: null }, { is: 'unknown' }],
      [
        'Stripe.js',
        { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } },
        { is: 'unknown' },
      ],
      ['a script', { status: 'requires_action', next_action: script }, { is: 'unknown' }],
      [
        'an attempt that failed',
        { ...attempted, last_payment_error: { type: 'card_error', code: failed } },
        { is: 'declined', why: { class: 'otherMethod', code: failed }, remote: 'pi_C3' },
      ],
      // The bank's own reason.
      [
        'a debit that failed later',
        {
          ...attempted,
          ...bank,
          last_payment_error: { code: 'payment_intent_payment_attempt_failed' },
          latest_charge: { id: 'py_1', failure_code: 'account_closed' },
        },
        { is: 'declined', why: { code: 'account_closed', final: true } },
      ],
      ['never attempted', attempted, { is: 'unknown', state }],
      ['not confirmed', { status: 'requires_confirmation' }, { is: 'unknown', state }],
      ['only held', { status: 'requires_capture' }, { is: 'unknown', state }],
      ['of a new status', { status: 'brand_new_status' }, { is: 'unknown', state }],
      ['canceled', { status: 'canceled' }, { is: 'closed' }],
      ['canceled, yet paid', { status: 'canceled', amount_received: 5 }, { is: 'unknown' }],
    ),
  )('%s', (_what, over, expected) => {
    expect(found({ ...over })).toMatchObject(expected);
  });

  it.each([
    [{ status: 'requires_confirmation' }, true],
    [attempted, true],
    [{ ...attempted, last_payment_error: { code: 'x' } }, false],
    [{ status: 'requires_action' }, false],
  ])('tells open intents that nobody works on: %j', (over, isOpen) => {
    expect(isIdle(readIntent(intentOf(charge, over)) as never)).toBe(isOpen);
  });

  it.each([null, undefined, '', [], {}, { object: 'list' }, { ...paidIntent(charge), id: 'ch_1' }])(
    'is not read from %j',
    (value) => {
      expect(readIntent(value)).toBeUndefined();
    },
  );
});

const fault = (over: Partial<StripeFault>): StripeFault => ({
  status: 400,
  reach: 'sent',
  isCut: false,
  type: 'invalid_request_error',
  code: '',
  declineCode: '',
  adviceCode: '',
  param: '',
  detail: 'what Stripe said',
  replayed: false,
  mayHaveRun: false,
  paymentIntent: undefined,
  setupIntent: undefined,
  ...over,
});

describe('an error as an outcome', () => {
  const declinedIntent = intentOf(charge, { status: 'requires_payment_method' });
  it.each<[string, Partial<StripeFault>, Record<string, unknown>]>([
    ['nothing was sent', { status: undefined, reach: 'notSent' }, { is: 'notAttempted', why: 'unreachable' }],
    ['no answer', { status: undefined }, { is: 'unknown' }],
    ['400', { code: 'parameter_missing' }, { is: 'notAttempted', why: 'invalid' }],
    [
      'amount_too_small',
      { code: 'amount_too_small' },
      { is: 'declined', why: { code: 'amount_too_small', final: true } },
    ],
    ['404', { status: 404, code: 'resource_missing' }, { is: 'notAttempted', why: 'invalid' }],
    ['401', { status: 401 }, { is: 'notAttempted', why: 'config' }],
    ['403', { status: 403 }, { is: 'notAttempted', why: 'config' }],
    ['raw card numbers', { status: 402 }, { is: 'notAttempted', why: 'config' }],
    ['a key used for something else', { type: 'idempotency_error' }, { is: 'unknown' }],
    ['409', { status: 409, code: 'idempotency_key_in_use' }, { is: 'unknown' }],
    ['429', { status: 429, code: 'rate_limit' }, { is: 'unknown' }],
    ['500', { status: 500, type: 'api_error' }, { is: 'unknown' }],
    ['503', { status: 503, type: 'api_error' }, { is: 'unknown' }],
    ['a redirect', { status: 302 }, { is: 'unknown' }],
    [
      'a decline with its intent',
      { status: 402, type: 'card_error', declineCode: 'lost_card', paymentIntent: declinedIntent },
      { is: 'declined', remote: 'pi_C3', why: { text: 'Your card was declined', final: true } },
    ],
    [
      'a missing mandate leaves an intent that took nothing',
      { paymentIntent: intentOf(charge, { status: 'requires_confirmation' }) },
      { is: 'notAttempted', why: 'invalid' },
    ],
    [
      'an error that names an intent which may have taken money',
      { paymentIntent: intentOf(charge, { status: 'processing' }) },
      { is: 'unknown', state: { intent: 'pi_C3' } },
    ],
  ])('%s', (_name, over, expected) => {
    expect(outcomeFromFault(fault(over), {}, false)).toMatchObject(expected);
  });

  it('a saved method that is gone is told from a faulty request', () => {
    const gone = fault({ code: 'resource_missing', param: 'payment_method' });
    expect(outcomeFromFault(gone, {}, true)).toMatchObject({ is: 'notAttempted', why: 'methodGone' });
    expect(outcomeFromFault(gone, {}, false)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
  });
});

describe('a charge as a request', () => {
  const parts = { wireAmount: 12_550, paymentMethod: 'pm_B2', type: 'card', customer: undefined };

  it('carries reference, session, customer and invoices, and allows the one type', () => {
    expect(chargeRequest(charge, parts)).toEqual({
      amount: 12_550,
      currency: 'aud',
      payment_method: 'pm_B2',
      confirm: true,
      return_url: charge.returnTo,
      description: 'Invoices 1001 and 1002',
      metadata: {
        attemptId: charge.ref,
        reqUid: charge.labels.session,
        customerId: charge.labels.customer,
        invoices: '1001,1002',
      },
      allowed_payment_method_types: ['card'],
    });
  });

  it('of a merchant is off session and goes nowhere', () => {
    const body = chargeRequest({ ...charge, initiator: 'merchant' }, { ...parts, customer: 'cus_A1' });
    expect(body).toMatchObject({ off_session: true, customer: 'cus_A1' });
    expect(body).not.toHaveProperty('return_url');
  });

  it('is the same for the same charge, and cuts what Stripe would refuse', () => {
    const long = { ...charge, labels: { ...charge.labels, invoice: '9'.repeat(900) } };
    expect(JSON.stringify(chargeRequest(long, parts))).toBe(
      JSON.stringify(chargeRequest({ ...long }, parts)),
    );
    expect(chargeRequest(long, parts).metadata).toMatchObject({ invoices: '9'.repeat(500) });
  });
});

describe('amounts', () => {
  it.each([
    [1_999n, 'USD', 1_999],
    [1_000n, 'JPY', 1_000],
    [12_550n, 'AUD', 12_550],
    [5n, 'ISK', 500],
    [7n, 'UGX', 700],
    [300n, 'MGA', 3],
    [1_230n, 'KWD', 1_230],
    [9_007_199_254_740_991n, 'EUR', 9_007_199_254_740_991],
  ])('%s minor units of %s are sent as %s [decisions.3.money-gateway]', (minor, currency, value) => {
    expect(toWireAmount(money(minor, currency))).toEqual({ is: 'amount', value });
    expect(fromWireAmount(value, currency.toLowerCase())).toEqual(money(minor, currency));
  });

  it.each([
    [0n, 'USD'],
    [-5n, 'USD'],
    [1_234n, 'KWD'],
    [150n, 'MGA'],
    [9_007_199_254_740_992n, 'EUR'],
  ])('%s of %s cannot be sent', (minor, currency) => {
    expect(toWireAmount(money(minor, currency)).is).toBe('refused');
  });

  it.each([
    [50, 'isk'],
    [1.5, 'usd'],
    [Number.MAX_SAFE_INTEGER + 1, 'usd'],
    [1, 'xyz'],
    [1, ''],
  ])('%s of %s is not read', (value, currency) => {
    expect(fromWireAmount(value, currency)).toBeUndefined();
  });

  it('comes back as it went, in every currency [decisions.3.money-gateway]', async () => {
    await fc.assert(
      fc.property(fc.bigInt(1n, 99_999_999n), fc.constantFrom(...currencyCodes), (minor, currency) => {
        const amount = money(minor, currency);
        const wire = toWireAmount(amount);
        if (wire.is === 'amount') expect(fromWireAmount(wire.value, currency.toLowerCase())).toEqual(amount);
      }),
    );
  });
});

const of = (code: string, declineCode = '', adviceCode = '') => declineOf({ code, declineCode, adviceCode });

/** Those of the test cards are read in the cases. */
describe('declines', () => {
  it.each([
    ['card_declined', 'generic_decline', '', 'otherMethod', 'Your card was declined'],
    ['incorrect_number', '', '', 'fixInput', 'Please check the card number'],
    ['expired_card', '', '', 'fixInput', 'Your credit card has expired. Please add a new one and try again'],
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
