import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from './passwords/passwords.ts';
import { refresh } from './session.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const token = (form: Record<string, string>) =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ client_id: 'counterfoil-portal', ...form }).toString(),
  });

const get = (url: string, accessToken: string, headers: Record<string, string> = {}) =>
  fixture.app.inject({ url, headers: { authorization: `Bearer ${accessToken}`, ...headers } });

async function seedUser(customers = 1) {
  const { reseller } = await fixture.seedPayer();
  const made = [];
  for (let n = 0; n < customers; n += 1) {
    made.push(
      await fixture.make.customer({
        resellerId: reseller.id,
        brandId: reseller.brandId,
        label: `C${n} of ${reseller.id}`,
      }),
    );
  }
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash,
    customerIds: made.map((customer) => customer.id),
  });
  return { reseller, user, customers: made };
}

const signIn = async (email: string) => {
  const answer = await token({ grant_type: 'password', username: email, password: PASSWORD });
  expect(answer.statusCode).toBe(200);
  return answer.json() as {
    access_token: string;
    refresh_token: string;
    expires_in: number;
    token_type: string;
  };
};

describe('password grant', () => {
  it('answers access and refresh token with the claims the portal reads [portal.token.call.password, portal.token.field.{username,password,answer.access_token,answer.refresh_token}, decisions.token.{not-wrapped,field.answer.token_type,field.answer.expires_in,field.claim.resellername}, portal.session.field.claim.*, decisions.9.password-grant]', async () => {
    const { user, reseller } = await seedUser();
    const answer = await signIn(user.email.toUpperCase());
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const claims = decodeJwt(answer.access_token);
    expect(claims).toMatchObject({
      BrandId: reseller.brandId,
      resellername: reseller.name,
      DisplayName: user.email,
    });
  });

  it('uses the same words for an unknown user and a wrong password [portal.token.field.answer.error, portal.token.error.description, decisions.token.rfc-6749-errors]', async () => {
    const { user } = await seedUser();
    const wrong = await token({ grant_type: 'password', username: user.email, password: 'nope' });
    const unknown = await token({
      grant_type: 'password',
      username: 'nobody@test.example',
      password: 'nope',
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid username or password',
    });
    expect(unknown.json()).toEqual(wrong.json());
  });

  it.each([
    ['no client', { client_id: '' }, 'invalid_client'],
    ['no user name', { username: ' ' }, 'invalid_request'],
    ['no password', { password: '' }, 'invalid_request'],
    ['another grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('refuses %s [decisions.9.password-grant]', async (_name, change, error) => {
    const answer = await token({ grant_type: 'password', username: 'a@b.example', password: 'x', ...change });
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  it.each([
    ['a JSON body', 'application/json', '{"grant_type":"password"}'],
    ['malformed JSON', 'application/json', '{'],
    ['another content type', 'text/plain', 'grant_type=password'],
    [
      'a NUL byte',
      'application/x-www-form-urlencoded',
      'grant_type=password&client_id=counterfoil-portal&username=%00&password=x',
    ],
    ['5 MB', 'application/x-www-form-urlencoded', `grant_type=password&password=${'x'.repeat(5_000_000)}`],
    ['a member given twice', 'application/x-www-form-urlencoded', 'grant_type=password&grant_type=password'],
  ])('refuses %s with a 4xx in the form of RFC 6749', async (_name, type, payload) => {
    const answer = await fixture.app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(typeof answer.json().error).toBe('string');
  });
});

describe('refresh grant', () => {
  it('rotates at every use [portal.token.call.refresh, portal.token.field.refresh_token, decisions.7.refresh-rotated, decisions.9.rotating-refresh-token]', async () => {
    const { user } = await seedUser();
    const first = await signIn(user.email);
    const second = (await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).json();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await get('/v1/ec/me', second.access_token)).statusCode).toBe(200);
  });

  it('answers a lost answer again within ten seconds with the same new token, also for twenty at once [decisions.7.constant.refresh-retry]', async () => {
    const { user } = await seedUser();
    const { refresh_token } = await signIn(user.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => token({ grant_type: 'refresh_token', refresh_token })),
    );
    const tokens = new Set(answers.map((answer) => answer.json().refresh_token));
    expect(tokens.size).toBe(1);
    expect([...tokens][0]).toEqual(expect.any(String));
  });

  it('ends the whole session when a spent token comes back later [decisions.9.rotating-refresh-token]', async () => {
    const { user } = await seedUser();
    const first = await signIn(user.email);
    const second = (await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).json();
    fixture.clock.advance(11_000);
    const replay = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect([replay.statusCode, replay.json().error]).toEqual([400, 'invalid_grant']);
    const after = await token({ grant_type: 'refresh_token', refresh_token: second.refresh_token });
    expect(after.statusCode).toBe(400);
    expect((await get('/v1/ec/me', second.access_token)).statusCode).toBe(401);
  });

  it('refuses a token after thirty days [decisions.7.constant.refresh-token]', async () => {
    const { user } = await seedUser();
    const { refresh_token } = await signIn(user.email);
    fixture.clock.advance(31 * 24 * 3_600_000);
    expect((await token({ grant_type: 'refresh_token', refresh_token })).statusCode).toBe(400);
  });
});

