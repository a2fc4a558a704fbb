import { constants, createHmac, createPublicKey, generateKeyPairSync, publicEncrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sandboxForTests, webhookReceiver } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';
import { publicKey } from './sandbox-data.ts';

/** Numbers at the head of titles are those of `cases-data.ts`. */
const harness = sandboxForTests('nexio');

type Json = Record<string, unknown>;
const visa = ['4111', '1111', '1111', '1111'].join('');
const MINUTE = 60_000;
/** Past the next day's 05:00 UTC, whatever the hour. */
const SETTLES = 30 * 60 * MINUTE;
const login = (password = 'sandbox-one') => `Basic ${Buffer.from(`one:${password}`).toString('base64')}`;

const call = (method: string, path: string, body?: object, authorization = login()) =>
  harness.ask(method, `/nexio${path}`, body, authorization === '' ? {} : { authorization });

const encrypted = (
  digits: string,
  key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
) => publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64');

async function otu(body: object = {}): Promise<string> {
  const made = await call('POST', '/pay/v3/token', { processingOptions: { merchantId: '300100' }, ...body });
  return String(made.body['token']);
}
const cardBody = (over: object = {}) => ({
  encryptedNumber: encrypted(visa),
  expirationMonth: '9',
  expirationYear: '31',
  cardHolderName: 'Ana Poe',
  securityCode: '111',
  ...over,
});
/** Without credentials, as a browser saves. */
const saveCard = (token: string, over: object = {}, data: object = {}) =>
  call('POST', '/pay/v3/saveCard', { token, card: cardBody(over), data }, '');
const customer = (over: object = {}) => ({ customer: { customerRef: 'CUST1007', ...over } });
async function card(over: object = {}, data: object = customer()): Promise<string> {
  return String(((await saveCard(await otu(), over, data)).body['token'] as Json)['token']);
}
async function bank(number = '123456789012', routingNumber = '110000000') {
  const body = {
    token: await otu(),
    bank: { accountHolderName: 'Ana Poe', routingNumber, encryptedBankAccountNumber: encrypted(number) },
    data: customer(),
  };
  return call('POST', '/pay/v3/saveECheck', body, '');
}

let orders = 0;
const order = (): string => {
  orders += 1;
  return `ORDER${orders}`;
};
const process = async (
  amount: number,
  over: { data?: object; token?: string; options?: object; body?: object } = {},
) =>
  call('POST', '/pay/v3/process', {
    tokenex: { token: over.token ?? (await card()) },
    data: { amount, currency: 'USD', customer: { orderNumber: order() }, ...over.data },
    processingOptions: { merchantId: '300100', ...over.options },
    ...over.body,
  });
const shown = () => harness.advance(MINUTE);
const read = (id: unknown) => call('GET', `/transaction/v3/paymentId/${encodeURIComponent(String(id))}`);

describe('credentials and one-time tokens', () => {
  it('1: makes a token that lives an hour', async () => {
    const { status, body } = await call('POST', '/pay/v3/token', {});
    expect(status).toBe(200);
    expect(String(body['fraudUrl'])).toContain(String(body['token']));
    const left = Date.parse(String(body['expiration'])) - Date.now();
    expect(Math.abs(left - 60 * MINUTE)).toBeLessThan(MINUTE);
  });
  it('2: refuses a wrong password', async () => {
    expect(await call('POST', '/pay/v3/token', {}, login('wrong'))).toMatchObject({
      status: 401,
      body: { error: 401 },
    });
  });
  it('3, 4: saves a card without credentials, and with the same token no other, also after a failure', async () => {
    const token = await otu();
    expect(await saveCard(token)).toMatchObject({
      status: 200,
      body: { token: { firstSix: '411111', lastFour: '1111', cardType: 'visa' } },
    });
    expect((await saveCard(token)).status).toBe(403);
    const failed = await otu();
    expect((await saveCard(failed, { expirationYear: '20' })).status).toBe(400);
    expect((await saveCard(failed)).status).toBe(403);
  });
  it('5: refuses a token that has run out', async () => {
    const token = await otu();
    await harness.advance(61 * MINUTE);
    expect((await saveCard(token)).status).toBe(403);
  });
  it('22: refuses a merchant id that is not enabled', async () => {
    const made = await call('POST', '/pay/v3/token', { processingOptions: { merchantId: '1' } });
    expect(made).toMatchObject({ status: 400, body: { error: 409 } });
  });
});

