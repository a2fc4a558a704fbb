import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, PATH, rows, token } from '../../../test/fixtures/paying/bulk-fixture.ts';
import { paths } from '../../../test/fixtures/paying/methods-fixture.ts';
import { autoPayRound } from '../auto-pay/service.ts';

/** What a gateway cannot charge is refused alike, whichever way it is to be paid, before anything is written or sent. */
const { capabilities } = fixture.gateway.module.manifest as unknown as { capabilities: Can };
interface Can {
  entry: Partial<Record<MethodKind, unknown>>;
  oneOff: string;
  currencies: string | readonly string[];
}
const normal: Can = { ...capabilities };
afterEach(() => {
  Object.assign(capabilities, normal);
});

/** Everything one customer can begin a payment with, ready before the account is changed. */
async function ready() {
  fixture.clock.set('2026-03-12T07:00:00Z');
  const payer = await bulkPayer({ reseller: { requireCustomerPermissionForCharging: false } });
  await rows("update customer set email = 'jo@mail.example' where customer_id = $1", [payer.customerId]);
  const cardId = await payer.add('tok_saved');
  const [invoice] = await payer.invoices(1, { dueOn: '2026-03-15' });
  if (invoice === undefined) throw new Error('there is no invoice');
  const { sessionId } = await payer.intent([invoice.id]);
  const deps = { ...fixture.engine, publicUrl: new URL('http://localhost:3000') };
  const round = () => autoPayRound(deps, { resellerId: payer.resellerId });
  await round();
  fixture.gateway.onCheckout = async (charge) => {
    const action = { do: 'redirect', to: 'https://pages.example/' } as const;
    return { is: 'requiresAction', action, remote: remoteId(`cs_${charge.ref}`), state: {} };
  };
  const link = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
  };
  const ways = {
    link: (cardToken = 'tok_visa') =>
      fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: { ...link, cardToken } }),
    'new card': (cardToken = 'tok_visa') => payer.pay(sessionId, { ...token, cardToken }),
    'saved card': () => payer.pay(sessionId, { cardId }),
    page: () => payer.call('GET', `${PATH}/checkout-session/${sessionId}`),
  };
  const autoPay = async () => {
    fixture.clock.set('2026-03-15T07:00:00Z');
    return round();
  };
  const details = async () =>
    (await fixture.app.inject(`/v1/ec/payment/details/${invoice.token}`)).json().data;
  const attempts = () => rows('select state from attempt where customer_id = $1', [payer.customerId]);
  return { payer, invoice, sessionId, cardId, ways, autoPay, details, attempts };
}
const asked = () => fixture.gateway.calls.charge + fixture.gateway.calls.checkout;

const noCard: Partial<Can> = { entry: { bank: normal.entry.bank } };
const noOneOff: Partial<Can> = { oneOff: 'no' };
const otherCurrency: Partial<Can> = { currencies: ['EUR', 'GBP'] };
const notOffered = [409, 'paymentMethod.notOffered'] as const;
const currency = [409, 'payment.methodCurrency'] as const;

describe.each([
  ['no card', noCard, notOffered, { link: 1, 'new card': 1, 'saved card': 1, page: 1 }],
  ['no one-off payment', noOneOff, notOffered, { link: 1, 'new card': 1, 'saved card': 0, page: 1 }],
  ['not this currency', otherCurrency, currency, { link: 1, 'new card': 1, 'saved card': 1, page: 1 }],
] as const)('an account that takes %s', (_what, can, refusal, refused) => {
  it.each(Object.entries(refused) as [keyof typeof refused, number][])(
    'by %s: refused or not (%s)',
    async (way, isRefused) => {
      const { ways, attempts } = await ready();
      Object.assign(capabilities, can);
      const before = asked();
      const answer = await ways[way]();
      if (isRefused === 0) return expect(answer.json().data.status).toBe('succeeded');
      expect([answer.statusCode, answer.json().code]).toEqual(refusal);
      expect(asked()).toBe(before);
      expect(await attempts()).toEqual([]);
    },
  );

  it('says so before anything is typed', async () => {
    const { details, payer } = await ready();
    expect((await details()).brandSettings).not.toBeNull();
    Object.assign(capabilities, can);
    expect(await details()).toMatchObject({ apiStatus: true, brandSettings: null });
    const { card } = (await payer.call('GET', paths.details)).json().data;
    if (can !== otherCurrency) expect(card?.isNewAllowedInline ?? false).toBe(false);
  });
});

