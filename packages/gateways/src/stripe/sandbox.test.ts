import { describe, expect, it } from 'vitest';
import { errorOf, newName, payment, useSandbox } from './sandbox/test-support.ts';

/** By the official SDK, and by plain requests where it would not send such a thing. */
const harness = useSandbox();
const number = ['4242', '4242', '4242', '4242'].join('');

describe('requests', () => {
  it('1: answers 401 invalid_request_error to a missing, malformed, live or revoked key', async () => {
    for (const key of [undefined, 'nonsense', 'sk_live_abcdefghijkl', 'sk_test_invalid_one']) {
      const answer = await harness.raw('GET', '/v1/customers', key);
      expect(answer).toMatchObject({ status: 401, body: { error: { type: 'invalid_request_error' } } });
      expect(answer.text).not.toContain('abcdefghijkl');
    }
    const failure = await errorOf(harness.client({ name: 'invalid_two' }).customers.list());
    expect(failure.type).toBe('StripeAuthenticationError');
  });

  it('1: keeps accounts apart, and gives the publishable key few calls', async () => {
    const name = newName();
    const { id } = await harness.client({ name }).customers.create({ name: 'Ada' });
    const foreign = { statusCode: 404, code: 'resource_missing' };
    expect(await errorOf(harness.client().customers.retrieve(id))).toMatchObject(foreign);
    const browser = await errorOf(harness.client({ name, kind: 'pk' }).customers.retrieve(id));
    expect(browser).toMatchObject({ type: 'StripePermissionError', code: 'secret_key_required' });
  });

  it('2: answers 404 to a path that does not exist', async () => {
    const answer = await harness.raw('GET', '/v1/nothing', 'sk_test_x');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('Unrecognized request URL (GET: /v1/nothing)');
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
  });

  it.each([
    ['amount=abc&currency=usd', 'parameter_invalid_integer', 'amount'],
    ['currency=usd', 'parameter_missing', 'amount'],
    ['amount=&currency=usd', 'parameter_invalid_empty', 'amount'],
    ['amount=100&currency=usd&colour=red', 'parameter_unknown', 'colour'],
    ['amount=100&currency=usd&mandate_data[colour]=red', 'parameter_unknown', 'mandate_data[colour]'],
    ['amount=49&currency=usd', 'amount_too_small', 'amount'],
    ['amount=100000000&currency=usd', 'amount_too_large', 'amount'],
    ['amount=1001&currency=kwd', undefined, 'amount'],
    ['amount=100&currency=zzz', undefined, 'currency'],
    ['amount=100&currency=usd&confirm=yes', undefined, 'confirm'],
    ['amount=100&currency=usd&capture_method=never', undefined, 'capture_method'],
    ['amount=100&currency=usd&customer=cus_nobody', 'resource_missing', 'customer'],
    ['amount=100&currency=usd&payment_method=pm_nobody', 'resource_missing', 'payment_method'],
    ['amount=100&currency=usd&return_url=nowhere&confirm=true', 'url_invalid', 'return_url'],
    [`amount=100&currency=usd&metadata[k]=${'v'.repeat(501)}`, undefined, 'metadata[k]'],
  ])('3: refuses %s', async (body, code, param) => {
    const answer = await harness.raw('POST', '/v1/payment_intents', 'sk_test_params', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', param });
    expect(answer.body.error?.code).toBe(code);
  });

  it('4: endive refuses payment_method_types, dahlia takes it, all versions answer with it', async () => {
    const ask = (version: string, types: string) =>
      harness.raw('POST', '/v1/payment_intents', 'sk_test_versions', `amount=1000&currency=usd&${types}`, {
        'stripe-version': version,
      });
    const [endive, dahlia] = ['2026-10-28.endive', '2026-08-26.dahlia'];
    const [older, newer] = ['payment_method_types[0]=card', 'allowed_payment_method_types[0]=card'];
    expect((await ask(endive, older)).body.error?.code).toBe('payment_method_types_no_longer_supported');
    const taken = await ask(dahlia, older);
    expect(taken).toMatchObject({ status: 200, body: { payment_method_types: ['card'] } });
    expect(taken.headers.get('stripe-version')).toBe(dahlia);
    const both = { payment_method_types: ['card'], allowed_payment_method_types: ['card'] };
    expect((await ask(endive, newer)).body).toMatchObject(both);
    expect((await ask(dahlia, `${older}&${newer}`)).status).toBe(400);
    expect((await ask('2031-01-01.moon', newer)).status).toBe(400);
  });

  it('34: takes zero-decimal and three-decimal amounts in their own unit', async () => {
    const stripe = harness.client();
    for (const [amount, currency] of [
      [1000, 'jpy'],
      [1999, 'usd'],
      [12_340, 'kwd'],
    ] as const) {
      const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { amount, currency }));
      expect(paid).toMatchObject({ amount, amount_received: amount, status: 'succeeded' });
    }
  });
});

