import { sandboxForTests } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';

/** Numbers at the head of titles are those of `cases-data.ts`. */
const harness = sandboxForTests('bpoint');

type Json = Record<string, unknown>;
const visa = ['4987', '6543', '2109', '8769'].join('');
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const login = basic('api|one:sandbox-one');

const call = (method: string, path: string, body?: object, authorization = login) =>
  harness.ask(method, `/bpoint/rest/v5${path}`, body, authorization === '' ? {} : { authorization });

const card = (over: object = {}) => ({
  card: { number: visa, expiry: { month: '09', year: '31' }, cvn: '123', name: 'Ana Poe', ...over },
});
const details = (minor: number, over: object = {}) => ({
  action: 'Payment',
  type: 'Internet',
  subType: 'Single',
  amount: minor,
  currency: 'AUD',
  crn1: 'CUST1007',
  merchantReference: `ref-${minor}`,
  testMode: true,
  ...over,
});

async function key(of: 'txns' | 'tokens', body: object = {}): Promise<string> {
  return String((await call('POST', `/${of}/authkeys`, body)).body['authkey']);
}
/** Attaches without credentials, as a browser does. */
const attach = (of: 'txns' | 'tokens', authkey: string, method: object) =>
  call('PUT', `/${of}/authkeys/${authkey}/payment-method`, method, '');

async function token(method: object = card(), crn1 = 'CUST1007'): Promise<Json> {
  const authkey = await key('tokens');
  await call('PUT', `/tokens/authkeys/${authkey}/token-details`, { crn1, emailAddress: 'ana@example.test' });
  expect((await attach('tokens', authkey, method)).status).toBe(200);
  return (await call('POST', `/tokens/authkeys/${authkey}/process`, {})).body['token'] as Json;
}
async function pay(minor: number, method: object = card(), over: object = {}) {
  const authkey = await key('txns');
  expect((await call('PUT', `/txns/authkeys/${authkey}/txn-details`, details(minor, over))).status).toBe(201);
  await attach('txns', authkey, method);
  const processed = await call('POST', `/txns/authkeys/${authkey}/process`, {});
  return { authkey, ...processed, txn: processed.body['txn'] as Json };
}

describe('credentials', () => {
  it('1: answers 201 with an auth key', async () => {
    const answer = await call('POST', '/txns/authkeys', {});
    expect(answer).toMatchObject({ status: 201, body: { authkey: expect.stringMatching(/^ak-/) } });
  });
  it.each([basic('api|one:wrong'), basic('api:sandbox-one'), ''])('2: answers 401 to %s', async (header) => {
    expect((await call('POST', '/txns/authkeys', {}, header || 'none')).status).toBe(401);
  });
});

describe('tokens', () => {
  it('3, 4: takes details with an empty answer, and names the field that is missing', async () => {
    const authkey = await key('tokens');
    const missing = await call('PUT', `/tokens/authkeys/${authkey}/token-details`, {});
    expect(missing).toMatchObject({
      status: 400,
      body: { code: 'InvalidFields', details: [{ field: 'crn1' }] },
    });
    const taken = await call('PUT', `/tokens/authkeys/${authkey}/token-details`, { crn1: 'C' });
    expect(taken).toMatchObject({ status: 201, text: '' });
  });
  it('5: shows a card by its first six and last three digits', async () => {
    expect(await token()).toMatchObject({
      token: expect.stringMatching(/^5999999\d{9}$/),
      paymentMethod: {
        card: { number: '498765...769', scheme: 'Visa', expiry: { month: '09', year: '31' } },
      },
    });
  });
  it('names the scheme of any number, whether a test card or not', async () => {
    const number = ['4111', '1111', '1111', '1111'].join('');
    expect(await token(card({ number }))).toMatchObject({ paymentMethod: { card: { scheme: 'Visa' } } });
  });
  it('6, 7: refuses to process before a method is attached, and a second time', async () => {
    const authkey = await key('tokens');
    await call('PUT', `/tokens/authkeys/${authkey}/token-details`, { crn1: 'C' });
    const process = () => call('POST', `/tokens/authkeys/${authkey}/process`, {});
    expect(await process()).toMatchObject({ status: 400, body: { code: 'InvalidFlow' } });
    await attach('tokens', authkey, card());
    expect((await process()).status).toBe(200);
    expect(await process()).toMatchObject({ status: 400, body: { code: 'InvalidFlow' } });
  });
  it('8: takes a bank account, and shows three digits of it', async () => {
    const bank = { bank: { bsb: '062-000', account: '12345678', name: 'Ana Poe' } };
    expect(await token(bank)).toMatchObject({
      paymentMethod: { bank: { bsb: '062000', account: '...678' } },
    });
  });
  it('9: names what is wrong with a card', async () => {
    const answer = await attach('tokens', await key('tokens'), card({ number: `${visa.slice(0, -1)}1` }));
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ message: 'The card number is not valid' }] },
    });
  });
  it('10, 11: puts another card behind the same token, and knows no other', async () => {
    const { token: known } = await token();
    const authkey = await key('tokens', { token: known as string });
    await call('PUT', `/tokens/authkeys/${authkey}/token-details`, { crn1: 'C' });
    await attach('tokens', authkey, card({ expiry: { month: '10', year: '33' } }));
    const changed = (await call('POST', `/tokens/authkeys/${authkey}/process`, {})).body['token'];
    expect(changed).toMatchObject({ token: known, paymentMethod: { card: { expiry: { year: '33' } } } });
    expect((await call('GET', `/tokens/${known}`)).status).toBe(200);
    expect((await call('GET', '/tokens/5999999000000000')).status).toBe(404);
  });
  it('12: lists them in pages', async () => {
    for (const _ of [1, 2, 3]) await token(card(), 'LISTED');
    const first = await call('POST', '/tokens/search', { crn1: 'LISTED', numberOfRecords: 2 });
    expect(first.body).toMatchObject({ resultCount: 3, continueFrom: '2', tokens: [{}, {}] });
    const rest = await call('POST', '/tokens/search', {
      crn1: 'LISTED',
      numberOfRecords: 2,
      continueFrom: '2',
    });
    expect(rest.body).toMatchObject({ continueFrom: null, tokens: [{}] });
  });
  it('13: a removed one cannot be attached', async () => {
    const { token: known } = await token();
    expect((await call('DELETE', `/tokens/${known}`)).status).toBe(200);
    const authkey = await key('txns');
    expect((await call('PUT', `/txns/authkeys/${authkey}/payment-method`, { token: known })).status).toBe(
      404,
    );
  });
});

