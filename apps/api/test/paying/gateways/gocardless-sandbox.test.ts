import { createHmac } from 'node:crypto';
import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { OpenSetup, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doAfterEnd } from '../../../src/features/payments/after-end/rounds.ts';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';

/** GoCardless through the whole server: a mandate given on its page, and debits that come, fail and come back days later. */
const TOKEN = 'sandbox_product';
const sandbox = useSandboxFixture(
  { directDebitPaymentMethodId: 1 },
  {
    // No call is cut here, however busy the machine is.
    timeoutMs: 5_000,
    account: {
      id: 'gocardless',
      settings: { environment: 'sandbox', accessToken: TOKEN, webhookSecrets: ['hook'] },
      webhookSecret: 'hook',
    },
  },
);
const ACCOUNTS = '/v1/ec/payments/payment-methods';
const PATH = '/v1/ec/payments';
const DAY = 24 * 60 * 60_000;
// Nothing goes to the bank by itself unless a test moves the clock that far.
beforeAll(() => sandbox.control('POST', 'settings', { debitMs: 30 * DAY }));

async function api(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${sandbox.sandboxUrl}/gocardless/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'gocardless-version': '2015-07-06',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}
const run = (simulator: string, resource: string) =>
  api('POST', `/scenario_simulators/${simulator}/actions/run`, { data: { links: { resource } } });

/** Somebody new of the reseller. */
async function person() {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call } = await newPerson(sandbox);
  const rows = async <Row>(text: string): Promise<Row[]> =>
    (await fixture.database.pool().query(text, [customer.id])).rows as Row[];
  const list = async () => (await call('GET', ACCOUNTS)).json().data as SavedSource[];
  const begin = async () =>
    (await call('GET', `${PATH}/setup-intent?paymentMethodType=ach`)).json().data as OpenSetup;
  /** Types an account into the provider's page and agrees. @returns where the browser is sent */
  const give = async ({ redirectToUrl = '' }: OpenSetup, name = 'Successful') => {
    const account = { bank_code: '026073150', account_number: '2715500356', account_type: 'checking' };
    const body = new URLSearchParams({ mandate: 'accepted', given_name: name, ...account });
    const answer = await fetch(redirectToUrl, { method: 'POST', redirect: 'manual', body });
    return answer.headers.get('location');
  };
  /** An invoice of 110.00, and a session to pay it. */
  const session = async () => {
    const invoice = await fixture.make.invoice({ customerId: customer.id, resellerId });
    return (await call('POST', `${PATH}/intents`, { invoiceIds: [invoice.id] })).json().data as PaymentIntent;
  };
  const pay = async ({ sessionId }: PaymentIntent, cardId: string) =>
    (await call('POST', `${PATH}/pay/bulk`, { uid: sessionId, cardId })).json().data as {
      readonly status: string;
      readonly expected?: string;
    };
  /** The first invoice: its status, and what is due. */
  const invoice = async () =>
    (
      await rows<{ status: number; due: string }>(
        'select status, due_minor::text as due from invoice where customer_id = $1',
      )
    )[0];
  const remote = async () =>
    (
      await rows<{ remote: string }>(
        "select remote from attempt where customer_id = $1 and direction = 'charge' order by sent_at limit 1",
      )
    )[0]?.remote ?? '';
  const attempts = async () =>
    (
      await rows<{ one: string }>(
        "select direction || ' ' || state as one from attempt where customer_id = $1 order by sent_at, id",
      )
    ).map(({ one }) => one);
  return { call, rows, list, begin, give, session, pay, invoice, remote, attempts };
}

/** Webhooks have come and all that follows from them is done. */
async function told(): Promise<void> {
  await sandbox.webhooksDelivered();
  await doAfterEnd(sandbox.fixture.engine);
  await sandbox.advance(2 * 60 * 60_000);
  await reconcile(sandbox.fixture.engine);
  await sandbox.webhooksDelivered();
}

/** Somebody with a mandate, and a debit of an invoice on its way. */
async function underWay() {
  const me = await person();
  await me.give(await me.begin());
  await told();
  const [saved] = await me.list();
  const session = await me.session();
  expect(await me.pay(session, saved?.id ?? '')).toMatchObject({ status: 'processing', expected: 'days' });
  return { me, saved, session, payment: await me.remote() };
}

