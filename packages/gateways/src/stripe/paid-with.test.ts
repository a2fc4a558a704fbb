import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { fakeStripe, paidIntent } from './test-support.ts';

/** A payment made on Stripe's own page: only its charge says what was paid with. */
const page = { page: 'open', session: 'cs_1' };
const paidWith = (details: unknown) => {
  const charge = testCharge({ source: 'lost' });
  const session = {
    object: 'checkout.session',
    id: 'cs_1',
    status: 'complete',
    client_reference_id: charge.ref,
    amount_total: Number(charge.amount.minor),
    currency: charge.amount.currency.toLowerCase(),
    payment_intent: 'pi_C3',
  };
  const latest_charge = details === undefined ? 'ch_1' : { id: 'ch_1', payment_method_details: details };
  const fake = fakeStripe([
    { status: 200, json: session },
    { status: 200, json: { ...paidIntent(charge), latest_charge } },
  ]);
  return { fake, found: fake.gateway.handleReturn(charge, page, {}) };
};

describe('what a payment on Stripe’s own page was paid with', () => {
  it.each([
    [
      'a card',
      { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031, wallet: null } },
      { type: 'card', brand: 'visa', last4: '4242' },
    ],
    [
      'a bank account with its bank',
      {
        type: 'us_bank_account',
        us_bank_account: { bank_name: 'TEST BANK', last4: '6789', routing_number: '1' },
      },
      { type: 'us_bank_account', bankName: 'TEST BANK', last4: '6789' },
    ],
    ['a debit', { type: 'sepa_debit', sepa_debit: { last4: '3000' } }, { type: 'sepa_debit', last4: '3000' }],
  ])('is read from the charge: %s', async (_name, details, shown) => {
    const { fake, found } = paidWith(details);
    expect(await found).toMatchObject({ is: 'succeeded', shown });
    // The charge comes with the payment: nothing more is asked.
    expect(fake.seen[1]?.path).toContain('expand');
    expect(fake.seen).toHaveLength(2);
  });

  it.each([
    ['a method that shows nothing', { type: 'link', link: {} }],
    ['details that are none', 'card'],
    ['a charge that is not told', undefined],
  ])('is left out, and the money still counts: %s', async (_name, details) => {
    const found = await paidWith(details).found;
    expect(found.is).toBe('succeeded');
    expect(found).not.toHaveProperty('shown');
  });
});
