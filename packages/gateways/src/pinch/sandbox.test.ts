/** The checklist of the API, by plain requests as its documentation has them. */
import { createHmac } from 'node:crypto';
import { type Reply, sandboxForTests, webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';

const harness = sandboxForTests('pinch');

const visa = ['4242', '4242', '4242', '4242'].join('');
const year = new Date().getUTCFullYear() + 3;
type Json = Readonly<Record<string, unknown>>;

// ---- Plain requests ----

const grant = { grant_type: 'client_credentials', scope: 'api1' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const askToken = (keys: string, body = String(new URLSearchParams(grant)), headers = form) => {
  const authorization = `Basic ${Buffer.from(keys).toString('base64')}`;
  return harness.ask('POST', '/pinch/auth/connect/token', body, { authorization, ...headers });
};

const bearers = new Map<string, string>();
async function bearer(merchant = 'plain'): Promise<string> {
  const known = bearers.get(merchant);
  if (known !== undefined) return known;
  const { body } = await askToken(`app_${merchant}:sk_test_${merchant}`);
  const token = String(body['access_token']);
  bearers.set(merchant, token);
  return token;
}

const call = async (method: string, path: string, body?: object, token?: string): Promise<Reply> =>
  harness.ask(method, `/pinch/api/test${path}`, body, {
    authorization: `Bearer ${token ?? (await bearer())}`,
    'pinch-version': '2020.1',
  });

const cardBody = {
  publishableKey: 'pk_test_plain',
  cardNumber: visa,
  cvc: '123',
  expiryMonth: 9,
  expiryYear: year,
};
const tokens = (body: object, headers = {}) => harness.ask('POST', '/pinch/api/test/tokens', body, headers);
const newToken = async () =>
  String((await tokens({ ...cardBody, cardHolderName: 'Ada Example' })).body['token']);

const newPayer = async (firstName = 'Ada') => {
  const made = await call('POST', '/payers', {
    firstName,
    lastName: 'Example',
    emailAddress: 'ada@example.test',
  });
  return String(made.body['id']);
};
async function newCard(firstName?: string) {
  const payerId = await newPayer(firstName);
  const made = await call('POST', `/payers/${payerId}/sources`, {
    sourceType: 'credit-card',
    token: await newToken(),
  });
  return { payerId, sourceId: String(made.body['id']) };
}
const pay = async (body: object) => call('POST', '/payments/realtime', { amount: 4_250, ...body });

/** What is said against a request. */
const said = ({ body }: Reply) =>
  (body as unknown as readonly { propertyName: string; errorMessage: string }[]).map(
    (one) => one.propertyName,
  );
const firstMessage = ({ body }: Reply) =>
  (body as unknown as readonly { errorMessage: string }[])[0]?.errorMessage;

describe('tokens of servers', () => {
  it('1: good keys get one that lives for an hour', async () => {
    const answer = await askToken('app_plain:sk_test_plain');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ expires_in: 3_600, token_type: 'Bearer' });
  });

  it.each([
    ['a wrong secret', 'app_plain:sk_test_other', undefined, 'invalid_client'],
    ['an unknown application', 'plain:sk_test_plain', undefined, 'invalid_client'],
    ['another scope', 'app_plain:sk_test_plain', { ...grant, scope: 'api2' }, 'invalid_scope'],
  ])('2: %s is answered 400', async (_what, keys, asked, error) => {
    const answer = await askToken(keys, asked && String(new URLSearchParams(asked)));
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });

  it('3: a JSON body is not read', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await askToken('app_plain:sk_test_plain', JSON.stringify(grant), headers);
    expect(answer.status).toBe(400);
  });

  it('4: the health of a token is 200, that of none 404', async () => {
    expect((await call('GET', '/health/auth')).status).toBe(200);
    expect((await call('GET', '/health/auth', undefined, 'nobody')).status).toBe(404);
  });

  it('one that is over, another version, a body that is no JSON: refused', async () => {
    expect((await call('GET', '/payments/pmt_1', undefined, 'nobody')).status).toBe(401);
    const old = { authorization: `Bearer ${await bearer()}`, 'content-type': 'application/json' };
    const without = await harness.ask('POST', '/pinch/api/test/payers', '{}', old);
    expect(without.status).toBe(400);
    const headers = { ...old, 'pinch-version': '2020.1' };
    const broken = await harness.ask('POST', '/pinch/api/test/payers', '{"firstName"', headers);
    expect(broken.body).toMatchObject([{ propertyName: 'FirstName' }]);
  });
});

