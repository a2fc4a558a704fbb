import type { InvoicePayment } from '@counterfoil/contract/invoices.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
type Is = NonNullable<GatewayEvent['reversal']>['kind'];

/** An invoice of 110.00 that its customer has paid with a fee of 1.65. */
async function paid() {
  const cardFee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
  const { customer, reseller, get } = await signedIn(fixture, { cardFee });
  const invoice = await fixture.seedPayable(customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
  };
  const answer = await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  expect(answer.json().data.status).toBe('succeeded');
  const found = await fixture.database
    .pool()
    .query('select id, remote from capture where customer_id = $1', [customer.id]);
  const { id, remote } = found.rows[0] as { id: string; remote: string };
  const of = remoteId(remote);
  const tell = async (is: Is, minor: bigint) => {
    const late = {
      kind: is,
      remote: remoteId(is === 'refund' ? 're_1' : 'dp_1'),
      of,
      amount: money(minor, 'USD'),
      code: 'x',
    };
    fixture.gateway.onWebhook = () => [{ id: `${of}_${is}`, about: 'charge', reversal: late }];
    const sent = await fixture.app.inject({
      method: 'POST',
      url: `/v1/webhooks/scripted/${reseller.id}`,
      payload: '{}',
      headers: { 'content-type': 'application/json', 'x-signed': '1' },
    });
    expect(sent.statusCode).toBeLessThan(300);
    await fixture.eventsFollowed();
  };
  const detail = async () => (await get(`/v1/ec/invoice/${invoice.id}`)).json().data;
  return { id, tell, detail };
}

it('a payment stands on its invoice with method, reference and receipt, its fee left out', async () => {
  const { id, detail } = await paid();
  const { payments } = await detail();
  expect(payments).toEqual([
    {
      kind: 'payment',
      amount: 110,
      inAll: 111.65,
      fee: 1.65,
      receiptOf: id,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      reference: expect.stringMatching(/^[A-Z0-9]{6,18}$/),
      method: expect.toSatisfy((text: unknown) => text === null || typeof text === 'string'),
    },
  ]);
});

it('a refund stands below it with its fee, and leaves the invoice paid [decisions.11.refund-fee-told]', async () => {
  const { tell, detail } = await paid();
  await tell('refund', 5_000n);
  const { payments, state, amountDue } = await detail();
  const told = payments.map(({ kind, amount, inAll, fee, receiptOf }: InvoicePayment) => [
    kind,
    amount,
    inAll,
    fee,
    receiptOf,
  ]);
  expect(told).toEqual([
    ['payment', 110, 111.65, 1.65, expect.any(String)],
    ['refund', 49.26, 50, 0.74, null],
  ]);
  expect([state, amountDue]).toEqual(['paid', 0]);
});

it('a chargeback makes it due again, and its end the other way takes that back', async () => {
  const { tell, detail } = await paid();
  await tell('chargeback', 11_165n);
  const opened = await detail();
  expect(opened.payments[1]).toMatchObject({ kind: 'returned', amount: 110, receiptOf: null });
  expect(opened.amountDue).toBe(110);
  await tell('chargebackWon', 11_165n);
  const closed = await detail();
  expect(closed.payments.map(({ kind }: InvoicePayment) => kind)).toEqual([
    'payment',
    'returned',
    'restored',
  ]);
  expect(closed.amountDue).toBe(0);
});
