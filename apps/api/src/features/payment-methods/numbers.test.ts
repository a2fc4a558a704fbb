import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signInAt } from '../../../test/access-matrix/tenants.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { createLogger } from '../../logger.ts';

/** Marked numbers: a card, its code, an account, an IBAN. None of them may be found anywhere. */
const PAN = '4242424242424242';
const IBAN = 'DE89370400440532013000';
const ACCOUNT = '000987654321';
const CVC = '98173';
const lines: string[] = [];
const fixture = useFixture({ log: createLogger('trace', { write: (line) => void lines.push(line) }) });
const CARDS = '/v1/ec/payments/cards';
const SETUP = '/v1/ec/payments/setup-intent';

async function signedIn() {
  const { customer } = await fixture.seedPayer({ directDebitPaymentMethodId: 1 });
  const user = await fixture.make.user({ resellerId: customer.resellerId, customerIds: [customer.id] });
  const { access_token } = await signInAt(fixture, user.id, 'test');
  return (
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload: object,
    headers: Record<string, string> = {},
  ) =>
    fixture.app.inject({
      method,
      url,
      payload,
      headers: { authorization: `Bearer ${access_token}`, ...headers },
    });
}

/** Everything stored, of every table. */
async function database(): Promise<string> {
  const pool = fixture.database.pool();
  // Digests of migrations hold any few digits by chance.
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migration'`,
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
});
afterEach(async () => {
  for (const trace of [lines.join(''), await database()]) {
    for (const number of [PAN, IBAN, ACCOUNT]) expect(trace).not.toContain(number);
    // Five digits stand in one digest of some thousands by chance: as a value they stand by themselves.
    expect(trace).not.toMatch(new RegExp(`(?<![0-9a-zA-Z])${CVC}(?![0-9a-zA-Z])`));
  }
});

describe('numbers that do not belong here leave no trace', () => {
  it.each([
    ['as the token', CARDS, { token: PAN }],
    ['as the card holder', CARDS, { token: 'tok_1', cardHolder: PAN }],
    ['an account number as the card holder', CARDS, { token: 'tok_1', cardHolder: `Jo ${ACCOUNT}` }],
    ['as the e-mail address', CARDS, { token: 'tok_1', email: `${PAN}@mail.example` }],
    ['an account number as the method', SETUP, { paymentMethodId: ACCOUNT, paymentMethodType: 'own_debit' }],
    ['an IBAN as the method', SETUP, { paymentMethodId: IBAN, paymentMethodType: 'own_debit' }],
    [
      'an IBAN as the e-mail address',
      SETUP,
      { paymentMethodId: 'pm_1', paymentMethodType: 'card', email: IBAN },
    ],
    ['in the proof', `${SETUP}/result`, { reqUid: PAN, descriptorCode: CVC }],
  ])('%s', async (_name, url, body) => {
    const call = await signedIn();
    const answer = await call('POST', url, body);
    expect(answer.statusCode).toBe(400);
    for (const number of [PAN, IBAN, ACCOUNT]) expect(answer.body).not.toContain(number);
  });

  it.each([
    ['a number', { cardNumber: PAN }, 'cardNumber'],
    ['with blanks', { cardNumber: PAN.replace(/(.{4})/g, '$1 ').trim() }, 'cardNumber'],
    ['an expiry', { expirationDate: '2031-08' }, 'expirationDate'],
    ['a code', { cvc: CVC }, 'cvc'],
    ['a code by another name', { cvdValue: CVC }, 'cvdValue'],
    ['an account', { accountNumber: ACCOUNT }, 'accountNumber'],
    ['an account by another name', { bankAccountNumber: ACCOUNT }, 'bankAccountNumber'],
  ])(
    'of a raw card or account (%s) are refused as such, with a token beside it or not',
    async (_name, raw, path) => {
      const call = await signedIn();
      for (const body of [raw, { ...raw, token: 'tok_1', cardHolder: 'Jo Fox' }]) {
        const answer = await call('POST', CARDS, body);
        const { code, errors } = answer.json();
        expect([answer.statusCode, code, errors[0].path]).toEqual([400, 'payment.rawCard', path]);
        for (const number of [PAN, CVC]) expect(answer.body).not.toContain(number);
      }
    },
  );

  it('in unknown members they are dropped', async () => {
    const call = await signedIn();
    const raw = {
      number: PAN,
      csc: CVC,
      iban: IBAN,
    };
    expect((await call('POST', CARDS, { token: 'tok_1', ...raw })).statusCode).toBe(200);
    const bank = { paymentMethodId: 'pm_1', paymentMethodType: 'own_debit', ...raw };
    expect((await call('POST', SETUP, bank)).statusCode).toBe(200);
    expect((await call('PUT', CARDS, { id: crypto.randomUUID(), ...raw })).statusCode).toBe(404);
  });

  it('in the Idempotency-Key, in the address and when the gateway throws them back', async () => {
    const call = await signedIn();
    expect((await call('POST', CARDS, { token: 'tok_1' }, { 'idempotency-key': PAN })).statusCode).toBe(400);
    expect((await call('DELETE', `${CARDS}/${PAN}`, {})).statusCode).toBe(400);
    expect((await call('PUT', CARDS, { id: crypto.randomUUID(), name: ACCOUNT })).statusCode).toBe(400);
    fixture.gateway.onCompleteSetup = async () => {
      throw new Error('no such card');
    };
    const answer = await call('POST', CARDS, { token: 'tok_2', number: PAN });
    expect(answer.json().data.status).toBe('processing');
  });
});
