import { expect, it } from 'vitest';
import { fixture, paid } from '../../test/fixtures/paying/reversals-fixture.ts';
import { webhookProgram } from '../../test/fixtures/webhooks/webhook-program.ts';

it('tells of a payment that succeeds, once, whoever finds out', async () => {
  const { customer, reseller } = await fixture.seedPayer();
  const program = await webhookProgram(fixture, reseller.id);
  await program.listen();
  const invoice = await fixture.seedPayable(customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
    email: 'payer@mail.example',
  };
  const pay = () => fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  const answer = await pay();
  expect(answer.json().data?.status, answer.body).toBe('succeeded');
  await pay();
  const told = await program.told();
  expect(told.map(({ type }) => type)).toEqual(['invoice.paid', 'payment.succeeded']);
  expect(told.map(({ data }) => [data['customerId'], data['link']])).toEqual([
    [customer.id, `/v1/admin/invoices/${invoice.id}`],
    [customer.id, `/v1/admin/payments/${told[1]?.data['id']}`],
  ]);
});

it('tells of a payment, of what becomes of it, and of its invoice [decisions.11.refund-fee-told]', async () => {
  const one = await paid();
  const program = await webhookProgram(fixture, one.reseller.id);
  await program.listen();
  const types = async () => (await program.told()).map(({ type }) => type);
  await one.tell('chargeback', 'dp_1', 11_165n);
  const [reopened, reversed] = await program.told();
  expect([reopened?.type, reopened?.data]).toEqual([
    'invoice.reopened',
    expect.objectContaining({ id: one.invoice.id, status: 'open', due: '110.00', reversed: '110.00' }),
  ]);
  expect([reversed?.type, reversed?.data]).toEqual([
    'payment.reversed',
    expect.objectContaining({
      captured: '111.65',
      reversed: '111.65',
      movement: { kind: 'chargeback', amount: '111.65', fee: '1.65' },
      invoices: [{ id: one.invoice.id, number: one.invoice.number }],
    }),
  ]);
  // Told twice, it happened once.
  await one.tell('chargeback', 'dp_1', 11_165n);
  expect(await types()).toEqual([]);
  fixture.gateway.onCharge = async () => ({
    is: 'declined',
    why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
  });
  await one.pay('tok_bad');
  const [failed] = await program.told();
  expect([failed?.type, failed?.data['failure'], failed?.data['state']]).toEqual([
    'payment.failed',
    { class: 'otherMethod', code: 'card_declined' },
    'declined',
  ]);
  await one.tell('chargebackWon', 'dp_1', 11_165n);
  expect(await types()).toEqual(['invoice.paid', 'payment.restored']);
  await one.tell('refund', 're_1', 1_000n);
  const [refunded] = await program.told();
  expect([refunded?.type, refunded?.data['movement'], refunded?.data['reversed']]).toEqual([
    'payment.refunded',
    { kind: 'refund', amount: '10.00', fee: '0.15' },
    '10.00',
  ]);
});