describe('payments', () => {
  it.each([
    ['14', 4_200, card(), { responseCode: '0', bankResponseCode: '00', isTestTxn: true, amount: 4_200 }],
    ['15', 4_251, card(), { responseCode: '5', bankResponseCode: '51' }],
    ['16', 4_254, card(), { responseCode: '4' }],
    ['17', 4_205, card(), { responseCode: '2', bankResponseCode: '05' }],
    ['18', 4_208, card(), { responseCode: '0' }],
    ['18', 4_216, card(), { responseCode: '0' }],
    [
      '19',
      4_200,
      card({ expiry: { month: '99', year: '33' } }),
      { responseCode: '4', bankResponseCode: '33' },
    ],
    ['20', 4_200, card({ cvn: '987' }), { cvnResult: { code: 'N' }, bankResponseCode: '05' }],
  ])('14-20: %s: %i comes to what its digits say', async (_number, minor, method, txn) => {
    const paid = await pay(minor, method);
    expect(paid.status).toBe(200);
    expect(paid.txn).toMatchObject(txn);
  });
  it('takes any amount of the demo world', async () => {
    const demo = basic('api|demo3010:sandbox-demo3010');
    const authkey = String((await call('POST', '/txns/authkeys', {}, demo)).body['authkey']);
    await call('PUT', `/txns/authkeys/${authkey}/txn-details`, details(4_251), demo);
    await attach('txns', authkey, card());
    const { body } = await call('POST', `/txns/authkeys/${authkey}/process`, {}, demo);
    expect(body['txn']).toMatchObject({ responseCode: '0', bankResponseCode: '00' });
  });
  it('21: a slow one is carried out, answered to nobody, and found by its reference', async () => {
    const authkey = await key('txns');
    const over = { merchantReference: 'slow', crn1: 'SIM-TIMEOUT' };
    await call('PUT', `/txns/authkeys/${authkey}/txn-details`, details(4_200, over));
    await attach('txns', authkey, card());
    const cut = fetch(`${harness.sandbox.url}/bpoint/rest/v5/txns/authkeys/${authkey}/process`, {
      method: 'POST',
      headers: { authorization: login, 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(300),
    });
    await expect(cut).rejects.toThrow();
    const found = await call('POST', '/txns/search', { merchantReference: 'slow' });
    expect(found.body).toMatchObject({ resultCount: 1, transactions: [{ responseCode: '0' }] });
    expect(await harness.captures('slow')).toHaveLength(1);
  });
  it('22, 23: refunds in parts up to the whole, and no more', async () => {
    const { txn } = await pay(4_200);
    const refund = async (amount: number, original = txn['txnNumber']) =>
      (await call('POST', '/txns', { ...details(amount), action: 'Refund', originalTxnNumber: original }))
        .body['responseCode'];
    expect([await refund(1_000), await refund(3_200), await refund(1)]).toEqual(['0', '0', 'PT_R4']);
    // 23
    expect(await refund(1, 'unknown')).toBe('PT_R1');
  });
  it('24: reverses the whole amount only, and once', async () => {
    const { txn } = await pay(4_200);
    const reverse = async (amount: number) =>
      (
        await call('POST', '/txns', {
          ...details(amount),
          action: 'Reversal',
          originalTxnNumber: txn['txnNumber'],
        })
      ).body['responseCode'];
    expect([await reverse(4_100), await reverse(4_200), await reverse(4_200)]).toEqual([
      'PT_R15',
      '0',
      'PT_R8',
    ]);
  });
  it('25, 27: takes no surcharge, and no webhook that is not https', async () => {
    const authkey = await key('txns');
    await call('PUT', `/txns/authkeys/${authkey}/txn-details`, details(4_200));
    await attach('txns', authkey, card());
    const process = (body: object) => call('POST', `/txns/authkeys/${authkey}/process`, body);
    expect((await process({ surcharge: 5 })).status).toBe(400);
    expect((await process({ webhook: { url: 'http://portal.example/' } })).status).toBe(400);
    expect((await process({})).body['txn']).toMatchObject({ amountSurcharge: 0, amountOriginal: 4_200 });
  });
  it('refuses what is no test transaction', async () => {
    const authkey = await key('txns');
    const put = call('PUT', `/txns/authkeys/${authkey}/txn-details`, details(4_200, { testMode: false }));
    expect((await put).status).toBe(403);
  });
  it('28: keeps no number, security code or password', async () => {
    await pay(4_200);
    const { notes } = await harness.control('GET', 'journal');
    const { readFileSync } = await import('node:fs');
    const journal = readFileSync(`${harness.directory}/journal.jsonl`, 'utf8');
    for (const kept of [JSON.stringify(notes), journal]) {
      expect(kept).not.toContain(visa);
      expect(kept).not.toContain('"cvn":"123"');
      expect(kept).not.toContain('sandbox-one');
    }
  });
});
