import { afterEach, expect, it } from 'vitest';
import { bulkPayer, fixture, ids, takenFrom, token } from '../../../test/fixtures/paying/bulk-fixture.ts';

const { capabilities } = fixture.gateway.module.manifest as {
  capabilities: { minimumCharge?: Record<string, number> };
};
afterEach(() => {
  delete capabilities.minimumCharge;
});

it('less than the gateway charges is refused with the least in words, and the gateway is not asked', async () => {
  const payer = await bulkPayer();
  const invoices = await payer.invoices(1, { subtotalMinor: 30n, taxMinor: 0n });
  const { sessionId } = (await payer.ask(ids(invoices))).json().data;
  Object.assign(capabilities, { minimumCharge: { USD: 50 } });
  const before = fixture.gateway.calls.charge;
  const answer = await payer.pay(sessionId, token);
  expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
    400,
    'payment.tooSmall',
    'The smallest amount that can be paid by card is $0.50. Nothing was charged.',
  ]);
  expect(fixture.gateway.calls.charge).toBe(before);
  expect(await payer.money()).toMatchObject({ paid: 0, due: 30, held: 0 });

  Object.assign(capabilities, { minimumCharge: { USD: 30 } });
  expect((await payer.pay(sessionId, token)).json().data.status).toBe('succeeded');
  expect(await takenFrom(payer.customerId)).toEqual([30n]);
});

it('credit that would leave less than the gateway charges is used so far that the rest can be charged', async () => {
  const payer = await bulkPayer();
  await payer.credit(10_980n);
  Object.assign(capabilities, { minimumCharge: { USD: 50 } });
  const intent = await payer.intent(ids(await payer.invoices(1)));
  expect(intent).toMatchObject({ total: 0.5, adjustmentsTotal: 109.5 });
  expect(await payer.paid(intent.sessionId, token)).toMatchObject({ status: 'succeeded', amount: 0.5 });
  expect(await payer.money()).toMatchObject({ paid: 50, credited: 10_950, due: 0 });
  expect(await payer.creditLeft()).toEqual({ balance: '30', held: '0' });
});