describe('the vault', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  it.each([
    ['another key', { encryptedNumber: encrypted(visa, other) }],
    ['no ciphertext', { encryptedNumber: 'garbage' }],
    ['a wrong check digit', { encryptedNumber: encrypted(`${visa.slice(0, -1)}2`) }],
    ['a date that is over', { expirationYear: '2020' }],
  ])('6-8: refuses %s', async (_name, over) => {
    expect(await saveCard(await otu(), over)).toMatchObject({ status: 400, body: { error: 400 } });
  });
  it('9, 10: saves nothing where the code does not match, and all the same where it could not be checked', async () => {
    const verifying = () => otu({ processingOptions: { merchantId: '300100', verifyCvc: true } });
    const wrong = await saveCard(await verifying(), { securityCode: '222' });
    expect(wrong).toMatchObject({ status: 400, body: { error: 437, cvcResults: { matchCvv: false } } });
    const unchecked = await saveCard(await verifying(), { securityCode: '333' });
    expect(unchecked).toMatchObject({ status: 200, body: { cvcResults: { error: true } } });
  });
  it('11, 12: saves an account, whose number is nowhere, and only with a routing number that is right', async () => {
    const saved = await bank();
    expect(saved).toMatchObject({
      status: 200,
      body: { bank: { accountHolderName: 'Ana Poe' }, token: { lastFour: '9012' } },
    });
    expect(JSON.stringify(saved)).not.toContain('123456789012');
    for (const wrong of ['12345678', '999546788'])
      expect((await bank('123456789012', wrong)).status).toBe(400);
  });
  it('13: lists the cards of a customer in pages', async () => {
    const ref = { customer: { customerRef: 'CUST13' } };
    await card({}, ref);
    await card({}, ref);
    const page = async (offset: number) =>
      (await call('GET', `/card/v3?customerRef=CUST13&limit=1&offset=${offset}`)).body;
    expect(await page(0)).toMatchObject({ rows: [{ lastFour: '1111' }], hasMore: true });
    expect(await page(1)).toMatchObject({ hasMore: false });
  });
  it('14, 15: changes a card behind its token, and forgets it', async () => {
    const token = await card();
    const path = `/pay/v3/vault/card/${token}`;
    await call('PUT', path, { card: { expirationMonth: '10', expirationYear: '2032' } });
    expect((await call('GET', path)).body).toMatchObject({
      card: { expirationMonth: '10', expirationYear: '2032' },
      token: { token },
    });
    expect((await call('POST', '/pay/v3/deleteToken', { tokens: [token] })).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
    expect((await process(42.15, { token })).status).toBe(404);
  });
});

