import { describe, expect, it } from 'vitest';
import type { Gateway, SetupCompletion, SetupRequest } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { fakeStripe, methodReply, must, ok, refused, type Scripted } from './test-support.ts';

const ref = newGatewayRef();
const consent = { text: 'I agree', version: '1', at: new Date(), ip: '203.0.113.7', agent: 'Mozilla/5.0' };
const begin: SetupRequest = {
  ref,
  payer: undefined,
  person: { customerId: 'c-1', resellerId: '2204', name: 'Jo Fox', email: 'jo@example.com' },
  kind: 'card',
  returnTo: 'https://portal.example/payment-types',
};
const setup = (over: Record<string, unknown> = {}): Scripted =>
  ok({
    id: 'seti_1',
    object: 'setup_intent',
    status: 'requires_payment_method',
    client_secret: 'seti_1_secret_x',
    payment_method: null,
    mandate: null,
    next_action: null,
    last_setup_error: null,
    ...over,
  });
const customer: Scripted = ok({ id: 'cus_A1', object: 'customer' });
const method: Scripted = ok(methodReply);
const finish: SetupCompletion = {
  ref,
  payer: { customer: 'cus_A1' },
  step: { setupIntent: 'seti_1', type: 'card' },
  input: { token: 'tok_visa' },
  returnTo: begin.returnTo,
};
const doBegin = (gateway: Gateway, request: SetupRequest) => must(gateway.beginSetup)(request);
const doFinish = (gateway: Gateway, request: SetupCompletion) => must(gateway.completeSetup)(request);

describe('beginning to save', () => {
  it('makes the customer once, then an open setup for the browser', async () => {
    const fake = fakeStripe([customer, setup()]);
    expect(await doBegin(fake.gateway, begin)).toEqual({
      payer: { customer: 'cus_A1' },
      payerRemote: 'cus_A1',
      result: {
        is: 'continue',
        action: { do: 'browser', config: { clientSecret: 'seti_1_secret_x', type: 'card' } },
        state: { setupIntent: 'seti_1', type: 'card' },
      },
    });
    expect(fake.seen.map((one) => [one.path, one.key])).toEqual([
      ['/v1/customers', `counterfoil:${ref}:save-customer`],
      ['/v1/setup_intents', `counterfoil:${ref}:save-setup`],
    ]);
    expect(fake.seen[1]?.body.get('usage')).toBe('off_session');
    const known = fakeStripe([setup()]);
    await doBegin(known.gateway, { ...begin, payer: { customer: 'cus_A1' } });
    expect(known.seen).toHaveLength(1);
  });

  it('names the kind of account, and refuses without one', async () => {
    const fake = fakeStripe([setup()]);
    await doBegin(fake.gateway, {
      ...begin,
      payer: { customer: 'cus_A1' },
      kind: 'bank',
      scheme: 'sepa_debit',
    });
    expect(fake.seen[0]?.body.get('allowed_payment_method_types[0]')).toBe('sepa_debit');
    const none = await doBegin(fakeStripe([]).gateway, { ...begin, kind: 'bank' });
    expect(none.result).toMatchObject({ is: 'notAttempted', why: 'invalid' });
  });
});