describe('a token that is none of the provider’s', () => {
  it.each(['link', 'new card'] as const)('is refused by %s, and ends no open attempt', async (way) => {
    const { ways, attempts, payer, cardId } = await ready();
    fixture.gateway.onCharge = async () => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/' },
      remote: remoteId(`r_${payer.customerId}`),
      state: {},
    });
    await ways['saved card']();
    expect(await attempts()).toEqual([{ state: 'requiresAction' }]);
    const [before, closed] = [asked(), fixture.gateway.calls.cancel];
    for (const junk of ['nonce', 'tok_', 'tok visa', '<script>', `pm_${'x'.repeat(200)}!`]) {
      const answer = await ways[way](junk);
      expect([answer.statusCode, junk]).toEqual([400, junk]);
    }
    expect([asked(), fixture.gateway.calls.cancel]).toEqual([before, closed]);
    expect(await attempts()).toEqual([{ state: 'requiresAction' }]);
    expect(cardId).toBeTruthy();
  });

  it('is not saved either', async () => {
    const { payer } = await ready();
    const answer = await payer.call('POST', paths.cards, { token: 'nonce' });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
  });
});

describe('auto-pay', () => {
  it.each([
    ['noMethod', noCard],
    ['currency', otherCurrency],
  ])('skips what the account does not take any more: %s', async (reason, can) => {
    const { autoPay, attempts } = await ready();
    Object.assign(capabilities, can);
    const before = asked();
    expect((await autoPay())[0]).toMatchObject({ did: 'skip', reason });
    expect(asked()).toBe(before);
    expect(await attempts()).toEqual([]);
  });

  it('charges saved methods where nothing else is taken', async () => {
    const { autoPay } = await ready();
    Object.assign(capabilities, noOneOff);
    expect(await autoPay()).toMatchObject([{ did: 'charge', state: 'succeeded' }]);
  });

  it('debits a bank account in the currency of its scheme only', async () => {
    const { autoPay, payer, attempts } = await ready();
    const other = await payer.bankAccount({ type: 'own_debit', last4: '6789' });
    await rows('update payment_method set is_default = false where customer_id = $1', [payer.customerId]);
    await rows('update payment_method set is_default = true where id = $1', [other]);
    const manifest = fixture.gateway.module.manifest as unknown as {
      saved: { debits: Record<number, { currency: string }> };
    };
    const debit = manifest.saved.debits[1];
    if (debit === undefined) throw new Error('there is no debit');
    debit.currency = 'GBP';
    const done = await autoPay();
    debit.currency = 'USD';
    expect(done).toMatchObject([{ did: 'skip', reason: 'currency' }]);
    expect(await attempts()).toEqual([]);
  });
});

it('a price in a currency that is not taken is not quoted, unless credit pays all of it', async () => {
  const payer = await bulkPayer();
  const [first, second] = await payer.invoices(2);
  Object.assign(capabilities, otherCurrency);
  const refused = await payer.ask(ids([first, second].filter((one) => one !== undefined)));
  expect([refused.statusCode, refused.json().code, refused.json().message]).toEqual([
    409,
    'payment.methodCurrency',
    'Payments in USD are not taken here. Nothing was charged.',
  ]);
  await payer.credit(11_000n);
  const { sessionId } = await payer.intent([first?.id ?? '']);
  expect(await payer.paid(sessionId)).toMatchObject({ status: 'succeeded' });
});
