import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, dayOfUtcMs } from '@counterfoil/domain/day.ts';
import { newId } from '@counterfoil/domain/ids.ts';
import type { InvoiceSeed } from '@counterfoil/testing/factories.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { autoPayRound } from '../src/features/auto-pay/service.ts';
import { reconcileMethods } from '../src/features/payment-methods/tasks.ts';
import { followCredit } from '../src/features/payments/credit.ts';
import { refundPayment } from '../src/features/payments/refunds/refund.ts';
import { signInAt } from './access-matrix/tenants.ts';
import type { FaultRun } from './fault-runs.ts';
import type { SandboxFixture } from './sandbox-fixture.ts';

const DAY_MS = 24 * 3_600_000;
const PAYMENTS = '/v1/ec/payments';

export type Payable = InvoiceSeed & { readonly token: string };

/** One operation of one customer with everything ready, so that only the operation itself meets trouble. */
export interface Ready {
  readonly customerId: string;
  readonly invoices: readonly Payable[];
  /** The most that may be taken for these invoices: what is due, and the fee. */
  readonly mostMinor: number;
  /** Does it, as a click or a round does; what is told of it, undefined where nobody is told anything. */
  press(): Promise<string | undefined>;
  /** The same as a request to any server, where it is one. */
  readonly request?: Asking;
}

