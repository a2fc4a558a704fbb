import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const why = { reason: 'ticket 5521' };

async function provider(settings: object = {}) {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
  const pool = fixture.database.pool();
  await pool.query('update reseller set settings = settings || $2::jsonb where id = $1', [
    reseller.id,
    JSON.stringify(settings),
  ]);
  const key = await programKey(fixture, reseller.id, 'crm');
  const call = async (method: 'GET' | 'POST', path: string, payload?: object, customerId = customer.id) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/customers/${customerId}/${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json()) };
  };
  const agree = () =>
    pool.query(
      `insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
       values ($1, $2, 'autoPay', 'I allow it.', '1', $4, 'mia@x.example', $3, '127.0.0.1', '')`,
      [customer.id, newId(), fixture.clock.now(), user.id],
    );
  const trail = async () =>
    (
      await pool.query(
        "select action, detail from audit_event where customer_id = $1 and actor = 'key:crm' order by id",
        [customer.id],
      )
    ).rows;
  return { customer, call, agree, trail };
}

it('Auto-Pay is told with what was agreed to, and ended for a reason, once', async () => {
  const { call, agree, trail } = await provider();
  expect(await call('GET', 'auto-pay')).toMatchObject({
    data: { isOn: false, asksCustomer: true, consents: [] },
  });
  await agree();
  expect(await call('GET', 'auto-pay')).toMatchObject({
    data: { isOn: true, consents: [{ by: 'mia@x.example', text: 'I allow it.', revokedAt: null }] },
  });
  expect((await call('POST', 'auto-pay/end', {})).status).toBe(400);
  for (const _ of [1, 2])
    expect(await call('POST', 'auto-pay/end', why)).toMatchObject({
      status: 200,
      data: { isOn: false, consents: [{ revokedBy: 'key:crm' }] },
    });
  expect(await trail()).toMatchObject([{ action: 'consent.revoked', detail: { reason: 'ticket 5521' } }]);
});

it('where the provider’s terms decide there is nothing to end', async () => {
  const { call } = await provider({ requireCustomerPermissionForCharging: false });
  expect(await call('GET', 'auto-pay')).toMatchObject({ data: { isOn: true, asksCustomer: false } });
  expect(await call('POST', 'auto-pay/end', why)).toMatchObject({ status: 409, code: 'consent.notNeeded' });
});

it('another reseller’s customer does not exist, nor does a method that nobody saved', async () => {
  const [one, other] = [await provider(), await provider()];
  expect(await one.call('GET', 'payment-methods')).toMatchObject({ status: 200, data: [] });
  expect(await one.call('POST', `payment-methods/${newId()}/remove`, why)).toMatchObject({
    status: 404,
    code: 'paymentMethod.notFound',
  });
  for (const [method, path, body] of [
    ['GET', 'payment-methods'],
    ['GET', 'auto-pay'],
    ['POST', 'auto-pay/end', why],
    ['POST', `payment-methods/${newId()}/remove`, why],
  ] as const)
    expect(await one.call(method, path, body, other.customer.id)).toMatchObject({
      status: 404,
      code: 'customer.notFound',
    });
});
