import type { Charge, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();

const post = (url: string, payload: object) => fixture.app.inject({ method: 'POST', url, payload });

async function payer(settings: Record<string, unknown> = {}, email: string | null = null) {
  const { customer, reseller } = await fixture.seedPayer(settings);
  await fixture.database
    .pool()
    .query('update customer set email = $2 where customer_id = $1', [customer.id, email]);
  const invoice = await fixture.seedPayable(customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
  };
  const rows = async (text: string) =>
    (await fixture.database.pool().query(text, [customer.id])).rows as Record<string, unknown>[];
  return {
    customer,
    reseller,
    invoice,
    body,
    pay: (over: object = {}) => post('/v1/ec/pay', { ...body, ...over }),
    details: async () => (await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`)).json().data,
    states: async () =>
      (await rows('select state from attempt where customer_id = $1 order by id')).map(({ state }) => state),
    receipts: async () =>
      (await rows("select payload ->> 'to' as to from outbox where customer_id = $1")).map(({ to }) => to),
  };
}

const declined: Outcome = {
  is: 'declined',
  why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
};
const challenge = (to: string) => async (): Promise<Outcome> => ({
  is: 'requiresAction',
  action: { do: 'redirect', to },
  state: { id: 'pi' },
});

beforeEach(() => {
  const { gateway } = fixture;
  gateway.taken.clear();
  gateway.onCharge = async (charge) => gateway.take(charge);
  gateway.onLookup = async (charge) =>
    gateway.taken.has(charge.ref) ? gateway.take(charge) : { is: 'absent', proven: true };
  gateway.onCancel = async (charge) =>
    gateway.taken.has(charge.ref) ? gateway.take(charge) : { is: 'closed' };
});

describe('a paying call', () => {
  it.each<[string, (charge: Charge) => Promise<Outcome>, object]>([
    ['succeeded', async (charge) => fixture.gateway.take(charge), { status: 'succeeded' }],
    [
      'requires_action',
      challenge('https://bank.example/c'),
      { status: 'requires_action', redirectToUrl: 'https://bank.example/c' },
    ],
    [
      'processing',
      async () => ({ is: 'unknown', evidence: 'cut' }),
      { status: 'processing', expected: 'seconds' },
    ],
    ['failed', async () => declined, { status: 'failed', message: 'Your card was declined' }],
  ])('answers %s with HTTP 200 [decisions.3.paying-200]', async (_status, onCharge, told) => {
    fixture.gateway.onCharge = onCharge;
    const { pay } = await payer();
    const answer = await pay();
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject(told);
  });

  it('that finds an open one answers its status, with HTTP 200 and no second charge [decisions.3.second-try]', async () => {
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    const { pay } = await payer();
    const first = await pay();
    const charges = fixture.gateway.calls.charge;
    for (const over of [{}, { cardToken: 'tok_other' }, { email: 'a@b.example' }]) {
      const again = await pay(over);
      expect([again.statusCode, again.json().data]).toEqual([200, first.json().data]);
    }
    expect(fixture.gateway.calls.charge).toBe(charges);
  });

  it('sends the payer back to the page of the link [decisions.6.return-public]', async () => {
    const seen: (string | undefined)[] = [];
    fixture.gateway.onCharge = async (charge) => {
      seen.push(charge.returnTo);
      return { ...(await challenge('https://bank.example/c')()) };
    };
    const { pay, body, reseller } = await payer();
    const { attemptId } = (await pay()).json().data;
    const back = new URL(seen[0] ?? '');
    expect([back.hostname, back.pathname, back.search]).toEqual([
      reseller.host,
      `/pay/${body.uid}`,
      `?attempt=${attemptId}`,
    ]);
  });
});

describe('an abandoned challenge', () => {
  it('is left alone for 30 minutes and then closed by the reconciler [decisions.6.constant.abandoned-reconciler]', async () => {
    fixture.gateway.onCharge = challenge('https://bank.example/c');
    fixture.gateway.onLookup = async () => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: 'https://bank.example/c' },
      remote: remoteId('r_abandoned'),
      state: { id: 'pi' },
    });
    const { pay, states } = await payer();
    await pay();
    fixture.clock.advance(29 * 60_000);
    await reconcile(fixture.engine);
    expect(await states()).toEqual(['requiresAction']);
    fixture.clock.advance(2 * 60_000);
    await reconcile(fixture.engine);
    expect(await states()).toEqual(['closed']);
  });
});

describe('the receipt', () => {
  it.each<[string, boolean, string | null, string | undefined, string[]]>([
    ['to the typed address', true, 'file@x.example', 'typed@x.example', ['typed@x.example']],
    ['to the typed address, though receipts are off', false, null, 'typed@x.example', ['typed@x.example']],
    ['else to the address on file', true, 'file@x.example', undefined, ['file@x.example']],
    ['else to nobody where receipts are off', false, 'file@x.example', undefined, []],
  ])(
    'goes %s [decisions.6.receipt-typed, decisions.6.receipt-on-file]',
    async (_name, emailReceipt, onFile, email, to) => {
      const { pay, receipts } = await payer({ emailReceipt }, onFile);
      await pay(email === undefined ? {} : { email });
      expect(await receipts()).toEqual(to);
    },
  );

  it('is one for a payment, however often it is asked about [decisions.6.receipt-once]', async () => {
    const { pay, receipts, details } = await payer({}, 'file@x.example');
    fixture.gateway.onCharge = async (charge) => {
      fixture.gateway.take(charge);
      return { is: 'unknown', evidence: 'cut' };
    };
    await pay({ email: 'typed@x.example' });
    expect(await receipts()).toEqual([]);
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    expect((await details()).invoiceStatus).toBe(11);
    await pay({ email: 'typed@x.example' });
    await reconcile(fixture.engine);
    expect(await receipts()).toEqual(['typed@x.example']);
  });
});

describe('payment info', () => {
  it('has all members of the specification [payments.public.field.info.{uid,brandName,periodLabel,invoiceDate,invoiceDueDate,enabledReceipt,requiredCardHolder,requiredBillingAddress,customer}, payments.public.field.brand.uid]', async () => {
    const { details, body, customer, reseller, invoice } = await payer(
      { cardHolderRequired: true, billingAddressRequired: true, emailReceipt: false },
      'file@x.example',
    );
    await fixture.database
      .pool()
      .query("update invoice set period_start = '2026-02-01', period_end = '2026-02-28' where id = $1", [
        invoice.id,
      ]);
    expect(await details()).toMatchObject({
      uid: body.uid,
      brandName: reseller.name,
      periodLabel: 'February 2026',
      invoiceDate: '2026-02-01',
      invoiceDueDate: '2026-03-15',
      enabledReceipt: false,
      requiredCardHolder: true,
      requiredBillingAddress: true,
      customer: { name: customer.label, email: 'file@x.example' },
      brandSettings: { uid: body.uid },
    });
  });

  it('prices by the fee of this brand and of a card, which is no part of the amount due [decisions.6.fee-per-brand, decisions.6.fee-not-due]', async () => {
    const dear = await payer({
      cardFee: { basisPoints: 100, fixedMinor: 0, capMinor: null },
      bankFee: { basisPoints: 500, fixedMinor: 0, capMinor: null },
    });
    const free = await payer();
    expect(await dear.details()).toMatchObject({ invoiceAmount: 110, fee: 1.1, total: 111.1 });
    expect(await free.details()).toMatchObject({ invoiceAmount: 110, fee: 0, total: 110 });
  });
});
