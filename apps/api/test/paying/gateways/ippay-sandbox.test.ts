import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { answerPage, sandboxKeys } from '@counterfoil/gateways/ippay/demo.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { doAfterEnd } from '../../../src/features/payments/after-end/rounds.ts';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { pollEvents } from '../../../src/features/payments/webhooks/poll-events.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';

/** IPpay through the whole server: what its hosted page posts, and what becomes of it. */
const sandbox = useSandboxFixture(
  { directDebitPaymentMethodId: 1 },
  { account: { id: 'ippay', settings: sandboxKeys('product') } },
);
const CARDS = '/v1/ec/ippay/cards';
const ENTRIES = '/v1/ec/payments/entries';
const minute = 60_000;
const day = 24 * 60 * minute;
let numbers = 0;
/** A card that nobody has had: one card is one token, and belongs to who has saved it. */
function newNumber(): string {
  numbers += 1;
  const start = `4111${String(numbers).padStart(11, '0')}`;
  return [...'0123456789'].map((digit) => `${start}${digit}`).find(passesLuhn) ?? '';
}
const card = (number = newNumber(), code = '123') => ({ number, expiry: '09/31', code });
function newAccount() {
  numbers += 1;
  return { routing: '111000025', account: `0001${String(numbers).padStart(5, '0')}` };
}
const owner = { cardHolder: 'Ana Poe', email: 'ana@mail.example' };

type Answer = Awaited<ReturnType<typeof sandbox.fixture.app.inject>>;
const dataOf = (answer: Answer) => answer.json().data;

/** Somebody new of the reseller. */
async function person() {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call } = await newPerson(sandbox);
  const list = async () => dataOf(await call('GET', CARDS)) as SavedSource[];
  const prepare = async (kind: 'card' | 'bank' = 'card') =>
    dataOf(
      await call('POST', ENTRIES, { purpose: 'save', kind, ...(kind === 'bank' && { scheme: 'ach' }) }),
    ) as PreparedEntry;
  const save = (entryId: string, more: object = {}) => call('POST', CARDS, { entryId, ...owner, ...more });
  /** Enters a method on the hosted page, and saves it. */
  const add = async (typed: Readonly<Record<string, string>>) => {
    const isBank = 'account' in typed;
    const { entryId } = await posted(await prepare(isBank ? 'bank' : 'card'), typed);
    const bank = { paymentMethodType: 'ach', accountHolderName: 'Ana Poe', mandateAccepted: true };
    return dataOf(await save(entryId, isBank ? bank : {}));
  };
  const invoice = () => fixture.make.invoice({ customerId: customer.id, resellerId });
  const pay = async (invoiceId: string, cardId: string) => {
    const { sessionId } = dataOf(await call('POST', '/v1/ec/payments/intents', { invoiceIds: [invoiceId] }));
    return dataOf(await call('POST', '/v1/ec/payments/pay/bulk', { uid: sessionId, cardId }));
  };
  const rows = async <Row>(text: string, ...more: unknown[]): Promise<Row[]> =>
    (await fixture.database.pool().query(text, [customer.id, ...more])).rows as Row[];
  return { customer, call, list, prepare, save, add, invoice, pay, rows };
}

const callback = (entryId: string, payload: object, headers: Record<string, string> = {}) =>
  sandbox.fixture.app.inject({ method: 'POST', url: `/v1/entries/${entryId}/callback`, payload, headers });

/** Goes through the hosted page, which posts to the callback of the entry. */
async function posted(entry: PreparedEntry, typed: Readonly<Record<string, string>>) {
  const fields = await answerPage(entry.action, typed);
  const answer = await callback(entry.entryId, fields);
  return { entryId: entry.entryId, fields, status: answer.statusCode };
}

