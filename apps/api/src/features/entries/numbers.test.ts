import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_METHOD_PATHS } from '@counterfoil/contract/paying/payment-methods.ts';
import { passesLuhn } from '@counterfoil/domain/paying/card.ts';
import type { OneTimeInput, SecretName } from '@counterfoil/gateways/port/gateway.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signInAt } from '../../../test/access-matrix/tenants.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { createLogger } from '../../logger.ts';

const lines: string[] = [];
const answers: string[] = [];
const fixture = useFixture({ log: createLogger('trace', { write: (line) => void lines.push(line) }) });
const RAW = { how: 'ownFieldsToUs', pci: 'D' } as const;
const CARDS = '/v1/ec/payments/cards';
const ACCOUNTS = '/v1/ec/scripted/accounts';

// A path of its own, as gateways have whose accounts are saved by their numbers.
const { manifest } = fixture.gateway.module;
Object.assign(manifest.saved ?? {}, { paths: { ...SHARED_METHOD_PATHS, accounts: ACCOUNTS } });

/** What the gateway was given: the digits it has read, and the buffers they stood in. */
interface Given {
  readonly read: Readonly<Partial<Record<SecretName, string>>>;
  readonly beside: Readonly<Record<string, string>>;
}
let given: Given[] = [];
const buffers: Uint8Array[] = [];
/** Every number that was sent: none may be found anywhere. */
const sent = new Set<string>();

const digits = (length: number): string => Array.from({ length }, () => randomInt(10)).join('');
const marked = (number: string): string => {
  sent.add(number);
  return number;
};
/** A card number of this run alone, so that wherever it is found, it was left here. */
function cardNumber(): string {
  const body = `4${digits(14)}`;
  const check = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(passesLuhn);
  return marked(check ?? '');
}
const accountNumber = (): string => marked(`9${digits(14)}`);
const grouped = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');

/** As an adapter that sends number and account, and has no use for the code. */
async function readSecrets(input: OneTimeInput | object): Promise<void> {
  if (!('secrets' in input)) return;
  const read: Partial<Record<SecretName, string>> = {};
  for (const name of ['number', 'account'] as const)
    await input.secrets[name]?.use((bytes) => {
      buffers.push(bytes);
      read[name] = Buffer.from(bytes).toString();
    });
  given.push({ read, beside: input.beside });
}