describe('tokens of cards', () => {
  it('5: names may be in Pascal case, month and year text', async () => {
    const { status, body } = await tokens({
      PublishableKey: 'pk_test_plain',
      CardNumber: visa,
      Cvc: '123',
      ExpiryMonth: '9',
      ExpiryYear: String(year),
      CardHolderName: 'Ada Example',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ displayCardNumber: '4242', cardScheme: 'visa', origin: 'AU' });
    expect(body['token']).toMatch(/^tkn_/);
  });

  it.each([
    ['an unknown key', { publishableKey: 'pk_test' }, /^Invalid publishable key/],
    ['a wrong check digit', { cardNumber: visa.replace(/2$/, '1') }, /not a valid credit card number/],
    ['a card of last year', { expiryYear: year - 4 }, /expired/],
    ['a code of four digits', { cvc: '1234' }, /security code/],
    ['no holder', { cardHolderName: '' }, /must not be empty/],
  ])('6: %s is answered 400 with a list', async (_what, over, message) => {
    const answer = await tokens({ ...cardBody, cardHolderName: 'Ada Example', ...over });
    expect(answer.status).toBe(400);
    expect(firstMessage(answer)).toMatch(message);
  });

  it('7: a page of a portal may ask for one', async () => {
    const origin = 'http://pinch.localhost:3000';
    const { headers } = await harness.ask('OPTIONS', '/pinch/api/test/tokens', undefined, {
      origin,
      'access-control-request-method': 'POST',
    });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-headers')).toContain('content-type');
  });
});

describe('payers and their cards', () => {
  it('8: without an address is answered 400, about EmailAddress', async () => {
    const answer = await call('POST', '/payers', { firstName: 'Ada' });
    expect([answer.status, said(answer)]).toEqual([400, ['EmailAddress']]);
  });

  it('9: is made, and with its id changed', async () => {
    const made = await call('POST', '/payers', { firstName: 'Ada', emailAddress: 'ada@example.test' });
    expect(made.status).toBe(201);
    const changed = await call('POST', '/payers', { id: made.body['id'], firstName: 'Grace' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ firstName: 'Grace', emailAddress: 'ada@example.test' });
  });

  it('10: a token becomes a card, once; an unknown payer has none', async () => {
    const payer = await newPayer();
    const body = { sourceType: 'credit-card', token: await newToken() };
    const added = await call('POST', `/payers/${payer}/sources`, body);
    expect(added.status).toBe(200);
    expect(added.body['id']).toMatch(/^src_/);
    expect(added.body).toMatchObject({ displayCardNumber: '4242', bankAccountNumber: null });
    expect(said(await call('POST', `/payers/${payer}/sources`, body))).toEqual(['Token']);
    const unknown = await call('POST', '/payers/pyr_1/sources', { token: await newToken() });
    expect([unknown.status, firstMessage(unknown)]).toEqual([400, 'Payer with id pyr_1 not found']);
  });

  it('11: lists its cards; an unknown one is answered 404', async () => {
    const { payerId, sourceId } = await newCard();
    const second = await call('POST', `/payers/${payerId}/sources`, { creditCardToken: await newToken() });
    const { body } = await call('GET', `/payers/${payerId}`);
    expect((body['sources'] as readonly Json[]).map(({ id }) => id)).toEqual([sourceId, second.body['id']]);
    expect(await call('GET', '/payers/pyr_1')).toMatchObject({ status: 404, body: {} });
  });

  it('12: a removed card is gone, and cannot be removed again', async () => {
    const { payerId, sourceId } = await newCard();
    const path = `/payers/${payerId}/sources/${sourceId}`;
    expect(await call('DELETE', path)).toMatchObject({ status: 200, body: {} });
    const again = await call('DELETE', path);
    expect([again.status, firstMessage(again)]).toEqual([400, `Source with id ${sourceId} not found`]);
  });
});