/** A pay link of somebody. */
async function linked(me: Awaited<ReturnType<typeof person>>, subtotalMinor: bigint) {
  const invoice = await sandbox.fixture.seedPayable(
    { id: me.customer.id, resellerId: sandbox.customer.resellerId },
    { currency: 'USD', subtotalMinor, taxMinor: 0n },
  );
  const post = async (url: string, payload: object) =>
    sandbox.fixture.app.inject({ method: 'POST', url, payload });
  const prepare = async () =>
    dataOf(await post(`/v1/ec/pay/${invoice.token}/entries`, { kind: 'card' })) as PreparedEntry;
  const invoiceAmount = `${subtotalMinor / 100n}.${String(subtotalMinor % 100n).padStart(2, '0')}`;
  const pay = (more: object) =>
    post('/v1/ec/pay', {
      uid: invoice.token,
      invoiceAmount,
      invoiceNumber: invoice.number,
      ...owner,
      ...more,
    });
  return { invoice, prepare, pay };
}

afterAll(async () => {
  expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
});

describe('saved methods', () => {
  it('5, 27: the same card entered again is the same method [payments.ippay.call.add, payments.gateway.constant.code.4]', async () => {
    const me = await person();
    expect(dataOf(await me.call('GET', '/v1/ec/payments/details'))).toMatchObject({ paymentType: 4 });
    const number = newNumber();
    for (let time = 0; time < 2; time += 1)
      expect(await me.add(card(number))).toMatchObject({ status: 'succeeded' });
    expect(await me.list()).toHaveLength(1);
  });

  it('are listed with what the specification shows of them [payments.ippay.call.cards, payments.ippay.field.{ipPayCard.type,ipPayCard.number,ipPayBankAccount.accNum,cards.sourceType}, payments.source.field.number]', async () => {
    const me = await person();
    const [entered, account] = [card(), newAccount()];
    await me.add(entered);
    await me.add(account);
    const [number, accNum] = [entered.number, account.account].map((whole) => `****${whole.slice(-4)}`);
    expect(await me.list()).toMatchObject([
      { sourceType: 'CC', isDefault: true, ipPayCard: { type: 'visa', number } },
      { sourceType: 'ACH', isDefault: false, ipPayBankAccount: { accNum } },
    ]);
  });

  it('one is made the default, and gets another expiry, by the same call [payments.ippay.call.default]', async () => {
    const me = await person();
    await me.add(card());
    await me.add(card());
    const [first, second] = await me.list();
    expect((await me.call('PUT', CARDS, { id: second?.id })).statusCode).toBe(204);
    expect((await me.list()).map(({ isDefault }) => isDefault)).toEqual([false, true]);
    const expMonth = '11';
    const expYear = `${new Date().getUTCFullYear() + 3}`;
    const changed = await me.call('PUT', CARDS, { id: first?.id, expMonth, expYear });
    expect(dataOf(changed)).toMatchObject({ id: first?.id, expMonth: 11, expYear: Number(expYear) });
    // Changing one makes it no default.
    expect((await me.list()).map(({ isDefault }) => isDefault)).toEqual([false, true]);
    expect((await me.call('PUT', CARDS, { id: first?.id, isDefault: false })).statusCode).toBe(400);
  });

  it('one is removed, and nobody else’s is touched [payments.ippay.call.delete]', async () => {
    const [me, stranger] = [await person(), await person()];
    await me.add(card());
    await me.add(card());
    const [first, second] = await me.list();
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await stranger.call(method, CARDS, { id: first?.id })).statusCode).toBe(404);
    expect((await me.call('DELETE', CARDS, { id: first?.id })).statusCode).toBe(204);
    expect(await me.list()).toMatchObject([{ id: second?.id, isDefault: true }]);
  });

  it.each(['CC', 'ACH'])('the hosted button comes as markup: %s', async (type) => {
    const me = await person();
    const answer = await me.call('GET', `${CARDS}/${type}/templates`);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(answer.body).toContain(`name="PaymentType" value="${type}"`);
    expect(answer.body).toMatch(/name="TransactionType" value="TOKENIZE".*<button type="submit">/);
    expect(answer.body).not.toContain('key-product');
  });

  it('the markup stands at the paths of saving, of a session and of a link, in no envelope [payments.ippay.call.{templates,bulk-template}, payments.public.call.template, decisions.3.exempt-markup]', async () => {
    const me = await person();
    const invoice = await me.invoice();
    const intents = await me.call('POST', '/v1/ec/payments/intents', { invoiceIds: [invoice.id] });
    const { sessionId } = dataOf(intents);
    const { token } = (await linked(me, 4_250n)).invoice;
    for (const path of [
      `${CARDS}/CC/templates`,
      `/v1/ec/ippay/pay/bulk-template/${sessionId}`,
      `/v1/ec/pay/${token}/template`,
    ]) {
      const { body } = await me.call('GET', path);
      expect(body, path).toMatch(/^<!doctype html>/);
      expect(body, path).toContain('value="TOKENIZE"');
    }
  });
});

