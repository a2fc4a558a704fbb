import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { reconcileMethods } from '../../../src/features/payment-methods/tasks.ts';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../../processes/fault-runs.ts';

/**
 * The conformance cases of Stripe for the page of its own and for bank debits, over HTTP, through the real adapter.
 * Numbers in titles are those of packages/gateways/src/stripe/cases-data.ts.
 */
const sandbox = useSandboxFixture({ directDebitPaymentMethodId: 1 });
const run = faultRun(sandbox);
const PATH = '/v1/ec/payments';
const VISA = ['4242', '4242', '4242', '4242'].join('');
const card = {
  type: 'card',
  'card[number]': VISA,
  'card[exp_month]': '12',
  'card[exp_year]': '2036',
  'card[cvc]': '123',
  'billing_details[name]': 'Ada',
};
const becs = {
  type: 'au_becs_debit',
  'au_becs_debit[bsb_number]': '000000',
  'au_becs_debit[account_number]': '900123456',
  'billing_details[name]': 'Jo Fox',
  'billing_details[email]': 'jo@mail.example',
};

async function atStripe(path: string, form?: Record<string, string>, key = 'sk_test_faults') {
  const url = [...sandbox.fixture.deps.config.gatewayUrls.values()][0] ?? '';
  const answer = await fetch(`${url}/v1/${path}`, {
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    headers: { authorization: `Bearer ${key}`, 'stripe-version': '2026-10-28.endive' },
  });
  return { code: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** A customer who has opened a session for one invoice of 110.00. */
async function payer(currency: string) {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call: inject } = await newPerson(sandbox);
  const call = async (...asked: Parameters<typeof inject>) => (await inject(...asked)).json();
  const invoice = await fixture.make.invoice({ customerId: customer.id, resellerId, currency });
  const open = async () =>
    (await call('POST', `${PATH}/intents`, { invoiceIds: [invoice.id] })).data as PaymentIntent;
  const { sessionId: uid } = await open();
  const read = async () => (await call('POST', `${PATH}/intents/${uid}`)).data as PaymentIntent;
  /** Asks again until it `isThere`: calls of this fixture have little time. */
  const until = async <T>(ask: () => Promise<T>, isThere: (got: T) => boolean): Promise<T> => {
    let got = await ask();
    for (let tries = 0; tries < 20 && !isThere(got); tries += 1) {
      await sandbox.advance(5_000);
      await reconcile(fixture.engine);
      await reconcileMethods(fixture.engine);
      got = await ask();
    }
    return got;
  };
  const attempts = () =>
    run.rows<{ ref: string; state: string; remote: string }>(
      'select ref, state, remote from attempt where customer_id = $1 order by id',
      [customer.id],
    );
  const due = async () =>
    (
      await run.rows<{ due: number }>('select due_minor::int as due from invoice where id = $1', [invoice.id])
    )[0]?.due;
  const taken = async () => {
    const refs = new Set((await attempts()).map(({ ref }) => ref));
    return (await sandbox.charges())
      .filter(({ reference }) => refs.has(reference ?? ''))
      .map(({ minor }) => minor);
  };
  const payByCard = async () =>
    call('POST', `${PATH}/pay/bulk`, { uid, cardHolder: 'Jo Fox', cardToken: await sandbox.cardToken(VISA) });
  return { call, uid, open, read, until, attempts, due, taken, payByCard };
}

afterEach(async () => {
  await run.untilEnded();
  await sandbox.webhooksDelivered();
  await run.judge();
});

describe('a page of Stripe’s own', () => {
  it('40: is expired and dead before a card is charged here; a finished one can no longer be expired', async () => {
    const me = await payer('USD');
    const page = await me.until(
      () => me.call('POST', `${PATH}/checkout-session/${me.uid}`),
      ({ url }) => url !== undefined,
    );
    const session = await atStripe(`checkout/sessions/${page.data}`);
    expect(session.body).toMatchObject({ status: 'open' });
    await me.until(
      async () => {
        await me.payByCard();
        return me.read();
      },
      ({ status }) => status === 3,
    );
    expect((await atStripe(`checkout/sessions/${page.data}`)).body).toMatchObject({ status: 'expired' });
    const late = await fetch(page.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(card),
    });
    expect(late.status).toBe(410);
    expect(await me.attempts()).toMatchObject([{ state: 'closed' }, { state: 'succeeded' }]);
    expect(await me.taken()).toEqual([11_000]);

    const other = await payer('USD');
    const paid = await other.until(
      () => other.call('POST', `${PATH}/checkout-session/${other.uid}`),
      ({ url }) => url !== undefined,
    );
    await fetch(paid.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(card) });
    expect((await atStripe(`checkout/sessions/${paid.data}/expire`, {})).code).toBe(400);
    await sandbox.webhooksDelivered();
    await other.payByCard();
    expect(await other.taken()).toEqual([11_000]);
  });
});

describe('a bank debit on its way', () => {
  async function submitted() {
    const me = await payer('AUD');
    const { body } = await atStripe('payment_methods', becs, 'pk_test_faults');
    const setup = { paymentMethodId: body['id'], paymentMethodType: 'au_becs_debit', mandateAccepted: true };
    await me.call('POST', `${PATH}/setup-intent`, setup);
    const [account] = await me.until(
      async () => (await me.call('GET', `${PATH}/payment-methods`)).data as { id: string }[],
      (list) => list.length > 0,
    );
    await me.call('POST', `${PATH}/pay/bulk`, { uid: me.uid, cardId: account?.id });
    const shown = await me.until(me.read, ({ attempt }) => attempt?.expected !== 'seconds');
    expect(shown).toMatchObject({ attempt: { status: 'processing', expected: 'days' } });
    const [attempt] = await me.attempts();
    return { me, remote: attempt?.remote ?? '' };
  }

  it('42: cannot be canceled, and succeeds', async () => {
    const { me, remote } = await submitted();
    expect(await atStripe(`payment_intents/${remote}/cancel`, {})).toMatchObject({
      code: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    });
    await sandbox.advance(200_000);
    await sandbox.webhooksDelivered();
    expect(await me.attempts()).toMatchObject([{ state: 'succeeded' }]);
    expect([await me.due(), await me.taken()]).toEqual([0, [11_000]]);
  });

  it('42: canceled at Stripe after all leaves the invoice open', async () => {
    const { me, remote } = await submitted();
    await sandbox.control('POST', 'settings', { cancelProcessing: true });
    expect((await atStripe(`payment_intents/${remote}/cancel`, {})).body).toMatchObject({
      status: 'canceled',
    });
    await sandbox.control('POST', 'settings', { cancelProcessing: false });
    await sandbox.webhooksDelivered();
    await run.untilEnded();
    expect(await me.attempts()).toMatchObject([{ state: 'closed' }]);
    expect([await me.due(), await me.taken()]).toEqual([11_000, []]);
    expect((await me.open()).sessionId).toEqual(expect.any(String));
  });
});
