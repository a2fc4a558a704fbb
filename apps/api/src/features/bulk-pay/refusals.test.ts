import { describe, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, rows, token } from '../../../test/fixtures/paying/bulk-fixture.ts';

async function ready(brand: Record<string, unknown> = {}) {
  const payer = await bulkPayer({ brand });
  const invoices = await payer.invoices(2);
  const intent = await payer.intent(ids(invoices));
  return { payer, uid: intent.sessionId };
}

const nothing = { address: '', city: '', state: '', zip: '', country: '' };

describe('members that are empty', () => {
  it.each([
    ['beside a saved method', { billingAddress: nothing, cardHolder: null, email: null, cardToken: null }],
    ['of a raw card', { cardNumber: '', expirationDate: null, cardCode: '', billingAddress: {} }],
  ])('%s are as good as left out', async (_name, empty) => {
    const { payer, uid } = await ready({ billingAddressRequired: true });
    const cardId = await payer.add('tok_saved');
    const answer = await payer.pay(uid, { cardId, type: null, ...empty });
    expect([answer.statusCode, answer.json().data?.status]).toEqual([200, 'succeeded']);
  });

  it('are not left out where something is asked for', async () => {
    const { payer, uid } = await ready({ billingAddressRequired: true });
    const before = fixture.gateway.calls.charge;
    const noAddress = await payer.pay(uid, { ...token, cardId: '', billingAddress: nothing });
    expect(noAddress.json()).toMatchObject({
      code: 'payment.fieldMissing',
      errors: [{ path: 'billingAddress' }],
    });
    const half = await payer.pay(uid, { ...token, billingAddress: { ...nothing, city: 'Leeds' } });
    expect([half.statusCode, half.json().code]).toEqual([400, 'request.invalid']);
    const noUid = await payer.call('POST', '/v1/ec/payments/pay/bulk', { uid: null, ...token });
    expect([noUid.statusCode, noUid.json().code]).toEqual([400, 'request.invalid']);
    expect(fixture.gateway.calls.charge).toBe(before);
  });
});

describe('what is refused before the gateway is called', () => {
  it.each([
    ['no method', {}, 400, 'payment.methodMissing', 'cardId'],
    [
      'a saved method and a token',
      { ...token, cardId: '0190a0a0-0000-7000-8000-000000000000' },
      400,
      'request.invalid',
      'cardToken',
    ],
    [
      'a method nobody has',
      { cardId: '0190a0a0-0000-7000-8000-000000000000' },
      404,
      'paymentMethod.notFound',
      undefined,
    ],
    ['a token of another provider', { ...token, cardToken: 'nonce' }, 400, 'request.invalid', 'cardToken'],
    ['no card holder', { cardToken: 'tok_visa' }, 400, 'payment.fieldMissing', 'cardHolder'],
    ['no address where it is asked for', token, 400, 'payment.fieldMissing', 'billingAddress'],
    ['an address that is none', { ...token, email: 'nobody' }, 400, 'payment.emailInvalid', 'email'],
    ['another provider’s type', { ...token, type: 2 }, 409, 'paymentMethod.otherProvider', undefined],
    ['a card number', { ...token, cardNumber: '4242424242424242' }, 400, 'payment.rawCard', 'cardNumber'],
    ['an expiry date', { ...token, expirationDate: '2031-08' }, 400, 'payment.rawCard', 'expirationDate'],
    ['a security code', { ...token, cardCode: '123' }, 400, 'payment.rawCard', 'cardCode'],
    [
      'a card number as the holder',
      { ...token, cardHolder: '4242 4242 4242 4242' },
      400,
      'request.invalid',
      'cardHolder',
    ],
    ['a NUL byte', { ...token, cardHolder: 'a\u0000' }, 400, 'request.malformed', undefined],
  ])(
    '%s is refused without calling the gateway [payments.bulk.field.pay.cardHolder, payments.bulk.field.pay.billingAddress, payments.bulk.field.pay.type]',
    async (name, body, status, code, path) => {
      const { payer, uid } = await ready(
        name.startsWith('no address') ? { billingAddressRequired: true } : {},
      );
      const before = fixture.gateway.calls.charge;
      const answer = await payer.pay(uid, body);
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      if (path !== undefined) expect(answer.json().errors[0].path).toBe(path);
      expect(answer.body).not.toContain('4242');
      expect(fixture.gateway.calls.charge).toBe(before);
      expect(await rows('select 1 from attempt where customer_id = $1', [payer.customerId])).toEqual([]);
    },
  );

  it.each(['bulkPay', 'paymentsEnabled'])(
    '%s switched off after the quote: said in plain words',
    async (flag) => {
      const { payer, uid } = await ready();
      await rows('update brand set settings = settings || $2 where reseller_id = $1', [
        payer.resellerId,
        JSON.stringify({ [flag]: false }),
      ]);
      const before = fixture.gateway.calls.charge;
      const page = await payer.call('POST', `/v1/ec/payments/checkout-session/${uid}`);
      for (const answer of [await payer.pay(uid, token), page]) {
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'area.disabled']);
        expect(JSON.stringify(answer.json())).toContain(
          'Your provider has switched paying here off meanwhile. Nothing was charged now.',
        );
      }
      expect(fixture.gateway.calls.charge).toBe(before);
      expect(await rows('select 1 from attempt where customer_id = $1', [payer.customerId])).toEqual([]);
    },
  );

  it('somebody else’s method, a removed one, one that cannot be used, one of another currency', async () => {
    const { payer, uid } = await ready();
    const other = await bulkPayer();
    const [theirs, removed, pending] = [
      await other.add('tok_a'),
      await payer.add('tok_b'),
      await payer.add('tok_c'),
    ];
    const euro = await payer.bankAccount({ type: 'own_debit' });
    await rows("update payment_method set state = 'gone', is_default = false where id = $1", [removed]);
    await rows("update payment_method set usable = 'pending', is_default = false where id = $1", [pending]);
    const before = fixture.gateway.calls.charge;
    for (const cardId of [theirs, removed, pending])
      expect((await payer.pay(uid, { cardId })).json().code).toBe('paymentMethod.notFound');
    const abroad = await payer.intent(ids(await payer.invoices(1, { currency: 'EUR' })));
    expect((await payer.pay(abroad.sessionId, { cardId: euro })).json().code).toBe('payment.methodCurrency');
    expect(fixture.gateway.calls.charge).toBe(before);
  });

  it('a gateway that refuses its keys', async () => {
    const { payer, uid } = await ready();
    fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], why: 'bad key' });
    expect((await payer.pay(uid, token)).json().code).toBe('gateway.misconfigured');
  });

  it('an Idempotency-Key that was used for another payment; the same is answered with the same', async () => {
    const { payer, uid } = await ready();
    const headers = { 'idempotency-key': 'click-1' };
    const first = await payer.pay(uid, token, headers);
    const again = await payer.pay(uid, token, headers);
    expect(again.json().data).toEqual(first.json().data);
    const other = await payer.pay(uid, { ...token, cardToken: 'tok_other' }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, 'payment.keyReused']);
  });
});