describe('customers and saved methods', () => {
  it('5: creates, reads, and deletes a customer once', async () => {
    const { customers } = harness.client();
    const about = { name: 'Ada', email: 'ada@example.com', metadata: { customerId: '7' } };
    const { id } = await customers.create(about);
    expect(await customers.retrieve(id)).toMatchObject({ id: expect.stringMatching(/^cus_/), ...about });
    const gone = { id, object: 'customer', deleted: true };
    expect(await customers.del(id)).toMatchObject(gone);
    const twice = { statusCode: 404, code: 'resource_missing', param: 'id' };
    expect(await errorOf(customers.del(id))).toMatchObject(twice);
    expect(await customers.retrieve(id)).toMatchObject(gone);
  });

  it('6, 7: makes a method from a test token; takes raw numbers only from the publishable key, a token only once', async () => {
    const name = newName();
    const stripe = harness.client({ name });
    const byToken = (token: string) => stripe.paymentMethods.create({ type: 'card', card: { token } });
    const card = { brand: 'visa', last4: '4242' };
    expect(await byToken('tok_visa')).toMatchObject({ customer: null, card });
    const fields = `card[number]=${number}&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123&card[name]=Ada`;
    for (const path of ['tokens', 'payment_methods']) {
      const refused = await harness.raw('POST', `/v1/${path}`, `sk_test_${name}`, `${fields}&type=card`);
      if (path === 'payment_methods')
        expect(refused).toMatchObject({ status: 402, body: { error: { type: 'invalid_request_error' } } });
      else expect(refused.status).toBeGreaterThanOrEqual(400);
    }
    const made = await harness.raw('POST', '/v1/tokens', undefined, `${fields}&key=pk_test_${name}`);
    expect(made.body).toMatchObject({ object: 'token', card: { last4: '4242' } });
    const token = made.body.id ?? '';
    expect(await byToken(token)).toMatchObject({ card, billing_details: { name: 'Ada' } });
    expect(await errorOf(byToken(token))).toMatchObject({ code: 'token_already_used' });
  });

  it.each([
    ['4242424242424241', '12', '2034', '123', 'incorrect_number', 'number'],
    ['4242424242424242', '13', '2034', '123', 'invalid_expiry_month', 'exp_month'],
    ['4242424242424242', '12', '2020', '123', 'invalid_expiry_year', 'exp_year'],
    ['4242424242424242', '12', '2034', '99', 'invalid_cvc', 'cvc'],
  ])('7: refuses the card fields %s %s/%s %s', async (pan, month, year, cvc, code, param) => {
    const body = `key=pk_test_f&card[number]=${pan}&card[exp_month]=${month}&card[exp_year]=${year}&card[cvc]=${cvc}`;
    const answer = await harness.raw('POST', '/v1/tokens', undefined, body);
    expect(answer).toMatchObject({ status: 402, body: { error: { type: 'card_error', code, param } } });
  });

  it('12: changes expiry and name, never the number', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    expect(id).not.toBe('pm_card_visa');
    const change = { card: { exp_month: 11, exp_year: 2035 }, billing_details: { name: 'Grace' } };
    const changed = await stripe.paymentMethods.update(id, change);
    expect(changed).toMatchObject({ ...change, card: { ...change.card, last4: '4242' } });
    const pan = { card: { number: '42' } } as object;
    expect(await errorOf(stripe.paymentMethods.update(id, pan))).toMatchObject({ param: 'card[number]' });
    await stripe.paymentMethods.update(id, { card: { exp_month: 1, exp_year: 2024 } });
    const late = errorOf(stripe.paymentIntents.create(payment(id, { customer })));
    expect(await late).toMatchObject({ code: 'expired_card' });
  });

  it('13, 14: sets a default and forgets it with its method, which is gone for good', async () => {
    const stripe = harness.client();
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    const prefer = (default_payment_method: string) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method } });
    expect((await prefer(id)).invoice_settings.default_payment_method).toBe(id);
    await stripe.paymentMethods.detach(id);
    const none = { invoice_settings: { default_payment_method: null } };
    expect(await stripe.customers.retrieve(customer)).toMatchObject(none);
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    const foreign = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    for (const call of [
      () => stripe.paymentMethods.detach(id),
      () => stripe.paymentMethods.attach(id, { customer }),
      () => stripe.paymentIntents.create(payment(id, { customer })),
    ]) {
      const failure = await errorOf(call());
      expect([failure.statusCode, failure.code]).toEqual([400, undefined]);
    }
    expect(await errorOf(prefer(foreign.id))).toMatchObject({ statusCode: 400 });
  });

  it('37: pages through five methods, each once, and the last page says that it is the last', async () => {
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.unshift((await stripe.paymentMethods.attach('pm_card_visa', { customer: id })).id);
    const seen: string[] = [];
    for await (const method of stripe.customers.listPaymentMethods(id, { limit: 2 })) seen.push(method.id);
    expect(seen).toEqual(made);
    const full = { limit: 2, starting_after: made[2] ?? '' };
    const last = await stripe.customers.listPaymentMethods(id, full);
    expect([last.data.length, last.has_more]).toEqual([2, false]);
  });
});

