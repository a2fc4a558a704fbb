import type { EntryRequest, PayOnce } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { bulkPayer } from '../../../test/fixtures/paying/bulk-fixture.ts';
import { fixture, paths, person, rows } from '../../../test/fixtures/paying/methods-fixture.ts';

const ENTRIES = '/v1/ec/payments/entries';
let prepared: EntryRequest[] = [];
let charged: PayOnce[] = [];

beforeEach(() => {
  prepared = [];
  charged = [];
  fixture.gateway.onPrepareEntry = async (request) => {
    prepared.push(request);
    const key = `key-${request.ref}`;
    return {
      is: 'ready',
      action: { do: 'frame', url: `https://gateway.example/${key}`, origins: ['https://gateway.example'] },
      state: { key },
      remote: remoteId(key),
      until: new Date(fixture.clock.now().getTime() + 60_000),
    };
  };
  fixture.gateway.onReadCallback = (entry, fields) =>
    fields['for'] === entry['key']
      ? { is: 'entered', input: { token: fields['token'] ?? '' }, owner: { name: 'Jo Fox' } }
      : { is: 'refused', why: 'not signed for it' };
  fixture.gateway.onCharge = async (charge) => {
    if (typeof charge.source === 'object' && !('saved' in charge.source)) charged.push(charge.source);
    return fixture.gateway.take(charge);
  };
});

const post = (url: string, payload: object) => fixture.app.inject({ method: 'POST', url, payload });
const codeOf = (answer: { statusCode: number; json(): { code?: string } }) => [
  answer.statusCode,
  answer.json().code,
];

/** A link of a payer, and a form that was prepared for it. */
async function linked() {
  const { customer, accountId } = await fixture.seedPayer({ directDebitPaymentMethodId: 1 });
  const invoice = await fixture.seedPayable(customer);
  const prepare = async () =>
    (await post(`/v1/ec/pay/${invoice.token}/entries`, { kind: 'card' })).json().data;
  const pay = (more: object) =>
    post('/v1/ec/pay', {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      cardHolder: 'Ana Poe',
      email: 'ana@mail.example',
      ...more,
    });
  return { customer, accountId, invoice, prepare, pay };
}

describe('a form that was prepared for a pay link', () => {
  it('pays once by what the gateway’s page posted, with what was charged told beforehand', async () => {
    const { prepare, pay, customer } = await linked();
    const entry = await prepare();
    expect(entry).toMatchObject({ entryId: expect.any(String), action: { do: 'frame' } });
    expect(prepared[0]).toMatchObject({ purpose: 'payOnce', kind: 'card', amount: { minor: 11_000n } });
    const { pathname } = new URL(prepared[0]?.callbackUrl ?? '');
    const key = `key-${prepared[0]?.ref}`;
    expect((await post(pathname, { token: 'tok_framed', for: key })).statusCode).toBe(204);
    expect((await pay({ entryId: entry.entryId })).json().data).toMatchObject({ status: 'succeeded' });
    expect(charged).toEqual([{ token: 'tok_framed', entry: { key } }]);
    const [row] = await rows<{ sealed: string }>(
      `select encode(owner_sealed, 'escape') as sealed from attempt where customer_id = $1`,
      [customer.id],
    );
    expect(row?.sealed).not.toContain('Ana Poe');
  });

  it('carries what the browser sends beside its token, and who owns it', async () => {
    const { prepare, pay } = await linked();
    let owner: unknown;
    fixture.gateway.onCharge = async (charge) => {
      owner = [charge.owner, charge.client?.ip, charge.source];
      return fixture.gateway.take(charge);
    };
    const { entryId } = await prepare();
    await pay({ entryId, cardToken: 'tok_1', beside: { expirationDate: '2031-08' } });
    expect(owner).toEqual([
      { name: 'Ana Poe', email: 'ana@mail.example' },
      '127.0.0.1',
      { token: 'tok_1', beside: { expirationDate: '2031-08' }, entry: { key: `key-${prepared[0]?.ref}` } },
    ]);
  });

  it.each([
    ['another link’s', async () => (await linked()).prepare(), [404, 'entry.notFound']],
    [
      'none that was ever made',
      async () => ({ entryId: '0b0e6f0e-7c53-4e9f-9d0e-1f5c7f6a2b11' }),
      [404, 'entry.notFound'],
    ],
  ])('is refused with %s, and nothing is charged', async (_what, other, told) => {
    const { pay, customer } = await linked();
    const { entryId } = await other();
    expect(codeOf(await pay({ entryId, cardToken: 'tok_1' }))).toEqual(told);
    expect(await rows('select 1 from attempt where customer_id = $1', [customer.id])).toEqual([]);
  });

  it('is refused once its time is over, and once it was used', async () => {
    const one = await linked();
    const late = await one.prepare();
    fixture.clock.advance(61_000);
    expect(codeOf(await one.pay({ ...late, cardToken: 'tok_1' }))).toEqual([410, 'entry.expired']);
    const entry = await one.prepare();
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'x', text: 'Your card was declined' },
    });
    expect((await one.pay({ ...entry, cardToken: 'tok_1' })).json().data.status).toBe('failed');
    expect(codeOf(await one.pay({ ...entry, cardToken: 'tok_2' }))).toEqual([409, 'entry.used']);
  });

  it('is used by one of two presses, and both are told of the one payment', async () => {
    const { prepare, pay, customer } = await linked();
    const { entryId } = await prepare();
    // The gateway answers the one only when the other has been told something.
    const { promise: isTold, resolve: told } = Promise.withResolvers<void>();
    fixture.gateway.onCharge = async (charge) => {
      await isTold;
      return fixture.gateway.take(charge);
    };
    const sent = [1, 2].map(() => pay({ entryId, cardToken: 'tok_1' }));
    expect((await Promise.race(sent)).json().data?.status).toBe('processing');
    told();
    const attempts = (await Promise.all(sent)).map((answer) => answer.json().data?.attemptId);
    expect(attempts).toEqual([expect.any(String), attempts[0]]);
    expect(await rows('select 1 from capture where customer_id = $1', [customer.id])).toHaveLength(1);
  });

  it('pays nothing by fields that this gateway does not encrypt', async () => {
    const { pay } = await linked();
    expect(codeOf(await pay({ fields: { encryptedNumber: 'x' } }))).toEqual([400, 'payment.methodMissing']);
  });
});

