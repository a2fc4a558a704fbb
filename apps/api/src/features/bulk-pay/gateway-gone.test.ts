import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { expect, it } from 'vitest';
import { bulkPayer, fixture, ids, rows } from '../../../test/fixtures/paying/bulk-fixture.ts';

it('a bank debit on its way takes days also after the reseller has left the gateway', async () => {
  const me = await bulkPayer();
  const invoices = await me.invoices(1);
  const { sessionId } = await me.intent(ids(invoices));
  const cardId = await me.bankAccount();
  fixture.gateway.onCharge = async ({ ref }) => ({
    is: 'pending',
    because: 'bank',
    remote: remoteId(`r_${ref}`),
    state: {},
  });
  fixture.gateway.onLookup = async ({ ref }) => ({
    is: 'pending',
    because: 'bank',
    remote: remoteId(`r_${ref}`),
    state: {},
  });
  expect(await me.paid(sessionId, { cardId })).toMatchObject({ status: 'processing', expected: 'days' });
  await rows('update gateway_account set is_active = false where id = $1', [me.accountId]);
  expect((await me.read(sessionId)).attempt).toMatchObject({
    status: 'processing',
    expected: 'days',
    message: expect.stringContaining('Your bank usually confirms within 5 working days'),
  });
  const link = await fixture.app.inject(`/v1/ec/payment/details/${invoices[0]?.token}`);
  expect(link.json().data.attempt, link.body).toMatchObject({ status: 'processing', expected: 'days' });
});
