import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';
import { makeLoginCode } from './service.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
const HOUR = 3_600_000;
let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

type Auth = Readonly<Record<'access_token' | 'refresh_token', string>>;

async function seed() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({ resellerId: reseller.id, passwordHash, customerIds: [customer.id] });
  return { reseller, customer, user };
}

const codeFor = async (userId: string, customerId?: string): Promise<string> => {
  const wanted = { userId, customerId, actor: 'Sam (support)', reason: 'ticket 17' };
  return (
    await fixture.deps.databases.web.transaction((tx) => makeLoginCode(tx, wanted, fixture.clock.now()))
  ).code;
};
const use = (code: string) =>
  fixture.app.inject({ method: 'POST', url: '/v1/ec/login-by-code', payload: { code } });
const call = (method: 'GET' | 'POST' | 'PUT', url: string, token: string, payload?: object) =>
  fixture.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  });
const token = (form: Record<string, string>) =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ client_id: 'counterfoil-portal', ...form }).toString(),
  });
const refresh = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken });
const withoutId = (body: object) => ({ ...body, requestId: undefined });
const trail = async (userId: string | null) =>
  (
    await fixture.database.pool().query(
      `select action, user_email, actor, reseller_id, customer_id, session_id, address, request_id, detail
         from audit_event where user_id is not distinct from $1 order by at, id`,
      [userId],
    )
  ).rows;

describe('a one-time login code', () => {
  it('answers the auth object of /token, whose claim act names support; nobody else’s token has it [decisions.token.field.claim.act, portal.session.call.code-login]', async () => {
    const { user, customer } = await seed();
    const answer = await use(await codeFor(user.id, customer.id));
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const auth = answer.json().data as Auth;
    expect(auth).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
    });
    expect(decodeJwt(auth.access_token)).toMatchObject({ sub: user.id, act: { sub: 'Sam (support)' } });
    expect((await call('GET', '/v1/ec/invoices', auth.access_token)).statusCode).toBe(200);
    const renewed = (await refresh(auth.refresh_token)).json() as Auth;
    expect(decodeJwt(renewed.access_token)['act']).toEqual({ sub: 'Sam (support)' });
    const own = await token({ grant_type: 'password', username: user.email, password: PASSWORD });
    expect(decodeJwt(own.json().access_token)).not.toHaveProperty('act');
  });

  it('works once: of twenty uses at the same time exactly one succeeds [decisions.2.login-code-once]', async () => {
    const { user } = await seed();
    const code = await codeFor(user.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(code)));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 410)]);
    const { rows } = await fixture.database
      .pool()
      .query('select count(*)::int as n from user_session where user_id = $1', [user.id]);
    expect(rows).toEqual([{ n: 1 }]);
    expect((await use(code)).json()).toMatchObject({ code: 'loginCode.used' });
  });

  it('works for five minutes [decisions.2.constant.login-code-life]', async () => {
    const { user } = await seed();
    const [early, late] = [await codeFor(user.id), await codeFor(user.id)];
    fixture.clock.advance(299_999);
    expect((await use(early)).statusCode).toBe(200);
    fixture.clock.advance(1);
    const answer = await use(late);
    expect([answer.statusCode, answer.json().code]).toEqual([410, 'loginCode.expired']);
  });

  it('cannot be made for longer, in the database either', async () => {
    const { user } = await seed();
    const longer = fixture.database.pool().query(
      `insert into login_code (hash, user_id, actor, reason, created_at, expires_at)
       values ('x', $1, 'a', 'b', now(), now() + interval '5 minutes 1 second')`,
      [user.id],
    );
    await expect(longer).rejects.toThrow(/check constraint/);
  });

  it('is stored as a hash only, and is over when the user is shut out', async () => {
    const { user } = await seed();
    const code = await codeFor(user.id);
    const { rows } = await fixture.database.pool().query('select t::text as text from login_code t');
    expect(JSON.stringify(rows)).not.toContain(code);
    await fixture.database.pool().query('update app_user set is_active = false where id = $1', [user.id]);
    expect((await use(code)).json()).toMatchObject({ status: 410, code: 'loginCode.expired' });
  });

  it.each(['x', 'x'.repeat(512), '../../etc', '%00', ' '])('refuses the unknown %j as such', async (code) => {
    expect((await use(code)).json()).toMatchObject({ status: 404, code: 'loginCode.unknown' });
  });

  it('is on record when it is used and when it is refused, with both names and where from', async () => {
    const { user, reseller, customer } = await seed();
    const code = await codeFor(user.id, customer.id);
    const used = await use(code);
    const refused = await use(code);
    const both = { user_email: user.email, actor: 'Sam (support)', reseller_id: reseller.id };
    const [usedId, refusedId] = [used, refused].map(({ headers }) => headers['x-request-id']);
    expect(await trail(user.id)).toMatchObject([
      {
        action: 'loginCode.used',
        ...both,
        customer_id: customer.id,
        request_id: usedId,
        address: '127.0.0.1',
        detail: { reason: 'ticket 17' },
      },
      { action: 'signIn.succeeded', ...both, detail: { method: 'code', reason: 'ticket 17' } },
      { action: 'loginCode.refused', ...both, detail: { why: 'loginCode.used' }, request_id: refusedId },
    ]);
    await use('nobody knows this one');
    const unknown = (await trail(null)).at(-1);
    expect(unknown).toMatchObject({
      action: 'loginCode.refused',
      detail: { why: 'loginCode.unknown' },
      address: '127.0.0.1',
    });
    expect(JSON.stringify([...(await trail(user.id)), unknown])).not.toContain(code);
  });
});