describe('finishing', () => {
  it('a token becomes a saved method', async () => {
    const fake = fakeStripe([method, setup({ status: 'succeeded', payment_method: 'pm_B2' }), method]);
    expect(await doFinish(fake.gateway, finish)).toEqual({
      is: 'saved',
      method: {
        remote: 'pm_B2',
        state: { paymentMethod: 'pm_B2', type: 'card' },
        kind: 'card',
        show: { type: 'card', last4: '4242' },
        usable: 'now',
      },
    });
    expect(fake.seen[1]?.body.get('return_url')).toBe(begin.returnTo);
    expect(fake.seen[1]?.body.has('mandate_data[customer_acceptance][type]')).toBe(false);
  });

  it('what was typed beside a token is added where the token has nothing, also after a step at the bank', async () => {
    const owner = { name: 'Somebody Else', email: 'jo@example.com', billing: { city: 'Leeds' } };
    const asks = setup({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://stripe.example/3ds' } },
    });
    const bare = { ...methodReply, billing_details: { name: 'Jo Fox', email: null, address: null } };
    const filled = { ...methodReply, billing_details: { name: 'Jo Fox', email: 'jo@example.com' } };
    const fake = fakeStripe([
      method,
      asks,
      setup({ status: 'succeeded', payment_method: 'pm_B2' }),
      ok(bare),
      ok(filled),
    ]);
    const continued = await doFinish(fake.gateway, { ...finish, owner });
    if (continued.is !== 'continue') throw new Error(continued.is);
    const back = { ...finish, step: continued.state, input: { fields: {} } };
    expect(await doFinish(fake.gateway, back)).toMatchObject({
      is: 'saved',
      method: { show: { email: 'jo@example.com' } },
    });
    const { path, body } = fake.seen.at(-1) ?? {};
    expect([path, Object.fromEntries(body ?? [])]).toEqual([
      `/v1/payment_methods/${methodReply.id}`,
      { 'billing_details[email]': 'jo@example.com', 'billing_details[address][city]': 'Leeds' },
    ]);
  });

  it('stays saved when what was typed beside its token cannot be added', async () => {
    const bare = { ...methodReply, billing_details: null };
    const fake = fakeStripe([
      method,
      setup({ status: 'succeeded', payment_method: 'pm_B2' }),
      ok(bare),
      refused(400, { code: 'email_invalid' }),
    ]);
    const told = await doFinish(fake.gateway, { ...finish, owner: { email: 'none' } });
    expect(told.is).toBe('saved');
  });

  it('back from a failed authentication it is refused', async () => {
    const last_setup_error = { code: 'setup_intent_authentication_failure' };
    const fake = fakeStripe([setup({ last_setup_error })]);
    const request = { ...finish, input: { fields: { setup_intent: 'seti_1' } } };
    expect(await doFinish(fake.gateway, request)).toMatchObject({ is: 'refused' });
    const other = await doFinish(fakeStripe([]).gateway, {
      ...finish,
      input: { fields: { setup_intent: 'seti_2' } },
    });
    expect(other).toMatchObject({ is: 'notAttempted' });
  });

  it('a debit carries the consent, and its mandate comes back', async () => {
    const mandate = {
      id: 'mandate_1',
      object: 'mandate',
      status: 'active',
      payment_method_details: { type: 'bacs_debit', bacs_debit: { network_status: 'refused' } },
    };
    const fake = fakeStripe([
      setup({ status: 'succeeded', payment_method: 'pm_D1', mandate: 'mandate_1' }),
      ok({ id: 'pm_D1', object: 'payment_method', type: 'bacs_debit', bacs_debit: { last4: '2345' } }),
      ok(mandate),
    ]);
    const step = { setupIntent: 'seti_1', type: 'bacs_debit' };
    const result = await doFinish(fake.gateway, { ...finish, step, input: { token: 'pm_D1' }, consent });
    expect(result).toMatchObject({
      is: 'saved',
      method: {
        kind: 'bank',
        usable: 'never',
        mandate: { remote: 'mandate_1', state: 'dead', scheme: 'bacs_debit' },
      },
    });
    expect(fake.seen[0]?.body.get('mandate_data[customer_acceptance][online][ip_address]')).toBe(
      '203.0.113.7',
    );
  });

  it('a US account waits for its small deposits, whose code is then checked', async () => {
    const next_action = {
      type: 'verify_with_microdeposits',
      verify_with_microdeposits: { hosted_verification_url: 'https://payments.stripe.com/x' },
    };
    const waiting = setup({ status: 'requires_action', next_action });
    const step = { setupIntent: 'seti_1', type: 'us_bank_account' };
    const first = await doFinish(fakeStripe([waiting]).gateway, { ...finish, step, input: { fields: {} } });
    const needs = { fields: ['descriptorCode', 'amounts'], page: 'https://payments.stripe.com/x' };
    expect(first).toMatchObject({ is: 'underWay', needs });

    const code = 'payment_method_microdeposit_verification_descriptor_code_mismatch';
    const wrong = fakeStripe([refused(400, { type: 'invalid_request_error', code, message: 'x' })]);
    const proof = { ...finish, step, input: { fields: { descriptorCode: 'SM00AA' } } };
    expect(await doFinish(wrong.gateway, proof)).toMatchObject({ is: 'refused', why: { class: 'fixInput' } });
    expect(wrong.seen[0]?.path).toBe('/v1/setup_intents/seti_1/verify_microdeposits');
  });
});
