import { casesData } from '@counterfoil/gateways/pinch/cases-data.ts';
import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { expect, it, vi } from 'vitest';
import { doAfterEnd } from '../../../src/features/payments/after-end/rounds.ts';
import { openGatewayState } from '../../../src/features/payments/attempts/attempt-row.ts';
import { signInAt } from '../../access-matrix/tenants.ts';
import { killedFixture } from '../../fixtures/paying/gateways/killed-fixture.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../../processes/fault-runs.ts';

/** What the specification says of Pinch, through the whole server and Pinch's sandbox. */
const { settings } = casesData.sandbox;
const sandbox = useSandboxFixture({}, { timeoutMs: 10_000, account: { id: 'pinch', settings } });
const run = faultRun(sandbox);
const killed = killedFixture(sandbox, run, 0);
const cardsAt = '/v1/ec/payments/cards';

async function signedIn() {
  const { customer, fixture } = sandbox;
  const user = await fixture.make.user({ resellerId: customer.resellerId, customerIds: [customer.id] });
  const { access_token: access } = await signInAt(fixture, user.id, 'test');
  return async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${access}` };
    const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.body === '' ? undefined : answer.json().data;
  };
}

async function token(): Promise<string> {
  const [manifest] = gatewayModules.flatMap((one) => (one.manifest.id === 'pinch' ? [one.manifest] : []));
  if (manifest === undefined) throw new Error('Pinch is not there');
  const addresses = resolveAddresses(manifest, { GATEWAY_URL_PINCH: sandbox.sandboxUrl });
  const input = await casesData.good.once({ settings, addresses, fetch });
  return 'token' in input ? input.token : '';
}

/** What the provider has at a path, read past the adapter. */
async function at(path: string): Promise<unknown> {
  const keys = Buffer.from(`${settings['applicationId']}:${settings['secretKey']}`).toString('base64');
  const granted = await fetch(`${sandbox.sandboxUrl}/pinch/auth/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${keys}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api1' }),
  });
  const { access_token: bearer } = (await granted.json()) as { access_token?: string };
  const answer = await fetch(`${sandbox.sandboxUrl}/pinch/api/test/${path}`, {
    headers: { authorization: `Bearer ${bearer}`, 'pinch-version': '2020.1' },
  });
  return answer.json();
}

it('a page of Pinch asks the provider for a token by its publishable key, and for holder and e-mail [payments.gateway.constant.code.6, payments.pinch.{holder-required,email-required}]', async () => {
  const call = await signedIn();
  const details = await call('GET', '/v1/ec/payments/details');
  expect(details).toMatchObject({ paymentType: 6, publishableKey: 'pk_test_cases' });
  const required = ['cardHolder', 'email'].map((name) => expect.objectContaining({ name, required: true }));
  expect(details.card.entry.formFields).toEqual(required);
  expect(details.card.payOnceFields).toEqual(required);
  expect(JSON.stringify(details)).toContain(`"tokenUrl":"${sandbox.sandboxUrl}/pinch/api/test/tokens"`);
  expect(JSON.stringify(details)).not.toContain(String(settings['secretKey']));
});

it('a card is added by token, holder and e-mail, shown as pinchCard, made the default, and pays under that name [payments.pinch.{call.add,field.add.token,field.add.cardHolder,field.add.email,field.pinchCard.brand,field.pinchCard.cardNumber}, payments.methods.field.add.cardholder]', async () => {
  const call = await signedIn();
  const owner = { cardHolder: 'Quinn Quandong', email: 'quinn@mail.example' };
  await call('POST', cardsAt, { token: await token(), ...owner });
  const { source } = await call('POST', cardsAt, { token: await token(), ...owner });
  expect(source.billingDetails).toMatchObject({ email: owner.email });
  await call('PUT', '/v1/ec/payments/customer-default-source', { id: source.id });
  const cards = await call('GET', cardsAt);
  expect(cards).toHaveLength(2);
  expect(cards.find(({ id }: { id: string }) => id === source.id)).toMatchObject({
    isDefault: true,
    pinchCard: { brand: 'visa', cardNumber: '4242' },
  });
  const { fixture, customer } = sandbox;
  const amounts = { currency: 'AUD', subtotalMinor: 5_000n, taxMinor: 0n };
  const invoice = await fixture.seedPayable(customer, amounts);
  const intent = await call('POST', '/v1/ec/payments/intents', { invoiceIds: [invoice.id] });
  const asked = { uid: intent.sessionId, cardId: source.id };
  const { status } = await call('POST', '/v1/ec/payments/pay/bulk', asked);
  // On a busy machine the answer comes after the time that calls have here.
  expect(['succeeded', 'processing']).toContain(status);
  await run.untilEnded();
  const [charge] = await sandbox.charges();
  expect(await at(`payments/${charge?.remote}`)).toMatchObject({
    payer: { firstName: 'Quinn', lastName: 'Quandong', emailAddress: owner.email },
  });
});

it('31: a card that was made for one payment is removed, though the server died before it was used', async () => {
  const { fixture, customer } = sandbox;
  const amounts = { currency: 'AUD', subtotalMinor: 4_300n, taxMinor: 0n };
  const invoice = await fixture.seedPayable(customer, amounts);
  // The card is made, and its answer never comes.
  const fault = { gateway: 'pinch', operation: 'save', mode: 'timeout-after', times: 1 };
  await sandbox.control('POST', 'faults', fault);
  const server = await killed.serve();
  const asked = server.ask({
    path: '/v1/ec/pay',
    headers: {},
    body: {
      uid: invoice.token,
      invoiceAmount: '43.00',
      invoiceNumber: invoice.number,
      cardToken: await token(),
      cardHolder: 'Quinn Quandong',
      email: 'quinn@mail.example',
    },
  });
  const attempt = async () => {
    const [row] = await run.rows<{ id: string; state: string; gateway_state_sealed: Buffer | null }>(
      `select a.id, a.state, a.gateway_state_sealed from attempt a
         join claim l on l.customer_id = a.customer_id and l.attempt_id = a.id where l.invoice_id = $1`,
      [invoice.id],
    );
    return row;
  };
  /** Cards of the payer that is kept with the attempt. */
  const cards = async () => {
    const row = await attempt();
    const state = openGatewayState(row?.gateway_state_sealed ?? null, row?.id ?? '', fixture.deps.secrets);
    return ((await at(`payers/${state?.['payer']}`)) as { sources?: readonly object[] }).sources;
  };
  await vi.waitFor(async () => expect(await cards()).toHaveLength(1), { timeout: 10_000, interval: 50 });
  await server.kill();
  expect(await asked).toBe(undefined);
  await run.untilEnded();
  expect(await attempt()).toMatchObject({ state: 'absent' });
  expect(await cards()).toHaveLength(1);
  await sandbox.advance(5 * 60_000);
  await doAfterEnd(fixture.engine);
  expect(await cards()).toEqual([]);
  expect((await sandbox.charges()).map(({ minor }) => minor)).not.toContain(4_300);
  await run.judge();
});
