import { setTimeout as sleep } from 'node:timers/promises';
import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcileMethods } from '../../src/features/payment-methods/tasks.ts';
import { newPerson } from '../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';

/**
 * Saved methods over HTTP, through the real adapter, against a sandbox that delivers real webhooks: what the gateway
 * says, loses, says late or says by itself, and what the customer then sees.
 */
const sandbox = useSandboxFixture({ directDebitPaymentMethodId: 1 });
const KEY = 'sk_test_faults';
const CARDS = '/v1/ec/payments/cards';
const ACCOUNTS = '/v1/ec/payments/payment-methods';
const SETUP = '/v1/ec/payments/setup-intent';

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await sandbox.fixture.database.pool().query(text, values)).rows as T[];
let sandboxUrl = '';
beforeAll(async () => {
  sandboxUrl = [...sandbox.fixture.deps.config.gatewayUrls.values()][0] ?? '';
});

/** A request of the gateway's own, as somebody at its dashboard or its script makes it. */
async function atStripe(
  path: string,
  form: Record<string, string>,
  key = KEY,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${sandboxUrl}/v1/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: `Bearer ${key}`, 'stripe-version': '2026-10-28.endive' },
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

/** Somebody new of the reseller. */
async function person() {
  const { fixture } = sandbox;
  const { customer, call } = await newPerson(sandbox);
  const list = async (url: string) => (await call('GET', url)).json().data as SavedSource[];
  /** The answer once it is known: calls of this fixture have little time, and a busy machine takes more. */
  const settled = async (first: ReturnType<typeof call>) => {
    let answer = await first;
    for (let tries = 0; tries < 20 && answer.json().data?.expected === 'seconds'; tries += 1) {
      await sandbox.advance(30_000);
      await reconcileMethods(fixture.engine);
      answer = await call('POST', `${SETUP}/result`, { reqUid: answer.json().data.reqUid });
    }
    return answer;
  };
  const add = async (number: string) =>
    settled(call('POST', CARDS, { token: await sandbox.cardToken(number) }));
  /** Again while the gateway does not answer in time. */
  const sure = async (...request: Parameters<typeof call>) => {
    let answer = await call(...request);
    for (let tries = 0; tries < 10 && answer.statusCode === 503; tries += 1) answer = await call(...request);
    return answer;
  };
  return { id: customer.id, call, list, add, settled, sure };
}
const fault = (operation: string, mode: string, more: object = {}) =>
  sandbox.control('POST', 'faults', { gateway: 'stripe', operation, mode, ...more });
/** The holder's answer on the bank's page. @returns where the browser goes next */
async function answerChallenge(to: string, outcome: string): Promise<URL> {
  const answer = await fetch(to, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ outcome }),
  });
  return new URL(answer.headers.get('location') ?? '');
}
const becs = (number: string) =>
  atStripe(
    'payment_methods',
    {
      type: 'au_becs_debit',
      'au_becs_debit[bsb_number]': '000000',
      'au_becs_debit[account_number]': number,
      'billing_details[name]': 'Jo Fox',
      'billing_details[email]': 'jo@mail.example',
    },
    'pk_test_faults',
  );
const until = async (isSo: () => Promise<boolean>) => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error('it did not come so');
};
/** What the gateway calls a customer. */
const payerAt = async (customerId: string): Promise<string> => {
  const [row] = await rows<{ id: string; gateway_state_sealed: Buffer }>(
    'select id, gateway_state_sealed from payer where customer_id = $1',
    [customerId],
  );
  const { secrets } = sandbox.fixture.deps;
  return String(
    JSON.parse(secrets.open(row?.gateway_state_sealed ?? Buffer.of(), row?.id ?? ''))['customer'],
  );
};

