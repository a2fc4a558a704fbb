import { describe, expect, it } from 'vitest';
import { errorOf, newName, payment, useSandbox } from './test-support.ts';

const harness = useSandbox();

describe('requests', () => {
  it('1: answers 401 invalid_request_error to a missing, malformed, live or revoked key', async () => {
    for (const key of [undefined, 'nonsense', 'sk_live_abcdefghijkl', 'sk_test_invalid_one']) {
      const answer = await harness.raw('GET', '/v1/customers', key === undefined ? {} : { key });
      expect(answer.status).toBe(401);
      expect(answer.body.error?.type).toBe('invalid_request_error');
      expect(answer.text).not.toContain('abcdefghijkl');
    }
    const failure = await errorOf(harness.client({ name: 'invalid_two' }).customers.list());
    expect(failure).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    const expired = await harness.raw('GET', '/v1/customers', { key: 'sk_test_expired_one' });
    expect(expired.body.error?.code).toBe('api_key_expired');
  });

  it('1: takes the key by Basic as well as by Bearer', async () => {
    const name = newName();
    const basic = Buffer.from(`sk_test_${name}:`).toString('base64');
    const answer = await harness.raw('GET', '/v1/customers', {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(answer.status).toBe(200);
  });

  it('1: keeps accounts apart, and gives the publishable key few calls', async () => {
    const name = newName();
    const customer = await harness.client({ name }).customers.create({ name: 'Ada' });
    const foreign = await errorOf(harness.client().customers.retrieve(customer.id));
    expect(foreign).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    const browser = await errorOf(harness.client({ name, kind: 'pk' }).customers.retrieve(customer.id));
    expect(browser).toMatchObject({ type: 'StripePermissionError', code: 'secret_key_required' });
  });

  it('2: answers 404 to a path that does not exist', async () => {
    const answer = await harness.raw('GET', '/v1/nothing', { key: 'sk_test_x' });
    expect(answer.status).toBe(404);
    expect(answer.body.error?.message).toContain('Unrecognized request URL (GET: /v1/nothing)');
  });

  it.each([
    ['amount=abc&currency=usd', 'parameter_invalid_integer', 'amount'],
    ['currency=usd', 'parameter_missing', 'amount'],
    ['amount=100', 'parameter_missing', 'currency'],
    ['amount=&currency=usd', 'parameter_invalid_empty', 'amount'],
    ['amount=100&currency=usd&colour=red', 'parameter_unknown', 'colour'],
    [
      'amount=100&currency=usd&shipping=&automatic_payment_methods[colour]=red',
      'parameter_unknown',
      'automatic_payment_methods[colour]',
    ],
    ['amount=49&currency=usd', 'amount_too_small', 'amount'],
    ['amount=100000000&currency=usd', 'amount_too_large', 'amount'],
    ['amount=100&currency=zzz', undefined, 'currency'],
    ['amount=100&currency=usd&confirm=yes', undefined, 'confirm'],
    ['amount=100&currency=usd&capture_method=never', undefined, 'capture_method'],
    ['amount=100&currency=usd&customer=cus_nobody', 'resource_missing', 'customer'],
    ['amount=100&currency=usd&payment_method=pm_nobody', 'resource_missing', 'payment_method'],
    ['amount=100&currency=usd&return_url=nowhere&confirm=true', 'url_invalid', 'return_url'],
    [`amount=100&currency=usd&metadata[${'k'.repeat(41)}]=v`, undefined, `metadata[${'k'.repeat(41)}]`],
    [`amount=100&currency=usd&metadata[k]=${'v'.repeat(501)}`, undefined, 'metadata[k]'],
  ])('3: refuses %s', async (body, code, param) => {
    const answer = await harness.raw('POST', '/v1/payment_intents', { key: 'sk_test_params', body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', param });
    expect(answer.body.error?.code).toBe(code);
  });

  it('3: refuses JSON bodies and more than 50 metadata keys', async () => {
    const json = await harness.raw('POST', '/v1/customers', {
      key: 'sk_test_params',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(json.status).toBe(400);
    const many = Array.from({ length: 51 }, (_, index) => `metadata[k${index}]=v`).join('&');
    expect((await harness.raw('POST', '/v1/customers', { key: 'sk_test_params', body: many })).status).toBe(
      400,
    );
  });

  it('4: endive refuses payment_method_types, dahlia takes it, all versions answer with it', async () => {
    const body = 'amount=1000&currency=usd&payment_method_types[0]=card';
    const ask = (version: string, text = body) =>
      harness.raw('POST', '/v1/payment_intents', {
        key: 'sk_test_versions',
        body: text,
        headers: { 'stripe-version': version },
      });
    expect((await ask('2026-10-28.endive')).body.error?.code).toBe(
      'payment_method_types_no_longer_supported',
    );
    const dahlia = await ask('2026-08-26.dahlia');
    expect(dahlia).toMatchObject({ status: 200, body: { payment_method_types: ['card'] } });
    expect(dahlia.headers.get('stripe-version')).toBe('2026-08-26.dahlia');
    const plain = await ask(
      '2026-10-28.endive',
      'amount=1000&currency=usd&allowed_payment_method_types[0]=card',
    );
    expect(plain.body).toMatchObject({
      payment_method_types: ['card'],
      allowed_payment_method_types: ['card'],
    });
    const both = await ask('2026-08-26.dahlia', `${body}&allowed_payment_method_types[0]=card`);
    expect(both.status).toBe(400);
  });

  it('4: refuses a version that does not exist, without a code', async () => {
    const answer = await harness.raw('GET', '/v1/customers', {
      key: 'sk_test_v',
      headers: { 'stripe-version': '2031-01-01.moon' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBeUndefined();
  });

  it('34: takes zero-decimal and three-decimal amounts in their own unit', async () => {
    const stripe = harness.client();
    const yen = await stripe.paymentIntents.create(
      payment('pm_card_visa', { amount: 1000, currency: 'jpy' }),
    );
    expect(yen).toMatchObject({ amount: 1000, status: 'succeeded' });
    const dollars = await stripe.paymentIntents.create(
      payment('pm_card_visa', { amount: 1999, currency: 'usd' }),
    );
    expect(dollars.amount_received).toBe(1999);
    const small = await errorOf(
      stripe.paymentIntents.create(payment('pm_card_visa', { amount: 30, currency: 'usd' })),
    );
    expect(small).toMatchObject({ code: 'amount_too_small', param: 'amount' });
    const dinar = await errorOf(
      stripe.paymentIntents.create(payment('pm_card_visa', { amount: 1001, currency: 'kwd' })),
    );
    expect(dinar.param).toBe('amount');
  });

  it('every answer names its request', async () => {
    const answer = await harness.raw('GET', '/v1/customers', { key: 'sk_test_ids' });
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
  });
});
