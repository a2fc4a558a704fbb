import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { createLogger } from '../../logger.ts';

const PAN = '4242424242424242';
const GROUPED = '4242 4242 4242 4242';
const lines: string[] = [];
const fixture = useFixture({ log: createLogger('trace', { write: (line) => void lines.push(line) }) });

async function bodyOf(): Promise<Record<string, unknown>> {
  const { customer } = await fixture.seedPayer({});
  const invoice = await fixture.seedPayable(customer);
  return {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
  };
}
const post = (payload: object | string, headers: Record<string, string> = {}) =>
  fixture.app.inject({
    method: 'POST',
    url: '/v1/ec/pay',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Everything stored as text, of every table. */
async function database(): Promise<string> {
  const pool = fixture.database.pool();
  const { rows } = await pool.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname in ('public')",
  );
  const texts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await pool.query<{ text: string | null }>(
        `select string_agg(t::text, ' ') as text from ${name} t`,
      );
      return found.rows[0]?.text ?? '';
    }),
  );
  return texts.join('\n');
}

beforeEach(() => {
  lines.length = 0;
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
});
afterEach(async () => {
  for (const trace of [lines.join(''), await database()]) {
    expect(trace).not.toContain(PAN);
    expect(trace).not.toContain(GROUPED);
  }
});

describe('a card number where it does not belong', () => {
  it.each([
    ['cardNumber', { cardNumber: PAN }],
    ['cardNumber', { cardNumber: GROUPED, cardToken: undefined }],
    ['expirationDate', { expirationDate: '2031-08' }],
    ['cardCode', { cardCode: '123' }],
  ])('as a raw card (%s): refused as such', async (path, raw) => {
    const before = fixture.gateway.calls.charge;
    const answer = await post({ ...(await bodyOf()), ...raw });
    const { code, errors } = answer.json();
    expect([answer.statusCode, code, errors[0].path]).toEqual([400, 'payment.rawCard', path]);
    expect(fixture.gateway.calls.charge).toBe(before);
  });

  it.each([
    ['as the token', { cardToken: PAN }],
    ['as the card holder', { cardHolder: GROUPED }],
    ['in the e-mail address', { email: `${PAN}@mail.example` }],
    ['in the address', { billingAddress: { address: PAN, city: 'A', state: 'B', zip: '1', country: 'AU' } }],
  ])(
    'is refused %s, and nothing is sent, stored or logged [decisions.8.{card-not-in-database,card-not-in-log,card-not-in-error,card-not-in-trace}]',
    async (_name, over) => {
      const before = fixture.gateway.calls.charge;
      const answer = await post({ ...(await bodyOf()), ...over });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
      expect(answer.body).not.toContain('4242');
      expect(fixture.gateway.calls.charge).toBe(before);
    },
  );

  it.each(['number', 'pan', 'card'])('in an unknown member %s is dropped', async (member) => {
    const answer = await post({ ...(await bodyOf()), [member]: PAN, cvc: '123' });
    expect(answer.json().data.status).toBe('succeeded');
  });

  it('in the Idempotency-Key, in the address, in broken JSON and in a wrong type leaves no trace [decisions.8.{card-not-in-database,card-not-in-log,card-not-in-error,card-not-in-trace}]', async () => {
    const body = await bodyOf();
    expect((await post(body, { 'idempotency-key': PAN })).statusCode).toBe(400);
    expect((await post(`{"cardNumber":"${PAN}"`)).statusCode).toBe(400);
    expect((await post({ ...body, cardToken: [PAN], invoiceAmount: PAN })).statusCode).toBe(400);
    expect((await post(`cardNumber=${PAN}`, { 'content-type': 'text/plain' })).statusCode).toBe(415);
    expect((await fixture.app.inject(`/v1/ec/payment/details/${PAN}?number=${PAN}`)).statusCode).toBe(404);
    const confirm = { reqUid: PAN, uid: body['uid'], paymentIntent: PAN };
    const answer = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/payments/confirmation/result',
      payload: confirm,
    });
    expect([answer.statusCode, answer.body.includes(PAN)]).toEqual([400, false]);
  });

  it('does not leave a trace when the gateway throws it back [decisions.8.{card-not-in-database,card-not-in-log,card-not-in-error,card-not-in-trace}]', async () => {
    fixture.gateway.onCharge = async () => {
      throw new Error('no such card');
    };
    const answer = await post({ ...(await bodyOf()), number: PAN });
    expect(answer.json().data.status).toBe('processing');
  });
});