afterAll(async () => {
  expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
});

describe('GoCardless', () => {
  it('7: saves a bank account on its own page; the webhook alone is enough [payments.gocardless.call.list]', async () => {
    const me = await person();
    const setup = await me.begin();
    expect(await me.list()).toEqual([]);
    expect((await me.begin()).reqUid).toBe(setup.reqUid);
    expect(await me.give(setup)).toBe(setup.returnUrl);
    // Nobody comes back to the portal.
    await told();
    expect(await me.list()).toMatchObject([
      {
        isDefault: true,
        kind: 'bank',
        last4: '56',
        status: 'ready',
        usbankAccount: { last4: '56', bankName: 'TEST BANK PLC' },
      },
    ]);
    const answer = await me.call('POST', `${PATH}/setup-intent/result`, { reqUid: setup.reqUid });
    expect(answer.json().data).toMatchObject({ status: 'succeeded' });
  });

  it('20: a debit is on its way for days, is not made twice, and pays once when it is confirmed', async () => {
    const { me, saved, session, payment } = await underWay();
    expect(await me.pay(session, saved?.id ?? '')).toMatchObject({ status: 'processing', expected: 'days' });
    expect(await me.invoice()).toMatchObject({ status: 10 });
    await run('payment_confirmed', payment);
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    expect((await sandbox.charges()).filter((one) => one.remote === payment)).toHaveLength(1);
  });

  it('21: one that fails opens the invoice, and says why', async () => {
    const { me, session, payment } = await underWay();
    await run('payment_failed', payment);
    await told();
    expect(await me.invoice()).toMatchObject({ status: 10, due: '11000' });
    const intent = (await me.call('POST', `${PATH}/intents/${session.sessionId}`)).json()
      .data as PaymentIntent;
    expect(intent.attempt?.message).toContain('Please check your balance');
  });

  it.each(['payment', 'mandate'])(
    'a %s that is cancelled at the provider takes nothing, and its invoice is due again',
    async (what) => {
      const { me, saved, session, payment } = await underWay();
      const { payments } = (await api('GET', `/payments/${payment}`)) as {
        payments: { links: { mandate: string } };
      };
      const path = what === 'payment' ? `/payments/${payment}` : `/mandates/${payments.links.mandate}`;
      await api('POST', `${path}/actions/cancel`, { data: {} });
      await told();
      expect(await me.invoice()).toMatchObject({ status: 10, due: '11000' });
      expect(await me.attempts()).toHaveLength(1);
      expect((await sandbox.charges()).filter((one) => one.remote === payment)).toEqual([]);
      // A mandate that has ended debits nothing more.
      const again = await me.pay(session, saved?.id ?? '').catch(() => undefined);
      if (what === 'mandate') expect(again?.status).not.toBe('processing');
      expect(await me.attempts()).toHaveLength(what === 'mandate' ? 1 : 2);
    },
  );

  it('22, 34, 35: late failures, collections after them, chargebacks and their wins are booked once each', async () => {
    const { me, payment } = await underWay();
    await run('payment_confirmed', payment);
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    await run('payment_late_failure', payment);
    await told();
    expect(await me.invoice()).toMatchObject({ status: 10, due: '11000' });
    await run('own_payment_resubmitted', payment);
    await told();
    expect(await me.attempts()).toEqual(['charge succeeded', 'resubmission pending']);
    await run('payment_paid_out', payment);
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    await run('payment_charged_back', payment);
    await told();
    expect(await me.invoice()).toMatchObject({ status: 10, due: '11000' });
    await run('own_chargeback_cancelled', payment);
    await told();
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    expect(await me.attempts()).toEqual(['charge succeeded', 'resubmission succeeded']);
  });

  it('34: one that failed and is collected once more pays its invoice; what was paid otherwise meanwhile becomes credit', async () => {
    const { me, saved, payment } = await underWay();
    await run('payment_failed', payment);
    await told();
    const [{ id: invoiceId = '' } = {}] = await me.rows<{ id: string }>(
      'select id from invoice where customer_id = $1',
    );
    const again = (await me.call('POST', `${PATH}/intents`, { invoiceIds: [invoiceId] })).json()
      .data as PaymentIntent;
    await me.pay(again, saved?.id ?? '');
    await run('own_payment_resubmitted', payment);
    await told();
    expect(await me.attempts()).toEqual(['charge declined', 'charge pending', 'resubmission pending']);
    const [second] = await me.rows<{ remote: string }>(
      "select remote from attempt where customer_id = $1 and state = 'pending' and direction = 'charge'",
    );
    await run('payment_confirmed', second?.remote ?? '');
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    await run('payment_confirmed', payment);
    await told();
    expect(await me.attempts()).toEqual(['charge declined', 'charge succeeded', 'resubmission succeeded']);
    expect(
      await me.rows("select 1 from allocation where customer_id = $1 and target = 'credit'"),
    ).toHaveLength(1);
  });

  it('33: a debit that is collected again by itself stays on its way; a second payment is refused', async () => {
    const { me, saved, session, payment } = await underWay();
    await run('own_payment_failed_to_be_retried', payment);
    await told();
    expect(await me.pay(session, saved?.id ?? '')).toMatchObject({ status: 'processing' });
    await run('own_payment_resubmitted', payment);
    await run('payment_confirmed', payment);
    await told();
    expect(await me.invoice()).toEqual({ status: 11, due: '0' });
    expect(await me.attempts()).toEqual(['charge succeeded']);
  });

  it('33: a late failure that is collected again by itself holds its invoice, until it is paid once more or due', async () => {
    const { me, payment } = await underWay();
    await run('payment_confirmed', payment);
    await told();
    for (const [end, invoice] of [
      ['payment_confirmed', { status: 11, due: '0' }],
      ['payment_failed', { status: 10, due: '11000' }],
    ] as const) {
      for (const simulator of ['own_payment_failed_to_be_retried', 'own_payment_resubmitted']) {
        await run(simulator, payment);
        await told();
        expect((await me.attempts()).at(-1)).toBe('resubmission pending');
        const held = await me.rows(
          'select status, held_minor::int as held from invoice where customer_id = $1',
        );
        expect(held).toEqual([{ status: 10, held: 11_000 }]);
      }
      await run(end, payment);
      await told();
      expect(await me.invoice()).toMatchObject(invoice);
    }
  });

  it('24, 25, 26: a forged delivery is answered 498; all events of a payment again, twice and reversed, change nothing', async () => {
    const { me, payment } = await underWay();
    await run('payment_late_failure', payment);
    const { events } = await api('GET', `/events?payment=${payment}`);
    await told();
    const before = [await me.invoice(), await me.attempts()];
    const deliver = async (payload: string, secret: string) => {
      const signature = createHmac('sha256', secret).update(payload).digest('hex');
      const headers = { 'content-type': 'application/json', 'webhook-signature': signature };
      const url = `/v1/webhooks/gocardless/${sandbox.customer.resellerId}`;
      return (await sandbox.fixture.app.inject({ method: 'POST', url, headers, payload })).statusCode;
    };
    const body = (list: unknown) => JSON.stringify({ events: list, meta: { webhook_id: 'WB1' } });
    const newestFirst = events as readonly { readonly id: string }[];
    expect(await deliver(body(newestFirst), 'forged')).toBe(498);
    const others = Array.from({ length: 240 }, (_, at) => ({
      ...newestFirst[0],
      id: `EV${at}`,
      links: { payment: 'PM0' },
    }));
    for (const list of [newestFirst, [...newestFirst].reverse(), [...newestFirst, ...others]])
      expect(await deliver(body(list), 'hook')).toBe(200);
    await told();
    expect([await me.invoice(), await me.attempts()]).toEqual(before);
  });

  it('29: a removed account is cancelled there, and one whose debit is on its way is not removed', async () => {
    const { me, saved, payment } = await underWay();
    const refused = await me.call('DELETE', `${ACCOUNTS}/${saved?.id}/detach`);
    expect(refused.statusCode).toBe(409);
    await run('payment_paid_out', payment);
    await told();
    expect((await me.call('DELETE', `${ACCOUNTS}/${saved?.id}/detach`)).statusCode).toBe(204);
    await told();
    expect(await me.list()).toEqual([]);
  });
});
