import { casesData } from '@counterfoil/gateways/pinch/cases-data.ts';
import { resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { expect, it } from 'vitest';
import { signInAt } from '../access-matrix/tenants.ts';
import { useSandboxFixture } from '../fixtures/paying/sandbox-fixture.ts';

/** What the specification says of Pinch, through the whole server and Pinch's sandbox. */
const { settings } = casesData.sandbox;
const sandbox = useSandboxFixture({}, { account: { id: 'pinch', settings } });
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

/** A payment as the provider has it, read past the adapter. */
async function paymentAt(id: string) {
  const keys = Buffer.from(`${settings['applicationId']}:${settings['secretKey']}`).toString('base64');
  const granted = await fetch(`${sandbox.sandboxUrl}/pinch/auth/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${keys}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api1' }),
  });
  const { access_token: bearer } = (await granted.json()) as { access_token?: string };
  const answer = await fetch(`${sandbox.sandboxUrl}/pinch/api/test/payments/${id}`, {
    headers: { authorization: `Bearer ${bearer}`, 'pinch-version': '2020.1' },
  });
  return (await answer.json()) as object;
}

it('a page of Pinch asks the provider for a token by its publishable key, and for holder and e-mail [payments.gateway.constant.code.6]', async () => {
  const call = await signedIn();
  const details = await call('GET', '/v1/ec/payments/details');
  expect(details).toMatchObject({ paymentType: 6, publishableKey: 'pk_test_cases' });
  expect(JSON.stringify(details)).toContain(`"tokenUrl":"${sandbox.sandboxUrl}/pinch/api/test/tokens"`);
  expect(JSON.stringify(details)).not.toContain(String(settings['secretKey']));
});

it('a card is added by token, holder and e-mail, shown as pinchCard, made the default, and pays under that name [payments.pinch.{call.add,field.add.token,field.add.cardHolder,field.add.email,field.pinchCard.brand,field.pinchCard.cardNumber}]', async () => {
  const call = await signedIn();
  const owner = { cardHolder: 'Quinn Quandong', email: 'quinn@mail.example' };
  await call('POST', cardsAt, { token: await token(), ...owner });
  const { source } = await call('POST', cardsAt, { token: await token(), ...owner });
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
  expect(await call('POST', '/v1/ec/payments/pay/bulk', asked)).toMatchObject({ status: 'succeeded' });
  const [charge] = await sandbox.charges();
  expect(await paymentAt(charge?.remote ?? '')).toMatchObject({
    payer: { firstName: 'Quinn', lastName: 'Quandong', emailAddress: owner.email },
  });
});
