import { expect, it } from 'vitest';
import { fixture, paths, person } from '../../test/fixtures/paying/methods-fixture.ts';
import { webhookProgram } from '../../test/fixtures/webhooks/webhook-program.ts';

it('tells of saved methods and of consents as they come and go, each once', async () => {
  const me = await person({ reseller: { requireCustomerPermissionForCharging: true } });
  const program = await webhookProgram(fixture, me.resellerId);
  await program.listen();
  const told = async (...members: readonly string[]) =>
    (await program.told()).map(({ type, data }) => [type, ...members.map((name) => data[name])]);
  const id = await me.add('tok_visa');
  expect(await told('id', 'kind', 'isDefault')).toEqual([['payment_method.added', id, 'card', true]]);
  // The same card again is the one that is there.
  await me.add('tok_visa');
  expect(await told()).toEqual([]);
  const charge = (allowResellerCharge: boolean) => me.call('PUT', paths.charge, { allowResellerCharge });
  for (const isAllowed of [true, true, false, false])
    expect((await charge(isAllowed)).statusCode).toBeLessThan(300);
  expect(await told('purpose', 'state')).toEqual([
    ['consent.changed', 'autoPay', 'given'],
    ['consent.changed', 'autoPay', 'revoked'],
  ]);
  expect((await me.call('DELETE', `${paths.cards}/${id}`)).statusCode).toBe(204);
  expect(await told('id')).toEqual([['payment_method.removed', id]]);
});