describe('a session of support', () => {
  const supportSession = async () => {
    const seeded = await seed();
    const auth = (await use(await codeFor(seeded.user.id))).json().data as Auth;
    return { ...seeded, auth };
  };

  it('ends after eight hours, however often it is renewed', async () => {
    const { auth } = await supportSession();
    let current = auth;
    for (let minutes = 10; minutes < 480; minutes += 10) {
      fixture.clock.advance(600_000);
      const renewed = await refresh(current.refresh_token);
      expect(renewed.statusCode).toBe(200);
      current = renewed.json() as Auth;
    }
    fixture.clock.advance(599_999);
    expect((await call('GET', '/v1/ec/me', current.access_token)).statusCode).toBe(200);
    fixture.clock.advance(1);
    expect((await call('GET', '/v1/ec/me', current.access_token)).statusCode).toBe(401);
    expect((await refresh(current.refresh_token)).statusCode).toBe(400);
  });

  it('of the person themselves goes on', async () => {
    const { user } = await seed();
    const own = await token({ grant_type: 'password', username: user.email, password: PASSWORD });
    fixture.clock.advance(9 * HOUR);
    expect((await refresh(own.json().refresh_token)).statusCode).toBe(200);
  });

  it('sees what the user sees: for the server there is no other role [portal.roles.no-named-roles, portal.roles.super-user-no-other-effect]', async () => {
    const { auth, user, customer } = await supportSession();
    await fixture.seedPayable(customer);
    const own = (
      await token({ grant_type: 'password', username: user.email, password: PASSWORD })
    ).json() as Auth;
    for (const url of [
      '/v1/ec/me',
      '/v1/ec/settings',
      '/v1/ec/invoices',
      '/v1/ec/usage?service=1&agreement=',
    ]) {
      const [theirs, supports] = [
        await call('GET', url, own.access_token),
        await call('GET', url, auth.access_token),
      ];
      expect([supports.statusCode, withoutId(supports.json())]).toEqual([
        theirs.statusCode,
        withoutId(theirs.json()),
      ]);
    }
    const { act, ...claims } = decodeJwt(auth.access_token);
    expect(act).toEqual({ sub: 'Sam (support)' });
    expect(new Set(Object.keys(claims))).toEqual(new Set(Object.keys(decodeJwt(own.access_token))));
    const { rows } = await fixture.database
      .pool()
      .query(
        "select table_name, column_name from information_schema.columns where table_schema = 'public' and column_name ~ 'role'",
      );
    // Operators are no users.
    expect(rows).toEqual([{ table_name: 'operator', column_name: 'role' }]);
  });

  it('cannot change the password', async () => {
    const { auth } = await supportSession();
    const body = { oldPassword: PASSWORD, newPassword: 'harbour-lantern-47' };
    const answer = await call('POST', '/v1/ec/password', auth.access_token, body);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'support.notAllowed']);
  });

  it('puts whatever it asks to change on record before it is done, with both names; reading leaves none', async () => {
    const { auth, user, customer } = await supportSession();
    const before = (await trail(user.id)).length;
    await call('GET', '/v1/ec/invoices', auth.access_token);
    const itemId = '01924f2e-0000-7000-8000-000000000001';
    const put = await call('PUT', `/v1/ec/service-items/${itemId}`, auth.access_token, {
      description: 'Lift',
      costCentre: null,
    });
    expect((await trail(user.id)).slice(before)).toMatchObject([
      {
        action: 'support.request',
        actor: 'Sam (support)',
        user_email: user.email,
        customer_id: customer.id,
        request_id: put.headers['x-request-id'],
        address: '127.0.0.1',
        session_id: decodeJwt(auth.access_token)['sid'],
        detail: { call: 'PUT /v1/ec/service-items/:id', id: itemId },
      },
    ]);
    const own = (await token({ grant_type: 'password', username: user.email, password: PASSWORD })).json();
    await call('PUT', `/v1/ec/service-items/${itemId}`, own.access_token, {
      description: 'x',
      costCentre: null,
    });
    const actions = (await trail(user.id)).slice(before).map(({ action }) => action);
    expect(actions).toEqual(['support.request', 'signIn.succeeded']);
  });

  it('is refused what cannot be put on record', async () => {
    const { auth, user } = await supportSession();
    const pool = fixture.database.pool();
    await pool.query(
      'alter table audit_event add constraint refusing check (action <> $$support.request$$) not valid',
    );
    try {
      const answer = await call('POST', '/v1/ec/logout', auth.access_token);
      expect(answer.statusCode).toBe(500);
      const { rows } = await pool.query(
        'select 1 from user_session where user_id = $1 and ended_at is null',
        [user.id],
      );
      expect(rows).toHaveLength(1);
    } finally {
      await pool.query('alter table audit_event drop constraint refusing');
    }
  });
});