/** A customer of a reseller, its link, and calls in its name. @param chosen whether numbers pass this server */
async function payer(chosen = true) {
  const { customer, accountId } = await fixture.seedPayer({ directDebitPaymentMethodId: 1, bulkPay: true });
  const how = chosen ? RAW.how : 'providerFields';
  await fixture.database
    .pool()
    .query(`update gateway_account set config = config || $2 where id = $1`, [
      accountId,
      JSON.stringify({ cardEntry: how, bankEntry: chosen ? RAW.how : 'ownFieldsToProvider' }),
    ]);
  const invoice = await fixture.seedPayable(customer);
  const user = await fixture.make.user({ resellerId: customer.resellerId, customerIds: [customer.id] });
  const { access_token } = await signInAt(fixture, user.id, 'test');
  const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const answer = await fixture.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${access_token}`, ...headers },
    });
    answers.push(answer.body);
    return answer;
  };
  return {
    customer,
    post,
    byLink: (more: object, headers?: Record<string, string>) =>
      post(
        '/v1/ec/pay',
        { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number, ...more },
        headers,
      ),
    async inBulk(more: object) {
      const intent = await post('/v1/ec/payments/intents', { invoiceIds: [invoice.id] });
      const { sessionId } = intent.json().data;
      return post('/v1/ec/payments/pay/bulk', { uid: sessionId, cardHolder: 'Jo Fox', ...more });
    },
  };
}
const count = async (table: string, customerId: string): Promise<number> =>
  (await fixture.database.pool().query(`select 1 from ${table} where customer_id = $1`, [customerId]))
    .rowCount ?? 0;

beforeAll(() => {
  const { capabilities } = manifest;
  const { card = [], bank = [] } = capabilities.entry;
  Object.assign(capabilities, { entry: { card: [...card, RAW], bank: [...bank, RAW] } });
});
const { onBeginSetup } = fixture.gateway;
beforeEach(() => {
  given = [];
  fixture.gateway.onBeginSetup = onBeginSetup;
  fixture.gateway.onCharge = async (charge) => {
    if (typeof charge.source === 'object') await readSecrets(charge.source);
    return fixture.gateway.take(charge);
  };
  fixture.gateway.onCompleteSetup = async ({ input }) => {
    await readSecrets(input);
    return { is: 'saved', method: fixture.gateway.card(`tok_${digits(8)}`, { fingerprint: digits(20) }) };
  };
});
afterEach(() => {
  expect(buffers.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
});

/** Everything of the server's own that is stored, as text, and what the database has on disk, its log of writes included. */
async function stored(): Promise<string> {
  const pool = fixture.database.pool();
  const { rows } = await pool.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const found = await pool.query<{ text: string | null }>(
      `select string_agg(t::text, ' ') as text from ${name} t`,
    );
    texts.push(found.rows[0]?.text ?? '');
  }
  return texts.join('\n');
}

/** A file's bytes; none of a folder, or of one that the database has put away meanwhile. */
function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

afterAll(async () => {
  expect(sent.size).toBeGreaterThan(10);
  const traces = [lines.join(''), answers.join(''), await stored()];
  const { rows } = await fixture.database
    .pool()
    .query<{ folder: string }>("select current_setting('data_directory') as folder");
  const wal = join(rows[0]?.folder ?? '', 'pg_wal');
  const files = readdirSync(wal).map((name) => [name, read(join(wal, name))] as const);
  expect(files.some(([, bytes]) => bytes.length > 0)).toBe(true);
  for (const number of sent) {
    for (const trace of traces) {
      expect(trace).not.toContain(number);
      expect(trace).not.toContain(grouped(number));
      // As a stored digest without a key would be found by trying all numbers.
      expect(trace).not.toContain(Buffer.from(number).toString('hex'));
    }
    for (const [name, bytes] of files) expect(bytes.includes(number), name).toBe(false);
  }
});

describe('numbers of a method, where an account has chosen that they pass this server', () => {
  it('pay a link as the specification’s other variant has them [payments.public.field.pay.other.*, decisions.8.{card-not-in-database,card-not-in-log,card-not-in-error,card-not-in-trace}]', async () => {
    const [me, number] = [await payer(), cardNumber()];
    const billingAddress = { address: '1 High St', city: 'A', state: 'B', zip: '1', country: 'US' };
    const answer = await me.byLink({
      cardNumber: grouped(number),
      expirationDate: '2031-08',
      cardCode: '731',
      billingAddress,
    });
    expect(answer.json().data).toMatchObject({ status: 'succeeded', amount: 110 });
    expect(given).toEqual([{ read: { number }, beside: { expirationDate: '2031-08' } }]);
  });

  it('pay a session, and are saved [payments.bulk.field.pay.{cardNumber,expirationDate,cardCode}, payments.new-card.field.{cardNumber,expirationDate,cvc}, payments.new-card.spaces-removed]', async () => {
    const [me, first, second] = [await payer(), cardNumber(), cardNumber()];
    const paid = await me.inBulk({ cardNumber: first, expirationDate: '2031-08', cardCode: '731' });
    expect(paid.json().data.status).toBe('succeeded');
    const saved = await me.post(CARDS, {
      cardNumber: grouped(second),
      expirationDate: '2031-09',
      cvc: '731',
      cardHolder: 'Jo Fox',
    });
    expect(saved.json().data.status).toBe('succeeded');
    expect(given.map(({ read }) => read.number)).toEqual([first, second]);
  });

  it('of a bank account are saved, and debited once by a link', async () => {
    const [me, first, second] = [await payer(), accountNumber(), accountNumber()];
    const form = {
      routingNumber: '110000000',
      accountType: 'checking',
      bankName: 'Test Bank',
      nameOnAccount: 'Jo Fox',
    };
    const agreed = { accountHolderName: 'Jo Fox', mandateAccepted: true, mandateVersion: 'm-1' };
    const saved = await me.post(ACCOUNTS, { ...form, ...agreed, accountNumber: first });
    expect(saved.json().data.status).toBe('succeeded');
    const paid = await me.byLink({
      ...form,
      ...agreed,
      bankAccountNumber: second,
      paymentMethodType: 'own_debit',
    });
    expect(paid.json().data.status).toBe('succeeded');
    expect(given).toEqual([first, second].map((account) => ({ read: { account }, beside: form })));
  });

  it('are known again by a keyed digest: the same request is answered, another number with its key refused', async () => {
    const [me, number] = [await payer(), cardNumber()];
    const form = { cardNumber: number, expirationDate: '2031-08', cardCode: '731' };
    const key = { 'idempotency-key': 'k-1' };
    const [first, again] = [
      await me.byLink(form, key),
      await me.byLink({ ...form, cardNumber: grouped(number) }, key),
    ];
    expect(again.json().data).toEqual(first.json().data);
    const other = await me.byLink({ ...form, cardNumber: cardNumber() }, key);
    expect([other.statusCode, other.json().code]).toEqual([409, 'payment.keyReused']);
    expect([given.length, await count('attempt', me.customer.id)]).toEqual([1, 1]);
  });

  it('can be saved again once the method was removed', async () => {
    const [me, number] = [await payer(), cardNumber()];
    const form = { cardNumber: number, expirationDate: '2031-08', cvc: '731', cardHolder: 'Jo Fox' };
    const first = (await me.post(CARDS, form)).json().data;
    const second = (await me.post(CARDS, form)).json().data;
    expect(second.reqUid).not.toBe(first.reqUid);
    expect(given.length).toBe(2);
  });

  it('leave no trace when the gateway throws, declines, or was never reached', async () => {
    const form = { expirationDate: '2031-08', cardCode: '731' };
    const kept: OneTimeInput[] = [];
    fixture.gateway.onCharge = async ({ source }) => {
      if (typeof source === 'object' && 'secrets' in source) kept.push(source);
      throw new Error('broken');
    };
    const thrown = await (await payer()).byLink({ ...form, cardNumber: cardNumber() });
    expect(thrown.json().data.status).toBe('processing');
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'd', text: 'Declined' },
    });
    const declined = await (await payer()).byLink({ ...form, cardNumber: cardNumber() });
    expect(declined.json().data.status).toBe('failed');
    fixture.gateway.onBeginSetup = async ({ payer: known }) => ({
      payer: known,
      result: { is: 'notAttempted', why: 'unreachable', detail: 'nothing was sent' },
    });
    const unsaved = await (await payer()).post(CARDS, {
      ...form,
      cardNumber: cardNumber(),
      cardHolder: 'Jo Fox',
    });
    expect(unsaved.statusCode).toBeGreaterThanOrEqual(400);
    for (const input of kept)
      for (const secret of 'secrets' in input ? Object.values(input.secrets) : [])
        await expect(secret.use(() => 1)).rejects.toThrow('used or destroyed');
    expect(kept.length).toBe(1);
  });

  it.each<[string, (number: string) => object, string]>([
    ['in the holder’s name', (number) => ({ cardHolder: number }), 'cardHolder'],
    ['beside a token', (number) => ({ cardToken: 'tok_1', beside: { note: number } }), 'beside.note'],
    [
      'under its own name beside a token',
      (number) => ({ cardToken: 'tok_1', beside: { cardNumber: number } }),
      'beside.cardNumber',
    ],
    ['in a form that should be encrypted', (number) => ({ fields: { pan: number } }), 'fields.pan'],
    ['as a token', (number) => ({ cardToken: number }), 'cardToken'],
    ['together with a token', (number) => ({ cardToken: 'tok_1', cardNumber: number }), 'cardNumber'],
    ['with a blank date', (number) => ({ cardNumber: number }), 'expirationDate'],
    [
      'with a date that is none',
      (number) => ({ cardNumber: number, expirationDate: '08/2031' }),
      'expirationDate',
    ],
    ['without what it belongs to', () => ({ cardCode: '731', expirationDate: '2031-08' }), 'cardNumber'],
    [
      'of an account, for a card',
      () => ({ accountNumber: accountNumber(), cardNumber: cardNumber(), expirationDate: '2031-08' }),
      'cardNumber',
    ],
  ])('are refused %s', async (_name, more, path) => {
    const me = await payer();
    const answer = await me.byLink(more(cardNumber()));
    expect([answer.statusCode, answer.json().code, answer.json().errors?.[0].path]).toEqual([
      400,
      'request.invalid',
      path,
    ]);
    expect(await count('attempt', me.customer.id)).toBe(0);
  });
});

describe('a token that reads like a number', () => {
  it('passes where it has the form of its provider’s, and nowhere else', async () => {
    const me = await payer(false);
    const token = 'tok_4242424242424242';
    expect((await me.byLink({ cardToken: 'x4242424242424242' })).json().errors?.[0].path).toBe('cardToken');
    expect((await me.byLink({ cardHolder: token, cardToken: 'tok_1' })).json().errors?.[0].path).toBe(
      'cardHolder',
    );
    expect((await me.inBulk({ cardToken: '4242 4242 4242 4242' })).json().errors?.[0].path).toBe('cardToken');
    expect((await me.byLink({ cardToken: token })).json().data.status).toBe('succeeded');
    const saved = { type: 99, token, cardHolder: 'Jo Fox' };
    expect((await me.post(CARDS, saved)).json().data.status).toBe('succeeded');
  });
});

describe('numbers where an account has chosen another way', () => {
  it('are refused by name in every call that would take them', async () => {
    const me = await payer(false);
    const card = { cardNumber: cardNumber(), expirationDate: '2031-08', cardCode: '731' };
    const bank = { accountNumber: accountNumber(), routingNumber: '110000000', mandateAccepted: true };
    const refused = [
      await me.byLink(card),
      await me.inBulk(card),
      await me.post(CARDS, { ...card, cardHolder: 'Jo Fox' }),
      await me.post(ACCOUNTS, bank),
      await me.byLink({ ...bank, paymentMethodType: 'own_debit', accountHolderName: 'Jo Fox' }),
    ];
    expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
      refused.map(() => [400, 'payment.rawCard']),
    );
    expect([await count('attempt', me.customer.id), await count('method_setup', me.customer.id)]).toEqual([
      0, 0,
    ]);
  });
});