describe('cards', () => {
  it('are saved, shown in the specification’s shape, changed, made default and removed [payments.methods.call.{add,update}, payments.source.field.address.*]', async () => {
    const me = await person();
    expect((await me.add('4242424242424242')).json().data.status).toBe('succeeded');
    expect((await me.add('5555555555554444')).json().data.status).toBe('succeeded');
    const [visa, master] = await me.list(CARDS);
    expect(visa).toMatchObject({
      isDefault: true,
      stripeCard: { brand: 'visa', last4: '4242', expMonth: 12, year: 2036 },
    });
    expect(master).toMatchObject({ isDefault: false, stripeCard: { brand: 'mastercard', last4: '4444' } });
    const changed = await me.sure('PUT', CARDS, {
      id: master?.id,
      expMonth: 3,
      expYear: 2040,
      name: 'Al',
      address: { line1: '1 Way', city: 'Perth', country: 'AU' },
    });
    expect(changed.json().data).toMatchObject({
      expMonth: 3,
      expYear: 2040,
      name: 'Al',
      address: { line1: '1 Way', city: 'Perth', country: 'AU' },
    });
    await me.call('PUT', '/v1/ec/payments/customer-default-source', { id: master?.id });
    expect((await me.call('DELETE', `${CARDS}/${master?.id}`)).statusCode).toBe(204);
    await sandbox.webhooksDelivered();
    expect(await me.list(CARDS)).toMatchObject([{ id: visa?.id, isDefault: true }]);
  });

  it('that are declined say why; the same card twice is one', async () => {
    const me = await person();
    const declined = await me.add('4000000000000002');
    expect([declined.statusCode, declined.json().message]).toEqual([402, 'Your card was declined']);
    const [one, two] = [await me.add('4242424242424242'), await me.add('4242424242424242')];
    expect(two.json().data.source.id).toBe(one.json().data.source.id);
    await reconcileMethods(sandbox.fixture.engine);
    await sandbox.webhooksDelivered();
    expect(await me.list(CARDS)).toHaveLength(1);
    expect(
      await rows('select 1 from payment_method where customer_id = $1 and state = $2', [me.id, 'leaving']),
    ).toEqual([]);
  });

  it.each(['complete', 'fail'])('that need their holder: %s', async (how) => {
    const me = await person();
    const { status, redirectToUrl, reqUid } = (await me.add('4000002500003155')).json().data;
    expect(status).toBe('requires_action');
    const back = await answerChallenge(redirectToUrl, how);
    expect(back.pathname).toBe('/payment-types');
    expect(back.searchParams.get('req_uid')).toBe(reqUid);
    const result = await me.settled(me.call('POST', `${SETUP}/result`, { reqUid }));
    expect(result.statusCode).toBe(how === 'complete' ? 200 : 402);
    expect(await me.list(CARDS)).toHaveLength(how === 'complete' ? 1 : 0);
  });

  it('whose holder never comes back are saved by the webhook', async () => {
    const me = await person();
    const { redirectToUrl } = (await me.add('4000002500003155')).json().data;
    await answerChallenge(redirectToUrl, 'complete');
    await until(async () => (await me.list(CARDS)).length === 1);
  });

  it.each(['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed'])(
    'with %s at every step are saved once, or certainly not',
    async (mode) => {
      for (let step = 0; step < 4; step += 1) {
        const me = await person();
        const token = await sandbox.cardToken('4242424242424242');
        // Passes the steps before; a fault hits each request once, and its repeats go through.
        if (step > 0) await me.add('5555555555554444');
        await fault('save', mode, { times: step + 1 });
        const answer = await me.call('POST', CARDS, { token });
        await sandbox.control('DELETE', 'faults');
        expect([200, 400, 503], answer.body).toContain(answer.statusCode);
        for (let round = 0; round < 4; round += 1) {
          await sandbox.advance(30_000);
          await reconcileMethods(sandbox.fixture.engine);
        }
        await sandbox.webhooksDelivered();
        const open = await rows('select 1 from method_setup where customer_id = $1 and is_open', [me.id]);
        expect(open, mode).toEqual([]);
        // Whatever it came to, pressing again gives exactly one such card.
        await me.add('4242424242424242');
        const last4 = (await me.list(CARDS))
          .map((card) => card.last4 ?? '')
          .toSorted((a, b) => a.localeCompare(b));
        expect(last4).toEqual(step > 0 ? ['4242', '4444'] : ['4242']);
      }
    },
  );
});