describe('a payment', () => {
  it('13: is approved, with its place and the card it was made with', async () => {
    const card = await newCard();
    const paid = await pay(card);
    expect(paid.status).toBe(201);
    expect(paid.body).toMatchObject({
      status: 'approved',
      amount: 4_250,
      currency: 'AUD',
      attempts: [{ source: { id: card.sourceId } }],
    });
    expect(paid.headers.get('location')).toBe(`/pinch/api/test/payments/${paid.body['id']}`);
    expect(await call('GET', `/payments/${paid.body['id']}`)).toMatchObject({ body: { status: 'approved' } });
    const { body: ofPayer } = await call('GET', `/payments/payer/${card.payerId}`);
    expect(ofPayer).toMatchObject([{ id: paid.body['id'] }]);
  });

  it('14: of a payer by id and by name is answered 400, about all three', async () => {
    const answer = await pay({ ...(await newCard()), fullName: 'Ada Example' });
    expect([answer.status, said(answer)]).toEqual([400, ['PayerId', 'FullName', 'FirstName']]);
  });

  it('by name and token makes a payer, and charges its card', async () => {
    const paid = await pay({ fullName: 'Ada Example', email: 'ada@example.test', token: await newToken() });
    expect(paid.body).toMatchObject({ status: 'approved', payer: { firstName: 'Ada', lastName: 'Example' } });
  });

  it.each([
    ['an amount as text', { amount: '4250' }, 'Amount'],
    ['part of a cent', { amount: 42.5 }, 'Amount'],
    ['nothing', { amount: 0 }, 'Amount'],
    ['an unknown card', { sourceId: 'src_1' }, 'SourceId'],
    ['a card and a token', { token: 'tkn_1' }, 'SourceId'],
    ['a nonce of 251 characters', { nonce: 'n'.repeat(251) }, 'Nonce'],
    ['a description of 1001 characters', { description: 'd'.repeat(1_001) }, 'Description'],
  ])('with %s is answered 400', async (_what, over, property) => {
    const answer = await pay({ ...(await newCard()), ...over });
    expect([answer.status, said(answer)]).toEqual([400, [property]]);
  });

  it.each([
    [
      'in a description',
      'insufficient-funds',
      { description: 'Invoice 1042 #insufficient-funds' },
      undefined,
    ],
    ['in a first name', 'blocked-by-bank', {}, 'Ada#blocked-by-bank'],
  ])('15, 16: %s a code word forces a failure, answered 201', async (_where, code, over, firstName) => {
    const nonce = `order-${code}`;
    const answer = await pay({ ...(await newCard(firstName)), ...over, nonce });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      status: 'dishonoured',
      dishonourType: code,
      attempts: [{ dishonour: { type: code } }],
    });
    expect(await harness.captures(nonce)).toEqual([]);
  });

  it('17: a nonce that was used is answered 403 with the first payment, and takes nothing', async () => {
    const body = { ...(await newCard()), nonce: ['first', 'order-17'] };
    const first = await pay(body);
    const again = await pay({ ...body, nonce: 'order-17', amount: 9_900 });
    expect(again.status).toBe(403);
    expect(again.body).toMatchObject({
      isNonceReplay: true,
      nonce: 'order-17',
      data: { id: first.body['id'] },
    });
    expect(await harness.captures('first')).toHaveLength(1);
    expect(await harness.captures('order-17')).toEqual([]);
  });

  it('18: is found by its nonce; an unknown nonce has none', async () => {
    const paid = await pay({ ...(await newCard()), nonce: 'order-18' });
    const found = await call('POST', '/payments/nonce', { nonce: 'order-18' });
    expect(found).toMatchObject({
      status: 200,
      body: { isNonceReplay: true, data: { id: paid.body['id'] } },
    });
    expect(await call('POST', '/payments/nonce', { nonce: 'order-0' })).toMatchObject({
      status: 200,
      body: { isNonceReplay: false, data: null },
    });
  });

  it('29: a surcharge is added, and told', async () => {
    const paid = await pay({ ...(await newCard()), amount: 1_000, surcharge: ['credit-card'] });
    expect(paid.body).toMatchObject({ isSurcharged: true, amount: 1_051 });
  });

  it('is settled after a day, and another merchant sees nothing of it', async () => {
    const { body } = await pay(await newCard());
    const other = await call('GET', `/payments/${body['id']}`, undefined, await bearer('other'));
    expect(other.status).toBe(404);
    await harness.advance(25 * 60 * 60_000);
    bearers.clear();
    expect(await call('GET', `/payments/${body['id']}`)).toMatchObject({ body: { status: 'settled' } });
  });
});

