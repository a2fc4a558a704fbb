import { remoteId } from '@counterfoil/gateways/gateway-ref.ts';
import { expect, it } from 'vitest';
import { bulkPayer, ids, rows, world } from '../../../test/bulk-world.ts';

it('a bank debit on its way takes days also after the reseller has left the gateway', async () => {
  const me = await bulkPayer();
  const invoices = await me.invoices(1);
  const { sessionId } = await me.intent(ids(invoices));
  const cardId = await me.bankAccount();
  world.gateway.onCharge = async ({ ref }) => ({
    ...{ is: 'pending', because: 'bank', remote: remoteId(`r_${ref}`), state: {} },
  });
  world.gateway.onLookup = async ({ ref }) => ({
    ...{ is: 'pending', because: 'bank', remote: remoteId(`r_${ref}`), state: {} },
  });
  expect(await me.paid(sessionId, { cardId })).toMatchObject({ status: 'processing', expected: 'days' });
  await rows('update gateway_account set is_active = false where id = $1', [me.accountId]);
  expect((await me.read(sessionId)).attempt).toMatchObject({
    ...{ status: 'processing', expected: 'days' },
    message: expect.stringContaining('Your bank usually confirms within 5 working days'),
  });
  const link = await world.app.inject(`/v1/ec/payment/details/${invoices[0]?.token}`);
  expect(link.json().data.attempt, link.body).toMatchObject({ status: 'processing', expected: 'days' });
});