describe('payments', () => {
  it('16: takes a number in major units', async () => {
    expect(await process(42.15)).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[A-Za-z0-9+/=]{40,}$/),
        transactionStatus: 'pending',
        amount: 42.15,
        gatewayResponse: { refNumber: expect.any(String) },
        transactionDate: expect.stringMatching(/Z$/),
      },
    });
    for (const wrong of ['42.15', 42.155])
      expect((await process(0, { data: { amount: wrong } })).status).toBe(400);
  });
  it('17: knows no other token', async () => {
    expect((await process(42.15, { token: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
  });
  it.each([
    ['the postal code 46282', 42.15, { billToPostal: '46282' }, 'Declined'],
    ['x.51', 42.51, {}, 'Insufficient funds'],
    ['x.05', 42.05, {}, 'Do not Honor'],
    ['x.04', 42.04, {}, 'Pickup Card'],
  ])('18, 19: declines %s', async (_name, amount, address, message) => {
    const answer = await process(amount, { data: { customer: { orderNumber: order(), ...address } } });
    expect(answer).toMatchObject({ status: 400, body: { error: 435, message } });
  });
  it('20: authorises, and captures once', async () => {
    const { body } = await process(10, { body: { isAuthOnly: true } });
    expect(body['transactionStatus']).toBe('authOnly');
    const capture = () => call('POST', '/pay/v3/capture', { id: body['id'], data: { amount: 10 } });
    expect((await capture()).body['transactionStatus']).toBe('pending');
    expect((await capture()).status).toBe(400);
  });
  it('21: a payment that timed out at its gateway is listed after a minute, once', async () => {
    const orderNumber = order();
    const lost = await process(42.08, { data: { customer: { orderNumber } } });
    expect(lost).toMatchObject({ status: 400, body: { error: 408 } });
    const listed = async () =>
      (await call('GET', `/transaction/v3?customer.orderNumber=${orderNumber}`)).body['rows'];
    expect(await listed()).toEqual([]);
    await shown();
    expect(await listed()).toHaveLength(1);
  });
  it('23: voids once, and only before it is settled', async () => {
    const { body } = await process(42.15);
    const voided = () => call('POST', '/pay/v3/void', { id: body['id'] });
    expect((await voided()).body['transactionStatus']).toBe('voidPending');
    expect((await voided()).status).toBe(400);
  });
  it('24: refunds in parts once it is settled, never more than was taken', async () => {
    const { body } = await process(42.15);
    const refund = async (amount: number) =>
      (await call('POST', '/pay/v3/refund', { id: body['id'], data: { amount } })).status;
    expect(await refund(7.25)).toBe(400);
    await harness.advance(SETTLES);
    expect([await refund(7.25), await refund(34.9), await refund(0.01)]).toEqual([200, 200, 400]);
  });
  it('25: is read by its id after a minute, and settled the next day', async () => {
    const { body } = await process(42.15);
    expect((await read(body['id'])).status).toBe(404);
    await shown();
    expect((await read(body['id'])).body['transactionStatus']).toBe(10);
    await harness.advance(SETTLES);
    expect((await read(body['id'])).body['transactionStatus']).toBe(20);
  });
  it('26: sends the payer to the bank, and pays once answered', async () => {
    const options = { check3ds: true, customerRedirectUrl: 'https://portal.example/pay' };
    const { body } = await process(42.03, { options });
    expect(new Set(Object.keys(body))).toEqual(new Set(['asyncTraceId', 'redirectUrl']));
    const progress = async () =>
      (await call('GET', `/pay/v3/transactionAsyncStatus/${body['asyncTraceId']}`)).body;
    expect(await progress()).not.toHaveProperty('transactionStatus');
    const back = await harness.answerChallenge(String(body['redirectUrl']), 'complete');
    expect(back?.origin).toBe('https://portal.example');
    expect(await progress()).toMatchObject({ transactionStatus: 10, id: expect.any(String) });
  });
  it('27: debits an account, and the bank pays or returns it later', async () => {
    const debit = async (number: string) => {
      const token = ((await bank(number)).body['token'] as Json)['token'];
      const data = { amount: 10, currency: 'USD', customer: { orderNumber: order() } };
      const { body } = await call('POST', '/pay/v3/processECheck', { tokenex: { token }, data });
      expect(body['transactionStatus']).toBe('pending');
      return body['id'];
    };
    const ids = [await debit('123456789012'), await debit('900000000000')];
    await shown();
    expect([
      (await read(ids[0])).body['transactionStatus'],
      (await read(ids[1])).body['transactionStatus'],
    ]).toEqual([20, 50]);
  });
  it('33: a row has customer and gateway only where they are asked for', async () => {
    const orderNumber = order();
    const { body } = await process(42.15, { data: { customer: { orderNumber } } });
    await shown();
    const row = async (filter: string) =>
      ((await call('GET', `/transaction/v3?${filter}`)).body['rows'] as Json[])[0];
    const plain = await row('limit=1');
    expect(plain).not.toHaveProperty('customer');
    expect(plain).not.toHaveProperty('plugin');
    expect(await row('limit=1&customer.&plugin.')).toMatchObject({
      customer: { orderNumber },
      plugin: { originalId: body['id'] },
    });
  });
});

describe('webhooks', () => {
  async function delivered(secret: string) {
    const receiver = await webhookReceiver();
    await harness.control('POST', 'webhooks', { gateway: 'nexio', url: receiver.url, secret });
    await process(42.15);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    receiver.close();
    const [delivery] = receiver.received;
    return { body: delivery?.body ?? Buffer.of(), signature: delivery?.headers['nexio-signature'] };
  }
  it('28: the legacy style is signed over the time and the bytes', async () => {
    const { body, signature } = await delivered('a-secret');
    const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(signature)) ?? [];
    expect(v1).toBe(createHmac('sha256', 'a-secret').update(`${t}.`).update(body).digest('hex'));
  });
  it('32: the current style is not, and says a number only', async () => {
    const { body, signature } = await delivered('unsigned');
    expect(signature).toBeUndefined();
    const names = ['eventType', 'transactionStatus', 'processMethod', 'transactionId'];
    expect(Object.keys(JSON.parse(String(body)))).toEqual(names);
  });
});

it('31: keeps no number, code, ciphertext or password', async () => {
  const ciphertext = encrypted(visa);
  await process(42.15, { token: await card({ encryptedNumber: ciphertext, securityCode: '777' }) });
  await bank('998877665544');
  const { notes } = await harness.control('GET', 'journal');
  const journal = readFileSync(`${harness.directory}/journal.jsonl`, 'utf8');
  for (const kept of [JSON.stringify(notes), journal])
    for (const secret of [visa, '998877665544', ciphertext, '"777"', 'sandbox-one'])
      expect(kept).not.toContain(secret);
});
