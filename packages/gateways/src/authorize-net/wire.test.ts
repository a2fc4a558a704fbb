import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { documentOf } from './client.ts';
import { manifest } from './manifest.ts';
import {
  chargeReply,
  detailsReply,
  faultOf,
  lookupFromDetails,
  outcomeOfCode,
  readCharge,
} from './replies.ts';
import { schemaFault } from './sandbox/data.ts';
import {
  addPaymentProfileRequest,
  billTo,
  chargeRequest,
  createProfileRequest,
  customerKey,
  paymentBlock,
  refundRequest,
  updatePaymentProfileRequest,
  voidRequest,
  type WireBody,
  wireText,
} from './wire.ts';

const usd = (minor: bigint) => money(minor, 'USD');
const hostile = `<b>R&D</b> "Größe" ${'\u0007'}${'x'.repeat(300)}`;
const owner = {
  firstName: hostile,
  lastName: hostile,
  company: hostile,
  email: 'a@x.example',
  phone: hostile,
  billing: {
    line1: hostile,
    line2: hostile,
    city: hostile,
    state: hostile,
    postalCode: hostile,
    country: 'US',
  },
};
const charge = testCharge({
  amount: usd(12_550n),
  owner,
  client: { ip: '203.0.113.7', userAgent: 'x' },
  labels: { invoice: '1001', description: hostile, customer: 'c', session: 's' },
});
const refund = testRefund(charge, {
  is: 'succeeded',
  remote: remoteId('60000000001'),
  captured: charge.amount,
  state: {},
});
const masked = {
  kind: 'bank',
  accountType: 'checking',
  routing: 'XXXX2882',
  account: 'XXXX9012',
  name: 'x'.repeat(30),
  echeckType: 'WEB',
} as const;
const method = { billTo: billTo(owner), payment: { opaqueData: { dataDescriptor: 'a', dataValue: 'b' } } };

/** As it arrives: names in the order they were written. */
const sent = (method: string, body: WireBody): Record<string, unknown> => {
  const config = z.parse(manifest.config, {
    apiLoginId: 'login',
    transactionKey: 'key',
    publicClientKey: 'public',
  });
  return JSON.parse(JSON.stringify(documentOf({ config }, { method, body, refId: charge.ref })));
};

describe('a request', () => {
  it.each<[string, string, WireBody]>([
    [
      'a saved card is charged',
      'createTransaction',
      {
        transactionRequest: chargeRequest(charge, { profile: '501', paymentProfile: '7001', kind: 'card' }),
      },
    ],
    [
      'a nonce is charged',
      'createTransaction',
      {
        transactionRequest: chargeRequest(charge, { payment: method.payment }),
      },
    ],
    ['a charge is voided', 'createTransaction', { transactionRequest: voidRequest('1') }],
    [
      'a card is refunded',
      'createTransaction',
      {
        transactionRequest: refundRequest(refund, { kind: 'card', number: 'XXXX1111' }),
      },
    ],
    ['an account is refunded', 'createTransaction', { transactionRequest: refundRequest(refund, masked) }],
    ['a customer is made', 'createCustomerProfile', createProfileRequest('c', 'a@x.example')],
    [
      'a method is added',
      'createCustomerPaymentProfile',
      addPaymentProfileRequest('501', method, 'liveMode'),
    ],
    [
      'a method is changed',
      'updateCustomerPaymentProfile',
      updatePaymentProfileRequest(
        { profile: '501', payment: '7001' },
        { ...method, isDefault: true },
        'none',
      ),
    ],
  ])('3: fits the schema, in its order and lengths, whatever was typed: %s', (_what, name, body) => {
    const document = sent(name, body);
    const [root = ''] = Object.keys(document);
    expect(schemaFault(root, document[root])).toBeUndefined();
    // The reading of the schema that judges it refuses the same members in another order.
    const turned = Object.fromEntries(Object.entries(document[root] as object).reverse());
    expect(schemaFault(root, turned)).toMatch(/invalid child element|incomplete content/);
  });

  it('34: texts lose what breaks the older format behind JSON, and keep their letters', () => {
    expect(wireText(hostile, 14)).toBe('bRD/b "Größe"');
    expect(wireText('😀😀😀', 2)).toBe('😀😀');
  });

  it('is the same whenever it is built from the same charge, but for who started it', () => {
    const pays = { profile: '501', paymentProfile: '7001', kind: 'card' };
    const build = (over: object) => JSON.stringify(chargeRequest({ ...charge, ...over }, pays));
    expect(build({ lastSentAt: new Date(0) })).toBe(build({}));
    expect(build({ initiator: 'merchant' })).toContain('isSubsequentAuth');
  });

  it('knows a customer by 20 characters, always the same', () => {
    expect(customerKey('0193a1b2-0000-7000-8000-000000000001')).toMatch(/^[0-9A-Z]{20}$/);
    expect(customerKey('a')).toBe(customerKey('a'));
    expect(customerKey('a')).not.toBe(customerKey('b'));
  });

  it('takes a number only with its expiry, and an account only whole', () => {
    const number = () => secretBytes(new TextEncoder().encode('4111'));
    expect(paymentBlock({ secrets: { number: number() }, beside: {} }, 'card')).toBeUndefined();
    expect(
      paymentBlock({ secrets: { account: number() }, beside: { routingNumber: '1' } }, 'bank'),
    ).toBeUndefined();
    expect(paymentBlock({ fields: {} }, 'card')).toBeUndefined();
  });
});