describe('a callback', () => {
  it('counts once, signed, in its time, for its own entry; else nothing changes', async () => {
    const { prepare } = await linked();
    const { entryId } = await prepare();
    const url = `/v1/entries/${entryId}/callback`;
    const key = `key-${prepared[0]?.ref}`;
    const sent = () =>
      rows('select 1 from payment_entry where id = $1 and input_sealed is not null', [entryId]);
    expect((await post(url, { token: 'tok_x', for: 'another' })).statusCode).toBe(400);
    expect((await post(url, { token: ['4242', '4242', '4242', '4242'].join(''), for: key })).statusCode).toBe(
      400,
    );
    expect(await sent()).toEqual([]);
    expect((await post(url, { token: 'tok_x', for: key })).statusCode).toBe(204);
    expect(codeOf(await post(url, { token: 'tok_y', for: key }))).toEqual([409, 'entry.used']);
    expect(await sent()).toHaveLength(1);
    const unknown = url.replace(entryId, '0b0e6f0e-7c53-4e9f-9d0e-1f5c7f6a2b11');
    expect(codeOf(await post(unknown, { for: key }))).toEqual([404, 'entry.notFound']);
  });

  it('may come as a form, from the provider’s own page', async () => {
    const { prepare } = await linked();
    const { entryId } = await prepare();
    const answer = await fixture.app.inject({
      method: 'POST',
      url: `/v1/entries/${entryId}/callback`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://gateway.example' },
      payload: new URLSearchParams({ token: 'tok_f', for: `key-${prepared[0]?.ref}` }).toString(),
    });
    expect(answer.statusCode).toBe(204);
  });
});

describe('a form of the signed-in portal', () => {
  it('saves the method that was entered, once; what was prepared to pay saves nothing', async () => {
    const me = await person();
    const { entryId } = (await me.call('POST', ENTRIES, { purpose: 'save', kind: 'card' })).json().data;
    expect(prepared[0]).toMatchObject({ purpose: 'save', person: { customerId: me.customerId } });
    const seen: unknown[] = [];
    fixture.gateway.onCompleteSetup = async ({ input, entry }) => {
      seen.push([input, entry]);
      return { is: 'saved', method: fixture.gateway.card('tok_saved') };
    };
    const saved = await me.call('POST', paths.cards, { entryId, cardHolder: 'Jo' });
    expect(saved.json().data, saved.body).toMatchObject({ status: 'succeeded' });
    expect(seen).toEqual([[{ fields: {} }, { key: `key-${prepared[0]?.ref}` }]]);
    const again = await me.call('POST', paths.cards, { entryId, token: 'tok_2' });
    expect(codeOf(again)).toEqual([409, 'entry.used']);
    const other = await person();
    const { data } = (await other.call('POST', ENTRIES, { purpose: 'save', kind: 'card' })).json();
    expect(codeOf(await me.call('POST', paths.cards, { entryId: data.entryId, token: 'tok_3' }))).toEqual([
      404,
      'entry.notFound',
    ]);
    const { prepare } = await linked();
    expect(codeOf(await me.call('POST', paths.cards, { ...(await prepare()), token: 'tok_4' }))).toEqual([
      404,
      'entry.notFound',
    ]);
  });

  it('pays a session once, and no other session', async () => {
    const me = await bulkPayer();
    const [one, two] = await me.invoices(2);
    const first = await me.intent([one?.id ?? '']);
    const second = await me.intent([two?.id ?? '']);
    const body = { purpose: 'payOnce', kind: 'card', uid: first.sessionId };
    const { entryId } = (await me.call('POST', ENTRIES, body)).json().data;
    const card = { entryId, cardToken: 'tok_1', cardHolder: 'Jo Fox' };
    expect(codeOf(await me.pay(second.sessionId, card))).toEqual([404, 'entry.notFound']);
    expect((await me.paid(first.sessionId, card)).status).toBe('succeeded');
    expect(charged).toEqual([{ token: 'tok_1', entry: { key: `key-${prepared[0]?.ref}` } }]);
  });

  it('is told where the gateway prepares nothing, or cannot', async () => {
    const me = await person();
    fixture.gateway.onPrepareEntry = undefined;
    const ask = () => me.call('POST', ENTRIES, { purpose: 'save', kind: 'card' });
    expect(codeOf(await ask())).toEqual([409, 'paymentMethod.notOffered']);
    fixture.gateway.onPrepareEntry = async () => ({ is: 'unknown', evidence: 'cut' });
    expect(codeOf(await ask())).toEqual([503, 'server.unavailable']);
  });
});
