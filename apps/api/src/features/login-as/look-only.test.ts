import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const MINUTE = 60_000;

async function seed() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
  const key = await programKey(fixture, reseller.id, 'crm');
  const link = (payload: object, email = user.email, customerId = customer.id) =>
    fixture.app.inject({
      method: 'POST',
      url: `/v1/admin/customers/${customerId}/users/by-email/${email}/sign-in-links`,
      headers: { authorization: `Bearer ${key}` },
      payload,
    });
  const query = async (text: string) => (await fixture.database.pool().query(text, [user.id])).rows;
  return { reseller, customer, user, link, query };
}

const why = { reason: 'ticket 5521' };

async function look(url: string) {
  const code = new URL(url).pathname.replace('/la/', '');
  const answer = await fixture.app.inject({ method: 'POST', url: '/v1/ec/login-by-code', payload: { code } });
  return answer.json().data as { readonly access_token: string; readonly refresh_token: string };
}
const call = (method: 'GET' | 'POST' | 'PUT', url: string, token: string, payload?: object) =>
  fixture.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

it('opens the portal as the user, says so in the name, refuses every change, and ends after its minutes', async () => {
  const { customer, user, link, query } = await seed();
  const made = await link({ ...why, minutes: 5 });
  expect([made.statusCode, made.json().data.minutes]).toEqual([201, 5]);
  const { url } = made.json().data;
  expect(new URL(url).searchParams.get('c')).toBe(customer.id);
  const { access_token: token, refresh_token } = await look(url);
  expect(decodeJwt(token)).toMatchObject({ sub: user.id, act: { sub: 'key:crm (look only, 5 minutes)' } });
  expect((await call('GET', '/v1/ec/invoices', token)).statusCode).toBe(200);
  const put = await call('PUT', '/v1/ec/allow-reseller-charge', token, { allowResellerCharge: false });
  expect([put.statusCode, put.json().code]).toEqual([403, 'support.lookOnly']);
  expect(await query("select 1 from audit_event where user_id = $1 and action = 'support.request'")).toEqual(
    [],
  );
  fixture.clock.advance(5 * MINUTE - 1);
  expect((await call('GET', '/v1/ec/me', token)).statusCode).toBe(200);
  fixture.clock.advance(1);
  expect((await call('GET', '/v1/ec/me', token)).statusCode).toBe(401);
  const renewed = await fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'refresh_token',
      refresh_token,
    }).toString(),
  });
  expect(renewed.statusCode).toBe(400);
  const trail = await query(
    'select action, actor, customer_id, detail from audit_event where user_id = $1 order by at, id',
  );
  expect(trail).toMatchObject([
    {
      action: 'loginCode.made',
      actor: 'key:crm',
      customer_id: customer.id,
      detail: { reason: 'ticket 5521', lookOnly: 'true', minutes: '5' },
    },
    { action: 'loginCode.used', customer_id: customer.id, detail: { reason: 'ticket 5521' } },
    { action: 'signIn.succeeded' },
  ]);
});

it('signing out is open, and whoever is shut out is looked as no more', async () => {
  const { user, link } = await seed();
  const { access_token: token } = await look((await link(why)).json().data.url);
  expect((await call('POST', '/v1/ec/logout', token)).statusCode).toBe(204);
  const { access_token: second } = await look((await link(why)).json().data.url);
  await fixture.database.pool().query('update app_user set is_active = false where id = $1', [user.id]);
  expect((await call('GET', '/v1/ec/me', second)).statusCode).toBe(401);
  expect((await link(why)).json()).toMatchObject({ status: 409, code: 'customer.userShutOut' });
});

it('is refused without a reason, for longer than an hour, and for anybody else’s', async () => {
  const [one, other] = [await seed(), await seed()];
  for (const body of [{}, { reason: '  ' }, { ...why, minutes: 61 }, { ...why, minutes: 4 }])
    expect([body, (await one.link(body)).statusCode]).toEqual([body, 400]);
  expect((await one.link(why, other.user.email)).json()).toMatchObject({
    status: 404,
    code: 'customer.noUser',
  });
  expect((await one.link(why, other.user.email, other.customer.id)).json()).toMatchObject({
    status: 404,
    code: 'customer.notFound',
  });
});