describe('what is posted to a callback', () => {
  it('28: a callback counts once', async () => {
    const me = await person();
    const entry = await me.prepare();
    const { fields, status } = await posted(entry, card());
    expect(status).toBe(204);
    expect((await callback(entry.entryId, fields)).json()).toMatchObject({ code: 'entry.used' });
    // Nor to another form: by its reference, and by the page's transaction where that was altered.
    const next = await me.prepare();
    if (next.action.do !== 'form') throw new Error(next.action.do);
    const replayed = { ...fields, ReferenceID: next.action.fields['ReferenceID'] };
    expect((await callback(next.entryId, fields)).json()).toMatchObject({ code: 'request.invalid' });
    expect((await callback(next.entryId, replayed)).json()).toMatchObject({ code: 'entry.used' });
    expect(dataOf(await me.save(entry.entryId))).toMatchObject({ status: 'succeeded' });
    expect((await me.save(next.entryId)).json().data).toBeUndefined();
    expect(await me.list()).toHaveLength(1);
  });

  it('29: what was tampered with changes nothing, and the price of our page is charged', async () => {
    const me = await person();
    const { invoice, prepare, pay } = await linked(me, 4_250n);
    const entry = await prepare();
    const fields = await answerPage(entry.action, card());
    for (const forged of [{ ReturnToken: 'f'.repeat(40) }, { AuthCode: 'TEST42' }, { ReferenceID: 'OTHER' }])
      expect((await callback(entry.entryId, { ...fields, ...forged })).statusCode).toBe(400);
    // A token without a callback is none.
    const alone = await pay({ entryId: entry.entryId, cardToken: fields['CardToken'] });
    expect(alone.json().data?.status).not.toBe('succeeded');
    const again = await prepare();
    const altered = { ...(await answerPage(again.action, card())), Amount: '0.01' };
    expect((await callback(again.entryId, altered)).statusCode).toBe(204);
    expect(dataOf(await pay({ entryId: again.entryId }))).toMatchObject({ status: 'succeeded' });
    const [row] = await me.rows<{ amount: string }>(
      'select amount_minor::text as amount from capture where customer_id = $1',
    );
    expect(row).toEqual({ amount: '4250' });
    expect(invoice.token).toBeDefined();
  });

  it('32: the code of the page is what the page around it is told; a refusal is a short warning', async () => {
    const me = await person();
    const entry = await me.prepare();
    const html = { accept: 'text/html' };
    const wrong = await answerPage(entry.action, card(`${newNumber().slice(0, -1)}x`));
    const refused = await callback(entry.entryId, wrong, html);
    expect(refused.body).toContain('parent.postMessage("Please check the card number.", location.origin)');
    // What was not taken is typed again.
    const fields = await answerPage(entry.action, card(newNumber(), '103'));
    const taken = await callback(entry.entryId, fields, html);
    expect(taken.body).toContain('parent.postMessage("AFS-103", location.origin)');
    const next = await me.prepare();
    const done = await callback(next.entryId, await answerPage(next.action, card()), html);
    expect(done.body).toContain('parent.postMessage("000", location.origin)');
  });

  it('38: the token of another customer is neither saved nor charged', async () => {
    const [me, thief] = [await person(), await person()];
    const number = newNumber();
    const entry = await me.prepare();
    const { fields: mine } = await posted(entry, card(number));
    await me.save(entry.entryId);
    const theirs = await thief.prepare();
    const fields = { ...(await answerPage(theirs.action, card())), CardToken: mine['CardToken'] };
    expect((await callback(theirs.entryId, fields)).json()).toMatchObject({ code: 'entry.notEntered' });
    await thief.save(theirs.entryId);
    expect(await thief.list()).toEqual([]);
    const { prepare, pay } = await linked(thief, 4_250n);
    const link = await prepare();
    const stolen = { ...(await answerPage(link.action, card())), CardToken: mine['CardToken'] };
    expect((await callback(link.entryId, stolen)).statusCode).toBe(400);
    expect((await pay({ entryId: link.entryId })).json().data?.status).not.toBe('succeeded');
    expect(await thief.rows('select 1 from capture where customer_id = $1')).toEqual([]);
    // Once it is removed it is nobody's.
    const [saved] = await me.list();
    await me.call('DELETE', CARDS, { id: saved?.id });
    expect(await thief.add(card(number))).toMatchObject({ status: 'succeeded' });
  });
});