const answer = (result: object, code = 'I00001') =>
  z.parse(chargeReply, {
    transactionResponse: {
      accountNumber: 'XXXX1111',
      accountType: 'Visa',
      transId: '60000000001',
      ...result,
    },
    messages: { resultCode: code === 'I00001' ? 'Ok' : 'Error', message: [{ code, text: 'x' }] },
  });
const read = (result: object) => readCharge(answer(result), 'USD', '125.50', false);
const errors = (errorCode: string) => ({ errors: [{ errorCode, errorText: 'x' }] });
const messages = (code: string) => ({ messages: [{ code, description: 'x' }] });

describe('an answer to a charge', () => {
  it.each([
    ['approved', { responseCode: '1', ...messages('1') }, { is: 'succeeded', captured: usd(12_550n) }],
    [
      'in Test Mode',
      { responseCode: '1', testRequest: '1', transId: '0', ...messages('1') },
      { is: 'notAttempted', why: 'config' },
    ],
    ['nothing done', { responseCode: '1', ...messages('311') }, { is: 'unknown' }],
    [
      'an account approved',
      { responseCode: '1', accountType: 'eCheck', ...messages('1') },
      { is: 'pending', because: 'bank' },
    ],
    ['declined', { responseCode: '2', ...errors('2') }, { is: 'declined', why: { class: 'otherMethod' } }],
    ['declined for a reason nobody documented', { responseCode: '2', ...errors('999') }, { is: 'declined' }],
    [
      'a card to be kept',
      { responseCode: '2', ...errors('4') },
      { is: 'declined', why: { final: true, text: 'Your card was declined' } },
    ],
    [
      'a wrong code',
      { responseCode: '2', ...errors('44') },
      { is: 'declined', why: { text: 'Please check the security code' } },
    ],
    [
      'an expired card',
      { responseCode: '3', transId: '0', ...errors('8') },
      { is: 'declined', why: { class: 'fixInput' } },
    ],
    [
      'another currency',
      { responseCode: '3', transId: '0', ...errors('39') },
      { is: 'notAttempted', why: 'invalid' },
    ],
    [
      'no accounts taken',
      { responseCode: '3', transId: '0', ...errors('18') },
      { is: 'notAttempted', why: 'config' },
    ],
    ['an error of processing', { responseCode: '3', transId: '0', ...errors('19') }, { is: 'unknown' }],
    ['held', { responseCode: '4', ...messages('252') }, { is: 'pending', because: 'review' }],
    [
      'approved in part',
      { responseCode: '4', ...messages('295'), prePaidCard: { approvedAmount: '1.23' } },
      { is: 'succeeded', captured: usd(123n) },
    ],
    ['approved in part, and not told how much', { responseCode: '4', ...messages('295') }, { is: 'unknown' }],
    ['a code nobody documented', { responseCode: '7', ...messages('1') }, { is: 'unknown' }],
    ['120', { responseCode: '3', ...errors('120') }, { is: 'unknown', state: { noReplay: '120' } }],
    ['152', { responseCode: '3', ...errors('152') }, { is: 'unknown', state: { noReplay: '152' } }],
  ])('21, 29, 31, 37, 38: the answer to a charge is read: %s', (_what, result, outcome) => {
    expect(read(result)).toMatchObject({ is: 'outcome', outcome });
  });

  it.each([
    ['60000000001', '60000000001'],
    ['0', undefined],
  ])('a duplicate of %s', (transId, named) => {
    expect(read({ responseCode: '3', transId, ...errors('11') })).toEqual({
      is: 'duplicate',
      transId: named,
    });
  });

  it.each([
    ['E00001', false, { is: 'unknown' }],
    ['E00053', false, { is: 'unknown' }],
    ['E99999', false, { is: 'unknown' }],
    ['E00007', false, { is: 'notAttempted', why: 'config' }],
    ['E00116', false, { is: 'notAttempted', why: 'config' }],
    ['E00003', false, { is: 'notAttempted', why: 'invalid' }],
    ['E00040', true, { is: 'notAttempted', why: 'methodGone' }],
    ['E00114', false, { is: 'declined', why: { class: 'fixInput' } }],
  ])('%s without a transaction', (code, isSaved, outcome) => {
    expect(outcomeOfCode(code, 'x', isSaved)).toMatchObject(outcome);
  });

  it('36: quotes of what was refused are not kept', () => {
    const number = ['4111', '1111', '1111', '1111'].join('');
    const reply = answer({}, 'E00003');
    const text = `The value '${number}0' is invalid`;
    const { detail } = faultOf({
      ...reply,
      messages: { resultCode: 'Error', message: [{ code: 'E00003', text }] },
    });
    expect(detail).toContain('[number]');
    expect(detail).not.toContain(number);
  });
});