describe('idempotency keys', () => {
  const headersOf = (value: unknown) =>
    (value as { lastResponse: { headers: Record<string, string>; requestId: string } }).lastResponse;
  /** Pays with one key, again and again. */
  const paying = (ref: string, method = 'pm_card_visa') => {
    const stripe = harness.client();
    const pay = (more: object = {}) =>
      stripe.paymentIntents.create(payment(method, { metadata: { ref }, ...more }), { idempotencyKey: ref });
    const listed = async () => (await stripe.paymentIntents.list()).data;
    return { stripe, pay, listed };
  };

  it('20: the same request again is replayed and says so', async () => {
    const { pay } = paying('R20');
    const [first, second] = [await pay(), await pay()];
    expect(second.id).toBe(first.id);
    expect(headersOf(first).headers['idempotent-replayed']).toBeUndefined();
    expect(headersOf(second).headers).toMatchObject({
      'idempotent-replayed': 'true',
      'original-request': headersOf(first).requestId,
    });
    expect(headersOf(second).requestId).not.toBe(headersOf(first).requestId);
    expect(await harness.captures('R20')).toHaveLength(1);
  });

  it('20: other parameters, or another endpoint, are refused and change nothing; their order does not matter', async () => {
    const { pay, stripe, listed } = paying('R20b');
    const { id } = await pay({ metadata: { ref: 'R20b', a: '1' } });
    expect((await pay({ metadata: { a: '1', ref: 'R20b' } })).id).toBe(id);
    for (const call of [
      () => pay({ amount: 12_551 }),
      () => stripe.customers.create({}, { idempotencyKey: 'R20b' }),
    ])
      expect(await errorOf(call())).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    expect(await listed()).toHaveLength(1);
    expect((await stripe.customers.list()).data).toHaveLength(0);
  });

  it('20: while the first is under way the same key answers 409', async () => {
    const { pay } = paying('R20c');
    await harness.fault({ operation: 'charge', mode: 'slow', ms: 400 });
    const first = pay();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const inUse = { statusCode: 409, code: 'idempotency_key_in_use' };
    expect(await errorOf(pay())).toMatchObject(inUse);
    const { id } = await first;
    expect((await pay()).id).toBe(id);
  });

  it('20: a key is free again after a request that never began, and after a day; it has 255 characters at most', async () => {
    const { pay, stripe } = paying('R20d');
    await errorOf(pay({ amount: 1 }));
    const { id } = await pay();
    await harness.advance(23 * 3600 * 1000);
    expect((await pay()).id).toBe(id);
    await harness.advance(2 * 3600 * 1000);
    expect((await pay()).id).not.toBe(id);
    const long = stripe.customers.create({}, { idempotencyKey: 'k'.repeat(256) });
    expect((await errorOf(long)).statusCode).toBe(400);
  });

  it('21: a decline is replayed, whatever card is meant now', async () => {
    const { pay, listed } = paying('R21', 'pm_card_chargeDeclined');
    const [first, second] = [await errorOf(pay()), await errorOf(pay())];
    expect([first.statusCode, second.statusCode]).toEqual([402, 402]);
    expect(second.headers?.['idempotent-replayed']).toBe('true');
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id);
    expect(await listed()).toHaveLength(1);
  });

  it('22: a connection cut after the charge, then the same key: one payment', async () => {
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    // The SDK repeats a closed connection once by itself, so the plain request is used here.
    const body = 'amount=900&currency=aud&payment_method=pm_card_visa&confirm=true&metadata[ref]=R22';
    const key = `sk_test_${newName()}`;
    const ask = () => harness.raw('POST', '/v1/payment_intents', key, body, { 'idempotency-key': 'cut' });
    await expect(ask()).rejects.toThrow('fetch failed');
    const again = await ask();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.status).toBe('succeeded');
    expect(await harness.captures('R22')).toHaveLength(1);
  });

  it.each([
    [true, [{ status: 'succeeded' }]],
    [false, []],
  ])(
    '36: a saved 500 is replayed for ever, and the list shows what became of it (executed: %s)',
    async (executed, shown) => {
      const { pay, listed } = paying(`R36${executed}`);
      await harness.fault({ operation: 'charge', mode: 'replay-500', executed });
      const [first, second] = [await errorOf(pay()), await errorOf(pay())];
      expect([first.statusCode, second.statusCode]).toEqual([500, 500]);
      expect(first.headers?.['idempotent-replayed']).toBeUndefined();
      expect(second.headers?.['idempotent-replayed']).toBe('true');
      expect(await listed()).toMatchObject(shown);
      expect(await harness.captures(`R36${executed}`)).toHaveLength(shown.length);
    },
  );

  it('36: 429 leaves the key free', async () => {
    const { pay } = paying('R36c');
    await harness.fault({ operation: 'charge', mode: 'rate-limit' });
    const limited = { type: 'StripeRateLimitError', code: 'rate_limit' };
    expect(await errorOf(pay())).toMatchObject(limited);
    expect((await pay()).status).toBe('succeeded');
  });
});
