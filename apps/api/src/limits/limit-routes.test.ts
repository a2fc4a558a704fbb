import { errors } from '@counterfoil/contract/errors.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { countsByAddress } from './by-address.ts';
import { type Count, Limiter } from './limiter.ts';
import { passwordLimits, routeLimits } from './limits.ts';

const fixture = useFixture();
const HERE = '198.51.100.7';
const THERE = '203.0.113.9';
const MINUTE = 60_000;
const limiter = () =>
  new Limiter({ db: fixture.deps.databases.web, secrets: fixture.deps.secrets, clock: fixture.clock });

beforeEach(() => {
  fixture.clock.advance(2 * 60 * MINUTE);
});

/** Uses all tries but so many. */
async function useUp({ limit, of }: Count, left = 0): Promise<void> {
  const share = (limit.tries - left) / limit.tries;
  await limiter().take([{ limit: { ...limit, tries: 1, withinMs: limit.withinMs * share }, of }]);
}

const call = (method: 'GET' | 'POST', url: string, address: string, payload?: object) =>
  fixture.app.inject({ method, url, remoteAddress: address, ...(payload === undefined ? {} : { payload }) });

const grant = (address: string, form: Readonly<Record<string, string>>, secret = 'wrong') =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    remoteAddress: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      password: secret,
      refresh_token: secret,
      ...form,
    }).toString(),
  });

describe('a route with a limit', () => {
  const token = 'x'.repeat(22);
  const paying = { uid: token, invoiceNumber: '1', invoiceAmount: '1.00' };
  const link = { token, password: 'Harbour!47lantern' };
  it.each([
    ['resetRequest', 'POST', '/v1/ec/password-reset-request', { email: 'mia@test.example' }],
    ['mailedLink', 'POST', '/v1/ec/password-reset', link],
    ['mailedLink', 'POST', '/v1/ec/user-registration', link],
    ['payPage', 'GET', `/v1/ec/payment/details/${token}`, undefined],
    ['payPage', 'POST', '/v1/ec/payments/confirmation/result', { reqUid: token }],
    ['payDocument', 'GET', `/v1/ec/payment/invoice/${token}`, undefined],
    ['pay', 'POST', '/v1/ec/pay', paying],
    ['loginCode', 'POST', '/v1/ec/login-by-code', { code: token }],
    ['passkey', 'POST', '/v1/ec/passkey-challenge', {}],
    ['operatorResetRequest', 'POST', '/v1/operator/password-reset-request', { email: 'olga@test.example' }],
    ['mailedLink', 'POST', '/v1/operator/password-reset', link],
    ['passkey', 'POST', '/v1/operator/passkey-challenge', undefined],
  ] as const)(
    '(%s) %s %s answers 429 when an address used it up, and nobody else is kept out',
    async (name, method, url, body) => {
      await useUp({ limit: routeLimits[name].address, of: [HERE] }, 1);
      expect((await call(method, url, HERE, body)).statusCode).not.toBe(429);
      const refused = await call(method, url, HERE, body);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['content-type']).toContain('application/problem+json');
      expect(refused.json()).toMatchObject({
        code: 'rate.limited',
        status: errors['rate.limited'].status,
        message: expect.stringMatching(/^Too many tries\. Please try again in (a minute|2 minutes)$/),
      });
      expect((await call(method, url, THERE, body)).statusCode).not.toBe(429);
      fixture.clock.advance(Number(refused.headers['retry-after']) * 1000);
      expect((await call(method, url, HERE, body)).statusCode).not.toBe(429);
    },
  );

  it.each([
    [
      '/sso/login?b=Acme+%26+Co&ct=2&r=%2Finvoices',
      '/login?e=Authentication+failed&b=Acme+%26+Co&r=%2Finvoices',
    ],
    [`/sso/login?b=${'x'.repeat(201)}`, '/login?e=Authentication+failed'],
    ['/sso/callback?state=made-up&code=secret', '/login?e=Authentication+failed'],
    ['/v1/operator/sso/login', '/admin/sign-in?sso=failed'],
    ['/v1/operator/sso/callback?state=made-up&code=secret', '/admin/sign-in?sso=failed'],
  ])('leads a browser at %s back to the sign-in page', async (url, told) => {
    await useUp({ limit: routeLimits.singleSignOn.address, of: [HERE] }, 1);
    expect((await call('GET', url, HERE)).headers['retry-after']).toBeUndefined();
    const refused = await call('GET', url, HERE);
    expect([refused.statusCode, refused.headers.location]).toEqual([303, told]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await call('GET', url, THERE)).headers['retry-after']).toBeUndefined();
  });

  it('does not count what does not fit its schema', async () => {
    await useUp({ limit: routeLimits.mailedLink.address, of: [HERE] }, 1);
    for (let n = 0; n < 5; n += 1) {
      expect((await call('POST', '/v1/ec/password-reset', HERE, { token: 1 })).statusCode).toBe(400);
    }
    expect((await call('POST', '/v1/ec/password-reset', HERE, link)).statusCode).toBe(410);
  });

  it('takes the whole /64 of an IPv6 address as one', async () => {
    await useUp({ limit: routeLimits.mailedLink.address, of: ['2001:db8:0:0::/64'] });
    const statusOf = async (address: string) =>
      (await call('POST', '/v1/ec/password-reset', address, link)).statusCode;
    expect(await statusOf('2001:db8::dead:beef')).toBe(429);
    expect(await statusOf('2001:db8:0:1::1')).toBe(410);
  });

  it.each([
    ['a route', 'mailedLink', (address) => call('POST', '/v1/ec/password-reset', address, link), 410],
    ['a grant', 'refresh', (address) => grant(address, { grant_type: 'refresh_token' }, 'x'), 400],
    [
      'a sign-in',
      'password',
      (address) => grant(address, { grant_type: 'password', username: address }),
      400,
    ],
  ] as const satisfies readonly (readonly [string, string, (address: string) => unknown, number])[])(
    'takes the whole /48 as one as well, ten times as much, for %s',
    async (_name, name, send, passed) => {
      const limit = name === 'password' ? passwordLimits.address : routeLimits[name].address;
      const [, site] = countsByAddress(limit, '2001:db8:7::1');
      if (site === undefined) throw new Error('the /48 is not counted');
      expect(site.limit.tries).toBe(10 * limit.tries);
      await useUp(site, 2);
      const statusOf = async (address: string) => (await send(address)).statusCode;
      expect(await statusOf('2001:db8:7:1::1')).toBe(passed);
      expect(await statusOf('2001:db8:7:2::1')).toBe(passed);
      expect(await statusOf('2001:db8:7:3::1')).toBe(429);
      expect(await statusOf('2001:db8:8:3::1')).toBe(passed);
      expect(await statusOf(THERE)).toBe(passed);
    },
  );
});