describe('the details of a charge', () => {
  const look = (transactionStatus: string, more: object = {}) =>
    lookupFromDetails(
      z.parse(detailsReply, {
        transaction: {
          transId: '60000000001',
          transactionStatus,
          settleAmount: 125.5,
          payment: { creditCard: { cardNumber: 'XXXX1111', cardType: 'Visa' } },
          ...more,
        },
        messages: { resultCode: 'Ok', message: [] },
      }),
      'USD',
    );
  const bank = { payment: { bankAccount: { accountNumber: 'XXXX9012' } } };
  it.each([
    ['capturedPendingSettlement', {}, { is: 'succeeded', captured: usd(12_550n) }],
    ['settledSuccessfully', {}, { is: 'succeeded' }],
    ['capturedPendingSettlement', bank, { is: 'pending', because: 'bank' }],
    ['settledSuccessfully', bank, { is: 'succeeded' }],
    [
      'settledSuccessfully',
      { ...bank, returnedItems: { id: '7', code: 'R01' } },
      { is: 'declined', why: { code: 'R01' } },
    ],
    ['settledSuccessfully', { settleAmount: 0 }, { is: 'unknown' }],
    ['FDSPendingReview', {}, { is: 'pending', because: 'review' }],
    ['voided', {}, { is: 'closed' }],
    ['declined', { responseReasonCode: 2 }, { is: 'declined', why: { code: '2' } }],
    ['generalError', { responseReasonCode: 120 }, { is: 'unknown', needsPerson: true }],
    ['settlementError', {}, { is: 'unknown', needsPerson: true }],
    ['couldNotVoid', {}, { is: 'unknown', needsPerson: true }],
    ['somethingNew', {}, { is: 'unknown' }],
  ])('39: %s %j', (status, more, outcome) => {
    expect(look(status, more)).toMatchObject(outcome);
  });
});

describe('a body of the specification', () => {
  const read = (at: string, body: Record<string, unknown>) =>
    manifest.saved?.bodies?.find((one) => one.at === at)?.read(body);
  it('says who owns the method in its own members', () => {
    const card = {
      token: 't',
      company: 'Acme',
      address: '1 Main',
      city: 'Omaha',
      state: 'NE',
      zip: '68102',
      addressCountry: 'US',
    };
    expect(read('cards', card)).toEqual({
      token: 't',
      kind: 'card',
      owner: {
        company: 'Acme',
        billing: { line1: '1 Main', city: 'Omaha', state: 'NE', postalCode: '68102', country: 'US' },
      },
    });
    expect(read('accounts', { token: 't', nameOnAccount: 'Vera', bankName: 'First' })).toEqual({
      token: 't',
      kind: 'bank',
      owner: { name: 'Vera' },
      beside: { bankName: 'First' },
    });
    expect([read('cards', { token: 't' }), read('accounts', { token: 't' })]).toEqual([undefined, undefined]);
  });
});