describe('what happens at the gateway by itself', () => {
  it('shows here: a card detached, a card attached, a default set', async () => {
    const me = await person();
    await me.add('4242424242424242');
    await me.add('5555555555554444');
    const cus = await payerAt(me.id);
    const made = await atStripe('payment_methods', {
      type: 'card',
      'card[token]': await sandbox.cardToken('378282246310005'),
    });
    await atStripe(`payment_methods/${String(made['id'])}/attach`, { customer: cus });
    await until(async () => (await me.list(CARDS)).length === 3);
    await atStripe(`customers/${cus}`, { 'invoice_settings[default_payment_method]': String(made['id']) });
    await until(async () => (await me.list(CARDS)).some((card) => card.brand === 'amex' && card.isDefault));
    await atStripe(`payment_methods/${String(made['id'])}/detach`, {});
    await until(async () => (await me.list(CARDS)).length === 2);
    expect(await me.list(CARDS)).toMatchObject([{ last4: '4242', isDefault: true }, { isDefault: false }]);
  });
});

describe('direct debit', () => {
  const save = async (number: string) => {
    const me = await person();
    const { id } = await becs(number);
    const body = { paymentMethodId: id, paymentMethodType: 'au_becs_debit', mandateAccepted: true };
    return { me, answer: await me.settled(me.call('POST', SETUP, body)) };
  };

  it('is saved with a mandate that names address and browser, and detached [payments.methods.call.detach, payments.source.field.billingDetails.*, payments.stripe.call.setup-intent-post, payments.stripe.field.setup-intent.{paymentMethodId,paymentMethodType}]', async () => {
    const { me, answer } = await save('000123456');
    expect(answer.json().data.status, answer.body).toBe('succeeded');
    const [account] = await me.list(ACCOUNTS);
    expect(account).toMatchObject({
      aubecsDebit: { bsbNumber: '000000', last4: '3456' },
      status: 'ready',
      isDefault: true,
      billingDetails: { name: 'Jo Fox', email: 'jo@mail.example' },
      mandate: { status: 'active', url: expect.stringContaining('mandates') },
    });
    const [consent] = await rows('select address, agent, purpose from consent where customer_id = $1', [
      me.id,
    ]);
    expect(consent).toEqual({ address: '127.0.0.1', agent: 'A browser', purpose: 'mandate' });
    expect((await me.sure('DELETE', `${ACCOUNTS}/${account?.id}/detach`)).statusCode).toBe(204);
    expect(await me.list(ACCOUNTS)).toEqual([]);
  });

  it('is offered by the set-up for the script, which is used again [payments.stripe.call.setup-intent-get]', async () => {
    const me = await person();
    const get = async () => (await me.sure('GET', `${SETUP}?paymentMethodType=au_becs_debit`)).json().data;
    const [one, two] = [await get(), await get()];
    expect(one.config.clientSecret).toMatch(/^seti_/);
    expect(two).toEqual(one);
    const { id } = await becs('000123456');
    await atStripe(
      `setup_intents/${String(one.config.clientSecret).split('_secret_')[0]}/confirm`,
      {
        client_secret: one.config.clientSecret,
        payment_method: String(id),
        return_url: one.returnUrl,
        'mandate_data[customer_acceptance][type]': 'online',
        'mandate_data[customer_acceptance][online][infer_from_client]': 'true',
      },
      'pk_test_faults',
    );
    await until(async () => (await me.list(ACCOUNTS)).length === 1);
    expect(await me.list(ACCOUNTS)).toMatchObject([{ status: 'ready' }]);
  });
});
