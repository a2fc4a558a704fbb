import { describe, expect, it } from 'vitest';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { debitFor } from '../port/saved-manifest.ts';
import { manifest } from './manifest.ts';
import { fakeStripe, methodReply, must, ok, refused, type Scripted } from './test-support.ts';

const account = {
  id: 'pm_S1',
  object: 'payment_method',
  type: 'sepa_debit',
  customer: 'cus_A1',
  sepa_debit: { bank_code: '37040044', last4: '3000', country: 'DE', fingerprint: 'f' },
  billing_details: { name: 'Jo Fox', email: 'jo@example.com', address: { line1: 'Weg 1', country: 'AT' } },
};
const mandate = (status: string) =>
  ok({
    id: 'mandate_1',
    object: 'mandate',
    status,
    payment_method_details: {
      type: 'sepa_debit',
      sepa_debit: { reference: 'REF1', url: 'https://hooks.stripe.com/m/1' },
    },
  });

describe('reading a saved method', () => {
  const read = (script: readonly Scripted[], state: Record<string, string> = { paymentMethod: 'pm_S1' }) =>
    must(fakeStripe(script).gateway.getMethod)(state);

  it.each<[string, readonly Scripted[], object]>([
    ['a card', [ok({ ...methodReply, customer: 'cus_A1' })], { is: 'there', method: { usable: 'now' } }],
    ['one that was detached', [ok({ ...methodReply, customer: null })], { is: 'gone' }],
    ['one Stripe does not know', [refused(404, { code: 'resource_missing' })], { is: 'gone' }],
    ['no answer', [refused(500)], { is: 'unknown' }],
    ['something else', [ok({ object: 'list' })], { is: 'unknown' }],
  ])('%s', async (_name, script, expected) => {
    expect(await read(script)).toMatchObject(expected);
  });

  it.each([
    ['active', 'now', 'active'],
    ['inactive', 'never', 'dead'],
    ['never heard of', 'never', 'suspended'],
  ])('a debit is worth what its mandate is: %s', async (status, usable, mandateState) => {
    const state = { paymentMethod: 'pm_S1', type: 'sepa_debit', mandate: 'mandate_1' };
    expect(await read([ok(account), mandate(status)], state)).toMatchObject({
      is: 'there',
      method: {
        remote: 'pm_S1',
        usable,
        mandate: {
          remote: 'mandate_1',
          state: mandateState,
          show: { reference: 'REF1', url: 'https://hooks.stripe.com/m/1' },
        },
      },
    });
  });

  it('an account found at Stripe has the mandate of the setup that saved it, and else cannot be debited', async () => {
    const setup = { id: 'seti_1', object: 'setup_intent', status: 'succeeded', mandate: 'mandate_1' };
    const found = await read([ok(account), ok({ data: [setup] }), mandate('active')]);
    expect(found).toMatchObject({ method: { usable: 'now', state: { mandate: 'mandate_1' } } });
    expect(await read([ok(account), ok({ data: [] })])).toMatchObject({ method: { usable: 'never' } });
    expect(await read([ok(account), refused(503)])).toMatchObject({ is: 'unknown' });
  });

  it.each([
    [
      'card',
      { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
      { brand: 'visa', last4: '4242', expMonth: '8', expYear: '2030' },
    ],
    ['au_becs_debit', { bsb_number: '000000', last4: '3456' }, { routing: '000000', last4: '3456' }],
    [
      'us_bank_account',
      { routing_number: '110000000', last4: '6789', bank_name: 'BANK', account_type: 'checking' },
      { routing: '110000000', last4: '6789', bankName: 'BANK', accountType: 'checking' },
    ],
    ['bacs_debit', { sort_code: '108800', last4: null }, { routing: '108800' }],
    ['link', { email: 'jo@example.com' }, {}],
  ])('shows the parts of a %s', async (type, parts, shown) => {
    const reply = { id: 'pm_S1', object: 'payment_method', type, customer: 'cus_A1', [type]: parts };
    const found = await read([ok(reply), ok({ data: [] })]);
    expect(found.is === 'there' && found.method.show).toEqual({ type, ...shown });
  });

  it('shows bank, owner and address apart, and in the specification’s shape [payments.stripe.field.sepaDebit.*]', async () => {
    const found = await read([ok(account), ok({ data: [] })]);
    if (found.is !== 'there') throw new Error(found.is);
    const { method } = found;
    expect(method.show).toEqual({
      type: 'sepa_debit',
      routing: '37040044',
      last4: '3000',
      bankCountry: 'DE',
      name: 'Jo Fox',
      email: 'jo@example.com',
      line1: 'Weg 1',
      country: 'AT',
    });
    expect(manifest.saved?.present({ id: 'x', ...method })).toEqual({
      sepaDebit: { bank_code: '37040044', last4: '3000', country: 'DE' },
    });
  });
});

describe('the specification’s shapes', () => {
  it.each([
    [
      'card',
      { brand: 'visa', last4: '4242', name: 'Jo', expMonth: '8', expYear: '2030' },
      { stripeCard: { brand: 'visa', last4: '4242', name: 'Jo', expMonth: 8, year: 2030 } },
    ],
    [
      'au_becs_debit',
      { routing: '000000', last4: '3456' },
      { aubecsDebit: { bsbNumber: '000000', last4: '3456' } },
    ],
    [
      'bacs_debit',
      { routing: '108800', last4: '2345' },
      { bacsDebit: { sort_code: '108800', last4: '2345' } },
    ],
    [
      'us_bank_account',
      { routing: '110000000', last4: '6789' },
      { usbankAccount: { routing_number: '110000000', last4: '6789' } },
    ],
    ['something new', { last4: '1' }, {}],
  ])(
    'shows %s under the specification’s names [payments.stripe.field.stripeCard.*, payments.stripe.field.{aubecsDebit.bsbNumber,aubecsDebit.last4,bacsDebit.sort_code,bacsDebit.last4,usbankAccount.routing_number,usbankAccount.last4}]',
    (type, show, expected) => {
      expect(manifest.saved?.present({ id: 'x', kind: 'card', show: { type, ...show } })).toEqual(expected);
    },
  );

  it('direct debits by their number in the settings [payments.stripe.constant.{direct-debit-1,direct-debit-2,direct-debit-3,direct-debit-4}]', () => {
    const debits = Object.keys(must(manifest.saved).debits).map((id) => {
      const debit = debitFor(manifest.saved, Number(id), 'NONE');
      return [id, debit?.scheme, debit?.title];
    });
    expect(debits).toEqual([
      ['1', 'au_becs_debit', 'Direct Debit'],
      ['2', 'us_bank_account', 'ACH'],
      ['3', 'bacs_debit', 'BACS'],
      ['4', 'sepa_debit', 'SEPA'],
    ]);
  });
});

it('the default at Stripe is not known while Stripe does not answer', async () => {
  const { setDefaultMethod: prefer, getDefaultMethod: preferred } = fakeStripe([
    refused(503),
    refused(503),
  ]).gateway;
  expect(await must(prefer)({ customer: 'cus_A1' }, { paymentMethod: 'pm_B2' })).toBe('unknown');
  expect(await must(preferred)({ customer: 'cus_A1' })).toBe('unknown');
});

describe('changes', () => {
  const ref = newGatewayRef();
  const method: Scripted = ok(methodReply);
  const notFound: Scripted = refused(404, { code: 'resource_missing' });

  describe('saved methods', () => {
    it('are listed to the last page, without kinds that cannot be charged', async () => {
      const page = (has_more: boolean, ...data: unknown[]): Scripted =>
        ok({ object: 'list', data, has_more });
      const link = { id: 'pm_L', object: 'payment_method', type: 'link' };
      const fake = fakeStripe([page(true, methodReply, link), page(false, { ...methodReply, id: 'pm_B3' })]);
      const ids: (string | undefined)[] = [];
      for await (const one of must(fake.gateway.listMethods)({ customer: 'cus_A1' }))
        ids.push(one.state['paymentMethod']);
      expect(ids).toEqual(['pm_B2', 'pm_B3']);
      expect(fake.seen[1]?.path).toContain('starting_after=pm_L');
    });

    it('a list that breaks off is an error, not a short list', async () => {
      const fake = fakeStripe([refused(500, { type: 'api_error', message: 'x' })]);
      const read = async () => {
        for await (const _ of must(fake.gateway.listMethods)({ customer: 'cus_A1' }));
      };
      await expect(read()).rejects.toThrow('cannot be read');
    });

    it('change by known fields only', async () => {
      const fake = fakeStripe([method]);
      const edit = must(fake.gateway.updateMethod);
      const change = { expMonth: '8', expYear: '2030', name: 'Jo', city: 'Perth', postalCode: '6000' };
      expect(await edit(ref, { paymentMethod: 'pm_B2' }, change)).toMatchObject({ is: 'saved' });
      expect(Object.fromEntries(fake.seen[0]?.body ?? [])).toEqual({
        'card[exp_month]': '8',
        'card[exp_year]': '2030',
        'billing_details[name]': 'Jo',
        'billing_details[address][city]': 'Perth',
        'billing_details[address][postal_code]': '6000',
      });
      expect(await edit(ref, { paymentMethod: 'pm_B2' }, { number: '4242' })).toMatchObject({
        is: 'notAttempted',
      });
    });

    it.each<[string, readonly Scripted[], string]>([
      ['removed', [method], 'gone'],
      ['unknown to Stripe', [notFound, notFound], 'gone'],
      ['not to be asked', [notFound, new TypeError('fetch failed')], 'unknown'],
      ['removed before', [refused(400), ok({ ...methodReply, customer: null })], 'gone'],
      ['still there', [refused(400), ok({ ...methodReply, customer: 'cus_A1' })], 'unknown'],
    ])('%s', async (_name, script, end) => {
      expect(await must(fakeStripe(script).gateway.removeMethod)({ paymentMethod: 'pm_B2' })).toBe(end);
    });
  });
});