describe('signing out and reuse', () => {
  it('are on record, once each', async () => {
    const { user } = await seed();
    const signIn = async () =>
      (await token({ grant_type: 'password', username: user.email, password: PASSWORD })).json() as Auth;
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    await call('POST', '/v1/ec/logout', first.access_token);
    const revoke = () =>
      fixture.app.inject({
        method: 'POST',
        url: '/token/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ token: second.refresh_token }).toString(),
      });
    await revoke();
    await revoke();
    await refresh(third.refresh_token);
    fixture.clock.advance(11_000);
    await refresh(third.refresh_token);
    await refresh(third.refresh_token);
    const rows = (await trail(user.id)).filter(({ action }) => action !== 'signIn.succeeded');
    expect(rows.map(({ action }) => action)).toEqual(['signOut', 'signOut', 'session.reuse']);
    for (const row of rows) {
      expect(row).toMatchObject({
        user_email: user.email,
        actor: null,
        address: '127.0.0.1',
        request_id: expect.any(String),
        session_id: expect.any(String),
      });
    }
  });
});

describe('a password', () => {
  it('changed by its owner is on record with where from', async () => {
    const { user } = await seed();
    const { access_token } = (
      await token({ grant_type: 'password', username: user.email, password: PASSWORD })
    ).json() as Auth;
    const body = { oldPassword: PASSWORD, newPassword: 'harbour-lantern-47' };
    expect((await call('POST', '/v1/ec/password', access_token, body)).statusCode).toBe(204);
    expect((await trail(user.id)).at(-1)).toMatchObject({
      action: 'password.changed',
      user_email: user.email,
      actor: null,
      address: '127.0.0.1',
      session_id: decodeJwt(access_token)['sid'],
      request_id: expect.any(String),
    });
  });
});