export interface Asking {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Of a paying call's answer. */
interface Told {
  readonly status: string;
  readonly attemptId: string;
  readonly amount?: number;
}

export interface OperationsFixture {
  /** Bulk payment of two invoices by a saved card, with some credit. */
  bulkSaved(card: string): Promise<Ready>;
  bulkToken(card: string): Promise<Ready>;
  /** An announced invoice on the day of its charge; with `later` that is three days ahead, and the clock stands. */
  autoPay(card: string, later?: 'later'): Promise<Ready>;
  /** The same invoice by auto-pay, by a bulk payment and by its link, each twice, all at the same moment. */
  everyWay(card: string): Promise<Ready>;
  publicPay(card: string): Promise<Ready & { readonly request: Asking }>;
  /** A card that is to be saved; no money moves. */
  setup(card: string): Promise<Ready & { readonly request: Asking }>;
  /** A paid invoice of which 33.00 go back. */
  refund(): Promise<Ready & { readonly captureId: string; readonly refundMinor: number }>;
  /** Pays an invoice by its link. @returns what the payer is told */
  payLink(invoice: Payable, dueMinor: number, card: string): Promise<string>;
  round(): Promise<unknown>;
}

/** @param cardFeeOf the brand's card fee of an amount, minor units */
export function operationsFixture(
  sandbox: SandboxFixture,
  run: FaultRun,
  cardFeeOf: (minor: number) => number,
): OperationsFixture {
  const { rows } = run;
  const now = () => sandbox.fixture.clock.now().getTime();
  const total = (invoices: readonly Payable[]) =>
    invoices.reduce((sum, { subtotalMinor, taxMinor }) => sum + Number(subtotalMinor + taxMinor), 0);

  /** Somebody new of the reseller with their invoices. */
  async function payer(invoiceCount: number, over: Partial<InvoiceSeed> = {}) {
    const { fixture } = sandbox;
    const { resellerId } = sandbox.customer;
    const customer = await fixture.make.customer({
      resellerId,
      brandId: resellerId,
      email: 'jo@mail.example',
    });
    const user = await fixture.make.user({ resellerId, customerIds: [customer.id] });
    const headers = { authorization: '' };
    const signIn = async () => {
      headers.authorization = `Bearer ${(await signInAt(fixture, user.id, 'test')).access_token}`;
    };
    await signIn();
    const call = (method: 'POST' | 'PUT' | 'GET', url: string, payload: object) =>
      fixture.app.inject({ method, url, headers, payload });
    const invoices: Payable[] = [];
    for (let n = 0; n < invoiceCount; n += 1)
      invoices.push(await fixture.seedPayable({ id: customer.id, resellerId }, over));
    /** @returns the saved card's id */
    const save = async (number: string): Promise<string> => {
      // All of them come from one address here.
      await rows('delete from rate_limit');
      const saved = await call('POST', `${PAYMENTS}/cards`, { token: await sandbox.cardToken(number) });
      let data = saved.json().data;
      if (data?.status === 'requires_action') {
        const outcome = new URLSearchParams({ outcome: 'complete' });
        await fetch(data.redirectToUrl, { method: 'POST', redirect: 'manual', body: outcome });
      }
      // Calls of this fixture have little time, and a busy machine takes more; nor does a worker beside us end at once.
      for (let tries = 0; tries < 20 && data?.source === undefined; tries += 1) {
        await sleep(50 * tries);
        await sandbox.advance(30_000);
        await reconcileMethods(fixture.engine);
        const result = { reqUid: data?.reqUid };
        data = (await call('POST', `${PAYMENTS}/setup-intent/result`, result)).json().data ?? data;
      }
      if (data?.source === undefined) throw new Error(`the card was not saved: ${saved.body}`);
      return String(data.source.id);
    };
    return { id: customer.id, headers, signIn, call, invoices, save };
  }

  /** @returns what an attempt is told to be */
  async function pressed(ask: () => Promise<LightMyRequestResponse>): Promise<string | undefined> {
    const answer = await ask();
    run.count(`answer ${answer.statusCode}`);
    if (answer.statusCode !== 200) {
      expect([400, 402, 409, 503], answer.body).toContain(answer.statusCode);
      return undefined;
    }
    const { status, attemptId, amount } = answer.json().data as Told;
    run.heard(attemptId, status, amount);
    return status;
  }

  async function bulk(me: Awaited<ReturnType<typeof payer>>, mostMinor: number, by: object): Promise<Ready> {
    const invoiceIds = me.invoices.map(({ id }) => id);
    const intent = await me.call('POST', `${PAYMENTS}/intents`, { invoiceIds });
    expect(intent.statusCode, intent.body).toBe(200);
    const uid = String(intent.json().data.sessionId);
    const body = { uid, ...by };
    return {
      request: { path: `${PAYMENTS}/pay/bulk`, headers: me.headers, body },
      customerId: me.id,
      invoices: me.invoices,
      mostMinor: mostMinor + cardFeeOf(mostMinor),
      press: () => pressed(() => me.call('POST', `${PAYMENTS}/pay/bulk`, body)),
    };
  }

  /** An invoice that auto-pay has announced, with its card. */
  async function announced(card: string, later?: 'later') {
    // To noon, so that three days more are noon again.
    if (later === undefined) await sandbox.advance(DAY_MS - ((now() - DAY_MS / 2) % DAY_MS));
    const me = await payer(1, { dueOn: addDays(dayOfUtcMs(now()), 3) });
    const cardId = await me.save(card);
    const consent = await me.call('PUT', '/v1/ec/allow-reseller-charge', { allowResellerCharge: true });
    expect(consent.statusCode, consent.body).toBe(200);
    await fixture.round();
    if (later === undefined) await sandbox.advance(3 * DAY_MS);
    return { me, cardId };
  }

  const fixture: OperationsFixture = {
    async bulkSaved(card) {
      const me = await payer(2);
      const cardId = await me.save(card);
      const creditMinor = 3_000n;
      await sandbox.fixture.deps.databases.web.transaction((tx) =>
        followCredit(tx, { customerId: me.id, currency: 'USD' }, creditMinor),
      );
      await rows(
        `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
         values ($1, $2, 'creditNote', 'customerCredit', 'USD', $3, 'invoice', $2, 'credit', $4)`,
        [me.id, newId(), creditMinor, sandbox.fixture.clock.now()],
      );
      return bulk(me, total(me.invoices) - Number(creditMinor), { cardId });
    },
    async bulkToken(card) {
      const me = await payer(2);
      const cardToken = await sandbox.cardToken(card);
      return bulk(me, total(me.invoices), { cardToken, cardHolder: 'Jo Fox' });
    },
    async publicPay(card) {
      const me = await payer(1);
      const [invoice] = me.invoices;
      const due = total(me.invoices);
      const body = {
        uid: invoice?.token,
        invoiceNumber: invoice?.number,
        invoiceAmount: (due / 100).toFixed(2),
        cardToken: await sandbox.cardToken(card),
      };
      return {
        customerId: me.id,
        invoices: me.invoices,
        mostMinor: due + cardFeeOf(due),
        request: { path: '/v1/ec/pay', headers: {}, body },
        press: () => pressed(() => me.call('POST', '/v1/ec/pay', body)),
      };
    },
    async setup(card) {
      const me = await payer(0);
      const body = { token: await sandbox.cardToken(card) };
      const path = `${PAYMENTS}/cards`;
      return {
        customerId: me.id,
        invoices: [],
        mostMinor: 0,
        request: { path, headers: me.headers, body },
        press: async () => (await me.call('POST', path, body)).json().data?.status,
      };
    },
    async autoPay(card, later) {
      const { me } = await announced(card, later);
      const due = total(me.invoices);
      return {
        customerId: me.id,
        invoices: me.invoices,
        mostMinor: due + cardFeeOf(due),
        async press() {
          // Two processes at once.
          await Promise.all([fixture.round(), fixture.round()]);
          return undefined;
        },
      };
    },
    async everyWay(card) {
      const { me, cardId } = await announced(card);
      // Three days have passed.
      await me.signIn();
      const due = total(me.invoices);
      const inBulk = await bulk(me, due, { cardId });
      const [invoice] = me.invoices;
      const links: object[] = [];
      for (let n = 0; n < 2; n += 1)
        links.push({
          uid: invoice?.token,
          invoiceNumber: invoice?.number,
          invoiceAmount: (due / 100).toFixed(2),
          cardToken: await sandbox.cardToken(card),
        });
      return {
        ...inBulk,
        async press() {
          await Promise.all([
            fixture.round(),
            inBulk.press(),
            inBulk.press(),
            fixture.round(),
            ...links.map((link) => pressed(() => me.call('POST', '/v1/ec/pay', link))),
          ]);
          return undefined;
        },
      };
    },
    async refund() {
      const me = await payer(1);
      const [invoice] = me.invoices;
      if (invoice === undefined) throw new Error('there is no invoice');
      const due = total(me.invoices);
      await fixture.payLink(invoice, due, '4242424242424242');
      const isOpen = async () =>
        (await rows('select 1 from attempt where customer_id = $1 and is_open', [me.id])).length > 0;
      if (await isOpen()) await run.untilEnded();
      const [capture] = await rows<{ id: string }>('select id from capture where customer_id = $1', [me.id]);
      const captureId = capture?.id ?? '';
      const order = {
        customerId: me.id,
        captureId,
        minor: 3_300n,
        by: 'operator',
        note: 'x',
        key: { by: 'amount', after: null } as const,
      };
      return {
        customerId: me.id,
        invoices: me.invoices,
        mostMinor: due + cardFeeOf(due),
        captureId,
        refundMinor: Number(order.minor),
        press: async () => (await refundPayment(sandbox.fixture.engine, order)).attempt.state,
      };
    },
    async payLink(invoice, dueMinor, card) {
      const payload = {
        uid: invoice.token,
        invoiceNumber: invoice.number,
        invoiceAmount: (dueMinor / 100).toFixed(2),
        cardToken: await sandbox.cardToken(card),
      };
      const answer = await sandbox.fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload });
      expect(answer.statusCode, answer.body).toBe(200);
      const { status, attemptId, amount } = answer.json().data as Told;
      run.heard(attemptId, status, amount);
      return status;
    },
    round: () =>
      autoPayRound(
        { ...sandbox.fixture.engine, publicUrl: new URL('http://localhost:3000') },
        { resellerId: sandbox.customer.resellerId },
      ),
  };
  return fixture;
}
