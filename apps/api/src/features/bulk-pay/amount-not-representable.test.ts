import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  bulkPayer,
  fixture,
  ids,
  rows,
  takenFrom,
  token,
} from '../../../test/fixtures/paying/bulk-fixture.ts';

const { capabilities } = fixture.gateway.module.manifest as {
  capabilities: { amountIncrement?: Record<string, number> };
};
beforeEach(() => void Object.assign(capabilities, { amountIncrement: { KWD: 10 } }));
afterEach(() => {
  delete capabilities.amountIncrement;
});

async function dinarPayer() {
  const payer = await bulkPayer();
  await rows("update brand set currency = 'KWD' where reseller_id = $1", [payer.resellerId]);
  return payer;
}
const dinars = (subtotalMinor: bigint) => ({ subtotalMinor, taxMinor: 0n, currency: 'KWD' });

it('a sum finer than the gateway charges is refused before it is asked; invoices that make a whole are paid', async () => {
  const payer = await dinarPayer();
  const [one, other] = [await payer.invoices(1, dinars(12_345n)), await payer.invoices(1, dinars(7_005n))];
  const { sessionId } = await payer.intent(ids(one));
  const before = fixture.gateway.calls.charge;
  const answer = await payer.pay(sessionId, token);
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'payment.amountNotRepresentable']);
  expect(answer.json().message).toContain('amounts in KWD are charged in steps of');
  expect(fixture.gateway.calls.charge).toBe(before);
  expect(await payer.money()).toMatchObject({ paid: 0, held: 0 });
  const both = await payer.intent(ids([...one, ...other]));
  expect(await payer.paid(both.sessionId, token)).toMatchObject({ status: 'succeeded', amount: 19.35 });
});

it('credit is used as far as the rest can be charged', async () => {
  const payer = await dinarPayer();
  await payer.credit(1_009n, 'KWD');
  const intent = await payer.intent(ids(await payer.invoices(1, dinars(12_345n))));
  expect(intent).toMatchObject({ total: 11.34, adjustmentsTotal: 1.005 });
  expect(await payer.paid(intent.sessionId, token)).toMatchObject({ status: 'succeeded', amount: 11.34 });
  expect(await takenFrom(payer.customerId)).toEqual([11_340n]);
  expect(await payer.money()).toMatchObject({ paid: 11_340, credited: 1_005, due: 0 });
});
