/** The translation alone: answers of the API, and deliveries. */
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { newGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { errorsOf } from './card-token.ts';
import { casesData } from './cases-data.ts';
import type { PinchSettings } from './manifest.ts';
import { expiryMonth } from './saved-methods.ts';
import { eventReply, eventsOf, readDelivery, withLowerNames } from './webhook.ts';
import {
  declineOf,
  dishonourCode,
  foundPayment,
  inBrief,
  outcomeOf,
  type PaymentReply,
  paymentReply,
  readSent,
  refundOutcome,
  refundReply,
} from './wire.ts';

const settings = casesData.sandbox.settings as PinchSettings;

describe('a payment that is answered', () => {
  const payment = (over: Partial<PaymentReply>): PaymentReply => ({
    id: 'pmt_1',
    amount: 12_550,
    status: 'approved',
    ...over,
  });
  const charge = testCharge();

  it.each([
    ['approved', 'succeeded', 'succeeded'],
    ['settled', 'succeeded', 'succeeded'],
    ['transferred', 'succeeded', 'succeeded'],
    ['cleared-settlements-disabled', 'succeeded', 'succeeded'],
    ['cleared-pending-dispute', 'succeeded', 'succeeded'],
    ['scheduled', 'pending', 'pending'],
    ['processing', 'pending', 'pending'],
    ['pending-action', 'pending', 'pending'],
    ['dishonoured', 'declined', 'declined'],
    ['cancelled', 'declined', 'declined'],
    ['returned-without-settlement', 'unknown', 'closed'],
    ['never seen before', 'unknown', 'unknown'],
  ])('%s is %s, looked up %s', (status, outcome, found) => {
    expect(outcomeOf(payment({ status }), charge, {}).is).toBe(outcome);
    expect(foundPayment(payment({ status }), charge, {}).is).toBe(found);
  });

  it.each([
    [{ attempts: [{ dishonour: null }, { dishonour: { type: 'a' } }], dishonourType: 'b' }, 'a'],
    [{ attempts: [], dishonourType: 'b', dishonour: { type: 'c' } }, 'b'],
    [{ dishonour: { type: 'c' } }, 'c'],
    [{}, ''],
  ])('15: tells why it was dishonoured: %j', (over, code) => {
    expect(dishonourCode(payment(over))).toBe(code);
  });

  it('16: forbids a retry by a code that nobody documented', () => {
    expect(declineOf('stolen')).toEqual({
      class: 'otherMethod',
      code: 'stolen',
      text: 'Your card was declined',
      final: true,
    });
  });

  const wrapped = { isNonceReplay: true, nonce: 'n', data: payment({ status: 'dishonoured' }) };
  it.each([
    ['a replay', 403, wrapped, 'found'],
    ['the bare payment under 403', 403, payment({}), 'found'],
    ['a replay under 200', 200, wrapped, 'found'],
    ['2xx without a payment', 201, {}, 'unclear'],
    ['4xx with reasons', 400, [{ propertyName: 'Amount', errorMessage: 'No.' }], 'refused'],
    ['4xx without', 400, undefined, 'unclear'],
    ['a replay of nothing', 403, { isNonceReplay: true, data: null }, 'unclear'],
  ])('17: is read by its body and not by its status: %s', (_what, status, body, is) => {
    expect(readSent({ status, body }, refundReply).is).toBe(is);
  });

  it.each([
    ['a list', [{ propertyName: 'CardNumber', errorMessage: 'Bad.', severity: 0 }]],
    [
      'one of a wrapper',
      { errorMessages: [{ propertyName: 'cardNumber', errorMessage: 'Bad.' }], successful: false },
    ],
    ['the documented form', { errors: [{ message: 'Bad.', field: 'cardNumber' }] }],
    [
      'that of newer calls',
      { errors: [{ errorMessage: 'Bad.', propertyName: 'CardNumber' }], inlineErrors: {} },
    ],
  ])('has its reasons in one of three forms: %s', (_what, body) => {
    expect(errorsOf(body)).toEqual([{ message: 'Bad.', property: 'cardNumber' }]);
  });

  it('has none in an empty body, a text or a page', () => {
    for (const body of [undefined, null, '', 'Bad.', {}, [], [null], { errors: 'Bad.' }])
      expect(errorsOf(body)).toEqual([]);
  });

  it.each([
    ['2029-09-01T00:00:00Z', '2029-09'],
    ['2029-09-01T00:00:00', '2029-09'],
    ['2029-08-31T14:00:00Z', '2029-09'],
    ['soon', undefined],
    [null, undefined],
  ])('a card valid until %s is shown as %s', (date, month) => {
    expect(expiryMonth(date)).toBe(month);
  });
});

describe('deliveries', () => {
  const secret = 'whsec_example0123456789';
  const at = 1_768_446_245;
  const body =
    '{"Id":"evt_Ab12Cd34Ef56Gh","Type":"realtime-payment","EventDate":"2026-01-15T03:04:05Z","Metadata":{"status":"approved","amount":4250},"Data":{}}';
  const signature = '0dc785f398ac9cc9b6d2f38c07f5ce268334ffd12af599e437e6b039b4f39996';
  it('24: one that is signed as the provider’s own example is taken', () => {
    const headers = new Headers({ 'pinch-signature': `t=${at},v2=${signature}` });
    const read = readDelivery([secret], Buffer.from(body), headers, new Date(at * 1_000));
    expect(read).toEqual({ is: 'accepted', trust: 'signed', events: [] });
  });

  it('25, 26: the same event in either casing is the same, by its own id', () => {
    const ref = newGatewayRef();
    const [delivery] = casesData.sign?.(settings, ref, new Date()) ?? [];
    const camel =
      delivery && readDelivery(settings.webhookSecrets, delivery.raw, delivery.headers, new Date());
    expect(camel).toMatchObject({
      is: 'accepted',
      events: [{ id: `evt_${ref}`, about: 'charge', remote: `pmt_${ref}`, ref }],
    });
    const payment = { Id: `pmt_${ref}`, Metadata: ref, Status: 'approved' };
    const pascal = { Id: `evt_${ref}`, Type: 'realtime-payment', Data: { Payment: payment } };
    expect(eventsOf(eventReply.parse(withLowerNames(pascal)))).toEqual(
      camel?.is === 'accepted' && camel.events,
    );
  });
});

const said = (propertyName: string, errorMessage = 'No.') => [{ propertyName, errorMessage }];
const inCurrency = (currency: string | null) => ({
  id: 'pmt_1',
  amount: 12_550,
  status: 'approved',
  currency,
});

describe('a refusal of a request that charges', () => {
  it.each([
    ['a conflict', 409, said('')],
    ['too slow', 408, said('')],
    ['too early', 425, said('')],
    ['too many', 429, said('')],
    ['one of a nonce, whose first request may still run', 400, said('Nonce')],
    ['one of a nonce among others', 400, [...said('Amount'), ...said('Nonce')]],
    ['a fault of the service with reasons', 500, said('SourceId')],
  ])('proves nothing: %s', (_what, status, body) => {
    expect(readSent({ status, body }, paymentReply).is).toBe('unclear');
  });

  it('proves that nothing was taken where the request is at fault', () => {
    expect(readSent({ status: 400, body: said('SourceId') }, paymentReply)).toMatchObject({
      is: 'refused',
    });
  });

  it('stands in no log with the address of a person', () => {
    const brief = inBrief([{ property: 'emailAddress', message: "'ana@example.test' is no address." }]);
    expect(brief).toMatch(/^emailAddress: /);
    expect(brief).not.toContain('ana');
  });
});

describe('a payment that was taken', () => {
  const charge = testCharge();
  it.each(['AUD', 'aud', null])('in currency %s is taken', (currency) => {
    expect(outcomeOf(inCurrency(currency), charge, {})).toMatchObject({
      is: 'succeeded',
      captured: money(12_550n, 'AUD'),
    });
  });

  it.each(['NZD', 'XX', ''])(
    'in another currency, %j, is for a person: never a failure, never this sum',
    (currency) => {
      expect(outcomeOf(inCurrency(currency), charge, { payer: 'pyr_1' })).toMatchObject({
        is: 'unknown',
        needsPerson: true,
        state: { payer: 'pyr_1', payment: 'pmt_1' },
      });
    },
  );
});

it('a refund in another currency is for a person', () => {
  const charge = testCharge();
  const captured = money(12_550n, 'AUD');
  const order = testRefund(charge, { is: 'succeeded', remote: remoteId('pmt_1'), captured, state: {} });
  const refund = { id: 'ref_1', amount: 100, status: 'completed', currency: 'xx', paymentId: 'pmt_1' };
  expect(refundOutcome(refund, order)).toMatchObject({ is: 'unknown', needsPerson: true });
});