describe('payments', () => {
  it('31: a card that is declined is told so, and the invoice stays due', async () => {
    const me = await person();
    const { prepare, pay } = await linked(me, 1_005n);
    const { entryId } = await posted(await prepare(), card());
    expect(dataOf(await pay({ entryId }))).toMatchObject({
      status: 'failed',
      message: 'Your card was declined',
    });
    const next = await posted(await prepare(), card());
    // Two presses are one payment; the later one may be told no more than that.
    const two = await Promise.all([1, 2].map(() => pay({ entryId: next.entryId })));
    expect(new Set(two.flatMap((answer) => dataOf(answer)?.attemptId ?? [])).size).toBe(1);
    const attempts = await me.rows<{ state: string }>('select state from attempt where customer_id = $1');
    expect(attempts.map(({ state }) => state)).toEqual(['declined', 'declined']);
  });

  it('34: a debit that its bank returns opens the invoice again, once', async () => {
    const me = await person();
    await me.add(newAccount());
    const [saved] = await me.list();
    const invoice = await me.invoice();
    const stand = async () =>
      (
        await me.rows<{ status: number; due: number }>(
          'select status, due_minor::int as due from invoice where customer_id = $1 and id = $2',
          invoice.id,
        )
      )[0];
    const due = (await stand())?.due;
    await sandbox.control('POST', 'faults', {
      gateway: 'ippay',
      operation: 'charge',
      mode: 'late-failure',
      times: 1,
      ms: 3 * day,
    });
    expect(await me.pay(invoice.id, saved?.id ?? '')).toMatchObject({
      status: 'processing',
      expected: 'days',
    });
    await sandbox.advance(day);
    await reconcile(sandbox.fixture.engine);
    expect(await stand()).toEqual({ status: 11, due: 0 });
    await sandbox.advance(3 * day);
    for (let look = 0; look < 2; look += 1) {
      await pollEvents(sandbox.fixture.engine);
      await sandbox.fixture.eventsFollowed();
      await doAfterEnd(sandbox.fixture.engine);
      expect(await stand()).toEqual({ status: 10, due });
      await sandbox.advance(10 * minute);
    }
  });

  it('a lost answer is told as being confirmed until it is found twice', async () => {
    const me = await person();
    const { prepare, pay } = await linked(me, 4_250n);
    const { entryId } = await posted(await prepare(), card());
    await sandbox.control('POST', 'faults', {
      gateway: 'ippay',
      operation: 'charge',
      mode: 'reset-after',
      times: 1,
    });
    expect(dataOf(await pay({ entryId }))).toMatchObject({ status: 'processing' });
    const state = async () =>
      (await me.rows<{ state: string }>('select state from attempt where customer_id = $1'))[0]?.state;
    const look = async (ms: number) => {
      await sandbox.advance(ms);
      await reconcile(sandbox.fixture.engine);
      return state();
    };
    expect(await look(minute)).toBe('pending');
    expect(await look(5 * minute)).toBe('pending');
    await look(6 * minute);
    expect(await look(10 * minute)).toBe('succeeded');
    expect(await me.rows('select 1 from capture where customer_id = $1')).toHaveLength(1);
  });
});
