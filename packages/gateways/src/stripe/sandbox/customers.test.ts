import { describe, expect, it } from 'vitest';
import { errorOf, newName, useSandbox } from './test-support.ts';

const harness = useSandbox();

describe('customers and saved methods', () => {
  it('5: creates, reads, and deletes a customer once', async () => {
    const stripe = harness.client();
    const made = await stripe.customers.create({
      name: 'Ada',
      email: 'ada@example.com',
      metadata: { customerId: '7' },
    });
    expect(made).toMatchObject({ id: expect.stringMatching(/^cus_/), metadata: { customerId: '7' } });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({
      id: made.id,
      metadata: { customerId: '7' },
    });
    expect(await stripe.customers.del(made.id)).toMatchObject({
      id: made.id,
      object: 'customer',
      deleted: true,
    });
    expect(await errorOf(stripe.customers.del(made.id))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
    });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
  });

  it('6: makes a payment method from a test token', async () => {
    const method = await harness
      .client()
      .paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    expect(method).toMatchObject({
      customer: null,
      allow_redisplay: 'unspecified',
      card: { brand: 'visa', last4: '4242' },
    });
  });

  it('7: takes raw numbers only from the publishable key, and a token only once', async () => {
    const name = newName();
    const number = ['4242', '4242', '4242', '4242'].join('');
    const fields = `card[number]=${number}&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123&card[name]=Ada`;
    const secret = await harness.raw('POST', '/v1/tokens', { key: `sk_test_${name}`, body: fields });
    expect(secret).toMatchObject({ status: 402, body: { error: { type: 'invalid_request_error' } } });
    const whole = harness.client({ name }).paymentMethods.create({
      type: 'card',
      card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
    });
    expect(await errorOf(whole)).toMatchObject({ statusCode: 402, rawType: 'invalid_request_error' });
    const browser = await harness.raw('POST', '/v1/tokens', { body: `${fields}&key=pk_test_${name}` });
    expect(browser.body).toMatchObject({ object: 'token', card: { last4: '4242', brand: 'Visa' } });
    const stripe = harness.client({ name });
    const token = browser.body.id ?? '';
    const method = await stripe.paymentMethods.create({ type: 'card', card: { token } });
    expect(method.billing_details.name).toBe('Ada');
    expect(method.card?.checks?.cvc_check).toBe('pass');
    expect(await errorOf(stripe.paymentMethods.create({ type: 'card', card: { token } }))).toMatchObject({
      code: 'token_already_used',
    });
  });

  it.each([
    ['4242424242424241', '12', '2034', '123', 'incorrect_number', 'number'],
    ['4242424242424242', '13', '2034', '123', 'invalid_expiry_month', 'exp_month'],
    ['4242424242424242', '12', '2020', '123', 'invalid_expiry_year', 'exp_year'],
    ['4242424242424242', '12', '2034', '99', 'invalid_cvc', 'cvc'],
  ])('7: refuses the card fields %s %s/%s %s', async (number, month, year, cvc, code, param) => {
    const body = `key=pk_test_f&card[number]=${number}&card[exp_month]=${month}&card[exp_year]=${year}&card[cvc]=${cvc}`;
    const answer = await harness.raw('POST', '/v1/tokens', { body });
    expect(answer).toMatchObject({ status: 402, body: { error: { type: 'card_error', code, param } } });
  });

  it('12: changes expiry and name, never the number', async () => {
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    expect(method.id).not.toBe('pm_card_visa');
    const changed = await stripe.paymentMethods.update(method.id, {
      card: { exp_month: 11, exp_year: 2035 },
      billing_details: { name: 'Grace' },
    });
    expect(changed).toMatchObject({
      card: { exp_month: 11, exp_year: 2035, last4: '4242' },
      billing_details: { name: 'Grace' },
    });
    const number = { card: { number: '42' } } as object;
    expect(await errorOf(stripe.paymentMethods.update(method.id, number))).toMatchObject({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'card[number]',
    });
  });

  it('13: sets a default and forgets it when it is detached', async () => {
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: id });
    const set = await stripe.customers.update(id, {
      invoice_settings: { default_payment_method: method.id },
    });
    expect(set.invoice_settings.default_payment_method).toBe(method.id);
    await stripe.paymentMethods.detach(method.id);
    expect(await stripe.customers.retrieve(id)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect((await stripe.customers.listPaymentMethods(id)).data).toEqual([]);
    const foreign = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const wrong = stripe.customers.update(id, { invoice_settings: { default_payment_method: foreign.id } });
    expect(await errorOf(wrong)).toMatchObject({ statusCode: 400 });
  });

  it('14: a detached method can neither be detached again nor attached again', async () => {
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    await stripe.paymentMethods.detach(method.id);
    const twice = await errorOf(stripe.paymentMethods.detach(method.id));
    const again = await errorOf(stripe.paymentMethods.attach(method.id, { customer: id }));
    for (const failure of [twice, again]) {
      expect(failure.statusCode).toBe(400);
      expect(failure.code).toBeUndefined();
    }
    expect(await errorOf(stripe.customers.retrievePaymentMethod(id, method.id))).toMatchObject({
      statusCode: 404,
    });
  });

  it('37: pages through five methods, each once', async () => {
    const stripe = harness.client();
    const { id } = await stripe.customers.create();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.push((await stripe.paymentMethods.attach('pm_card_visa', { customer: id })).id);
    const seen: string[] = [];
    const sizes: number[] = [];
    let more = true;
    while (more) {
      const after = seen.at(-1);
      const page = await stripe.customers.listPaymentMethods(id, {
        limit: 2,
        ...(after === undefined ? {} : { starting_after: after }),
      });
      seen.push(...page.data.map((method) => method.id));
      sizes.push(page.data.length);
      more = page.has_more;
    }
    expect(seen).toEqual(made.toReversed());
    // The last page says that it is the last: there is no empty one after it.
    expect(sizes).toEqual([2, 2, 1]);
    const full = await stripe.customers.listPaymentMethods(id, { limit: 2, starting_after: made[2] ?? '' });
    expect([full.data.length, full.has_more]).toEqual([2, false]);
    const before = await stripe.customers.listPaymentMethods(id, { limit: 2, ending_before: made[0] ?? '' });
    expect(before.data.map((method) => method.id)).toEqual([made[2], made[1]]);
  });
});