describe('a session in use', () => {
  it('is renewed for ninety days, and then asks who it is', async () => {
    const { user } = await seedUser();
    let { refresh_token } = await signIn(user.email);
    const renew = () => token({ grant_type: 'refresh_token', refresh_token });
    for (let month = 0; month < 3; month += 1) {
      fixture.clock.advance(29 * 24 * 3_600_000);
      const answer = await renew();
      expect(answer.statusCode).toBe(200);
      ({ refresh_token } = answer.json());
    }
    fixture.clock.advance(3 * 24 * 3_600_000 + 1_000);
    expect((await renew()).json().error).toBe('invalid_grant');
  });

  it.each([
    ['was not renewed for the days of SESSION_IDLE_DAYS', { idleDays: 7, maxDays: 90 }, [8], false],
    ['is as old as SESSION_MAX_DAYS', { idleDays: 30, maxDays: 14 }, [7, 8], false],
    ['neither', { idleDays: 8, maxDays: 16 }, [7, 8], true],
  ] as const)(
    'ends by shorter days than it was begun with: %s',
    async (_title, sessionEnds, pauses, lives) => {
      const { user } = await seedUser();
      let { refresh_token } = await signIn(user.email);
      const { databases, secrets, clock } = fixture.deps;
      const deps = { db: databases.web, secrets, clock, isDemo: false, sessionEnds };
      const origin = { address: '198.51.100.9', agent: 'test', requestId: 'test' };
      let isAlive = true;
      for (const days of pauses) {
        expect(isAlive).toBe(true);
        fixture.clock.advance(days * 24 * 3_600_000 - 1_000);
        const result = await refresh(deps, refresh_token, origin);
        isAlive = result.ok;
        if (result.ok) ({ refresh_token } = result.answer);
      }
      expect(isAlive).toBe(lives);
    },
  );
});

describe('the session', () => {
  it('ends at once on logout, though the access token has not expired', async () => {
    const { user } = await seedUser();
    const { access_token, refresh_token } = await signIn(user.email);
    const out = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/logout',
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(out.statusCode).toBe(204);
    expect((await get('/v1/ec/me', access_token)).statusCode).toBe(401);
    expect((await token({ grant_type: 'refresh_token', refresh_token })).statusCode).toBe(400);
  });

  it('ends after fifteen minutes without a refresh [decisions.7.constant.access-token, decisions.9.short-access-token]', async () => {
    const { user } = await seedUser();
    const { access_token } = await signIn(user.email);
    fixture.clock.advance(15 * 60_000 + 1_000);
    expect((await get('/v1/ec/me', access_token)).json().code).toBe('session.ended');
  });

  it('believes no forged token: another key, no signature, another audience', async () => {
    const { user } = await seedUser();
    const { access_token } = await signIn(user.email);
    const claims = decodeJwt(access_token);
    const sign = (key: Uint8Array, audience: string) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).setAudience(audience).sign(key);
    const forged = await sign(new Uint8Array(32), 'counterfoil-portal');
    const wrongAudience = await sign(fixture.deps.secrets.tokenKey, 'somebody-else');
    const [, payload] = access_token.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const bad of [forged, wrongAudience, none, 'nonsense']) {
      expect((await get('/v1/ec/me', bad)).statusCode).toBe(401);
    }
  });
});

describe('customers', () => {
  it('lists the user’s customers by label and marks the chosen one [decisions.4.many-customers]', async () => {
    const { user, customers } = await seedUser(3);
    const { access_token } = await signIn(user.email);
    const answer = await get('/v1/ec/me', access_token, { 'x-customer-id': customers[1]?.id ?? '' });
    expect(
      answer
        .json()
        .data.customers.map((one: { label: string; selected: boolean }) => [one.label, one.selected]),
    ).toEqual([
      [customers[0]?.label, false],
      [customers[1]?.label, true],
      [customers[2]?.label, false],
    ]);
  });

  it('answers 403 customer.notYours for a foreign customer, and /me ignores it', async () => {
    const mine = await seedUser();
    const other = await seedUser();
    const { access_token } = await signIn(mine.user.email);
    const headers = { 'x-customer-id': other.customers[0]?.id ?? '' };
    const refused = await get('/v1/ec/invoices', access_token, headers);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'customer.notYours']);
    expect((await get('/v1/ec/me', access_token, headers)).statusCode).toBe(200);
    expect((await get('/v1/ec/invoices', access_token, { 'x-customer-id': 'not-an-id' })).statusCode).toBe(
      403,
    );
  });
});
