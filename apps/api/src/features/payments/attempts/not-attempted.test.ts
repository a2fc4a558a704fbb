import { expect, it } from 'vitest';
import { fixture, moneyOf, post, setUp } from '../../../../test/fixtures/paying/pay-fixture.ts';
import { listRefusedCharges } from '../../admin-payments/queries.ts';

const refuse = (why: 'config' | 'unreachable' | 'invalid' | 'methodGone') => {
  fixture.gateway.onCharge = async () => ({ is: 'notAttempted', why, detail: 'as the gateway said' });
};

it('a gateway that refuses our account has declined nobody: the payer is told so, the operator why', async () => {
  const { body, customer, invoice } = await setUp();
  refuse('config');
  const answer = await post('/v1/ec/pay', body);
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'gateway.misconfigured']);
  expect(answer.body).not.toContain('as the gateway said');
  const found = await listRefusedCharges(fixture.engine.db, new Date(fixture.clock.now().getTime() - 60_000));
  expect(found.find(({ reseller_id }) => reseller_id === customer.resellerId)).toMatchObject({
    count: 1,
    detail: 'as the gateway said',
  });
  expect(await moneyOf(customer.id, invoice.id)).toMatchObject({ captures: [], openClaims: 0 });
});

it.each([
  ['unreachable', 'The payment provider could not be reached. Please try again in a few minutes. '],
  ['methodGone', 'The payment provider does not have this payment method any more. Please use another one. '],
  ['invalid', 'The payment did not go through. '],
] as const)('a charge that never got as far as a decision says why: %s', async (why, words) => {
  const { body } = await setUp();
  refuse(why);
  const { data } = (await post('/v1/ec/pay', body)).json();
  expect(data).toMatchObject({ status: 'failed', message: `${words}Nothing was charged.` });
});