describe('refunds and events', () => {
  it('27: is requested, completed later, once for a nonce, and no more than was taken', async () => {
    const { body: payment } = await pay({ ...(await newCard()), nonce: 'order-27' });
    const refund = { paymentId: payment['id'], amount: 1_000, reason: 'Requested', nonce: 'refund-27' };
    const first = await call('POST', '/refunds', refund);
    expect(first).toMatchObject({ status: 201, body: { status: 'requested', amount: 1_000 } });
    const again = await call('POST', '/refunds', refund);
    expect(again).toMatchObject({
      status: 403,
      body: { isNonceReplay: true, data: { id: first.body['id'] } },
    });
    const tooMuch = await call('POST', '/refunds', { ...refund, amount: 3_251, nonce: 'refund-27-2' });
    expect([tooMuch.status, said(tooMuch)]).toEqual([400, ['Amount']]);
    await harness.advance(4_000);
    expect(await call('GET', `/refunds/${first.body['id']}`)).toMatchObject({
      body: { status: 'completed' },
    });
    expect(await harness.captures('order-27')).toMatchObject([{ refundedMinor: 1_000 }]);
  });

  it('24: deliveries are signed over the time and the bytes, with names in Pascal case', async () => {
    const receiver = await webhookReceiver();
    const secret = 'whsec_plain_test';
    await harness.control('POST', 'webhooks', {
      gateway: 'pinch',
      url: receiver.url,
      secret,
      account: 'plain',
    });
    const { body: payment } = await pay({ ...(await newCard()), metadata: 'order-24' });
    await expect.poll(() => receiver.received.length).toBe(1);
    receiver.close();
    const [delivery] = receiver.received;
    const [, at, signature] =
      /^t=(\d+),v2=([0-9a-f]{64})$/.exec(String(delivery?.headers['pinch-signature'])) ?? [];
    const expected = createHmac('sha256', secret).update(`${at}.${delivery?.body}`).digest('hex');
    expect(signature).toBe(expected);
    const event = JSON.parse(String(delivery?.body)) as Json;
    expect(event).toMatchObject({
      Type: 'realtime-payment',
      Data: { Payment: { Id: payment['id'], Metadata: 'order-24' } },
    });
    const page = await call('GET', '/events?pageSize=2&page=1');
    expect(page.body).toMatchObject({ page: 1, pageSize: 2, data: [{ id: event['Id'] }, {}] });
    expect((await call('GET', `/events/${event['Id']}`)).body).toMatchObject({
      data: { payment: { id: payment['id'] } },
    });
    const later = `/events?startDate=${encodeURIComponent(new Date(Date.now() + 10 * 86_400_000).toISOString())}`;
    expect((await call('GET', later)).body).toMatchObject({ totalItems: 0 });
  });
});