describe('asking for a reset mail', () => {
  const ask = (email: string, n: number, of = 'ec') =>
    call('POST', `/v1/${of}/password-reset-request`, `203.0.113.${n + 1}`, { email });
  const course = async (email: string) => {
    const answers = [];
    for (let n = 0; n < 7; n += 1) {
      const { statusCode, headers, body } = await ask(email, n);
      answers.push([statusCode, headers['retry-after'], body.replace(/"requestId":"[^"]+"/, '')]);
    }
    return answers;
  };

  it('is limited by the address asked for, from wherever, and alike for one that nobody has', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
    const known = await course(user.email);
    expect(known.map(([status]) => status)).toEqual([204, 204, 204, 204, 204, 429, 429]);
    expect(known[5]?.[1]).toBe(String(12 * 60));
    expect(known[5]?.[2]).toContain('"error_description":"Too many tries. Please try again in 12 minutes"');
    expect(await course('nobody-asks@test.example')).toEqual(known);
    expect((await ask(` ${user.email.toUpperCase()} `, 9)).statusCode).toBe(429);
    fixture.clock.advance(12 * MINUTE);
    expect((await ask(user.email, 9)).statusCode).toBe(204);
  });

  it('is limited so for an operator’s address too, apart from users', async () => {
    const email = 'olga-asks@provider.example';
    const asked = [0, 1, 2, 3, 4, 5].map(async (n) => (await ask(email, n, 'operator')).statusCode);
    expect((await Promise.all(asked)).sort()).toEqual([204, 204, 204, 204, 204, 429]);
    expect((await ask(email, 9)).statusCode).toBe(204);
  });
});

describe('changing the password', () => {
  it('lets the holder of a session guess the old one ten times', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
    const { issueAccessToken } = await import('../features/auth/tokens/access-token.ts');
    const sid = crypto.randomUUID();
    const now = fixture.clock.now();
    await fixture.database
      .pool()
      .query(
        `insert into user_session (id, user_id, created_at, last_used_at, expires_at) values ($1, $2, $3, $3, $4)`,
        [sid, user.id, now, new Date(now.getTime() + MINUTE)],
      );
    const claims = { sub: user.id, sid, BrandId: 0, resellername: 'r', DisplayName: 'd' };
    const access = await issueAccessToken(claims, fixture.deps.secrets, fixture.clock);
    const answers = [];
    for (let n = 0; n < 12; n += 1) {
      const { statusCode } = await fixture.app.inject({
        method: 'POST',
        url: '/v1/ec/password',
        remoteAddress: `203.0.113.${n}`,
        headers: { authorization: `Bearer ${access}` },
        payload: { oldPassword: `guess ${n}`, newPassword: 'Harbour!47lantern' },
      });
      answers.push(statusCode);
    }
    expect(answers).toEqual([...Array(10).fill(400), 429, 429]);
  });
});
