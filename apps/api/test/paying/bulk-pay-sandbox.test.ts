import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { reconcileMethods } from '../../src/features/payment-methods/tasks.ts';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import { newPerson } from '../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';

/**
 * Bulk payment over HTTP, through the real adapter, against a sandbox that delivers real webhooks. What the sandbox's
 * journal says was taken is the judge.
 */
const sandbox = useSandboxFixture();
const PATH = '/v1/ec/payments';
const VISA = ['4242', '4242', '4242', '4242'].join('');
const CHALLENGED = ['4000', '0027', '6000', '3184'].join('');
const DECLINED = ['4000', '0000', '0000', '0002'].join('');

async function payer() {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call: inject } = await newPerson(sandbox);
  const call = async (...asked: Parameters<typeof inject>) => (await inject(...asked)).json();
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1)
    ids.push((await fixture.make.invoice({ customerId: customer.id, resellerId })).id);
  const intent = (await call('POST', `${PATH}/intents`, { invoiceIds: ids })).data as PaymentIntent;
  const read = async () => (await call('POST', `${PATH}/intents/${intent.sessionId}`)).data as PaymentIntent;
  const pay = async (number: string) =>
    (
      await call('POST', `${PATH}/pay/bulk`, {
        uid: intent.sessionId,
        cardToken: await sandbox.cardToken(number),
        cardHolder: 'Jo Fox',
      })
    ).data as PayAnswer;
  /** What the customer is told once it is known: calls of this fixture have little time. */
  const settled = async () => {
    for (let tries = 0; tries < 30; tries += 1) {
      const now = await read();
      if (now.attempt?.expected !== 'seconds') return now;
      await sandbox.advance(10_000);
      await reconcile(fixture.engine);
    }
    return read();
  };
  const taken = async () => {
    const { rows } = await fixture.database
      .pool()
      .query<{ ref: string }>('select ref from attempt where customer_id = $1', [customer.id]);
    const mine = new Set(rows.map(({ ref }) => ref));
    return (await sandbox.charges()).filter((one) => mine.has(one.reference ?? '')).map(({ minor }) => minor);
  };
  return { call, uid: intent.sessionId, read, pay, settled, taken };
}

afterEach(async () => {
  expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
});

describe('bulk payment at Stripe', () => {
  it('takes a new card once and names it; a declined one takes nothing', async () => {
    const { pay, settled, taken } = await payer();
    await pay(DECLINED);
    expect(await settled()).toMatchObject({ status: 4, attempt: { method: 'Visa ending 0002' } });
    await pay(VISA);
    expect(await settled()).toMatchObject({
      status: 3,
      attempt: { status: 'succeeded', amount: 220, method: 'Visa ending 4242' },
    });
    expect(await taken()).toEqual([22_000]);
  });

  it('charges a saved card to the customer at Stripe', async () => {
    const { call, uid, settled, taken } = await payer();
    let saved = await call('POST', `${PATH}/cards`, { token: await sandbox.cardToken(VISA) });
    for (let tries = 0; tries < 20 && saved.data?.expected === 'seconds'; tries += 1) {
      await sandbox.advance(30_000);
      await reconcileMethods(sandbox.fixture.engine);
      saved = await call('POST', `${PATH}/setup-intent/result`, { reqUid: saved.data.reqUid });
    }
    await call('POST', `${PATH}/pay/bulk`, { uid, cardId: saved.data.source.id });
    expect(await settled()).toMatchObject({ status: 3, attempt: { method: 'Visa ending 4242' } });
    expect(await taken()).toEqual([22_000]);
  });

  it('closes an abandoned 3-D Secure at Stripe before another card is charged', async () => {
    const { pay, read, settled, taken } = await payer();
    await pay(CHALLENGED);
    expect(await settled()).toMatchObject({ status: 2, attempt: { status: 'requires_action' } });
    const to = (await read()).attempt?.redirectToUrl ?? '';
    for (let tries = 0; tries < 10 && (await read()).status !== 3; tries += 1) {
      await pay(VISA);
      await settled();
    }
    expect(await read()).toMatchObject({ status: 3 });
    // The first tab goes on with its challenge: too late.
    await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ outcome: 'complete' }),
    });
    await sandbox.webhooksDelivered();
    expect(await taken()).toEqual([22_000]);
  });

  it('is paid on Stripe’s own page, and known by its webhook [payments.stripe.{call.checkout-session,field.checkout-session.url,checkout-redirect}]', async () => {
    const { call, uid, read, taken } = await payer();
    const open = async () => call('POST', `${PATH}/checkout-session/${uid}`);
    let page = await open();
    for (let tries = 0; tries < 10 && page.url === undefined; tries += 1) {
      await sandbox.advance(10_000);
      await reconcile(sandbox.fixture.engine);
      page = await open();
    }
    expect(page).toMatchObject({
      data: expect.stringMatching(/^cs_test_/),
      url: expect.stringMatching(/^http/),
    });
    const form = {
      type: 'card',
      'card[number]': VISA,
      'card[exp_month]': '12',
      'card[exp_year]': '2036',
      'card[cvc]': '123',
      'billing_details[name]': 'Ada',
    };
    const paid = await fetch(page.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    expect(paid.headers.get('location')).toContain(`/payment-result?req_uid=${uid}`);
    await sandbox.webhooksDelivered();
    expect(await read()).toMatchObject({
      status: 3,
      attempt: { status: 'succeeded', method: 'Visa ending 4242' },
    });
    expect(await taken()).toEqual([22_000]);
  });
});
