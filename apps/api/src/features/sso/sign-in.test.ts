import { describe, expect, it } from 'vitest';
import {
  HOST,
  newBrowser,
  PUBLIC_URL,
  signInPage,
  ssoEnv,
  useSso,
} from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture({ env: ssoEnv });
const sso = useSso(fixture);
const FAILED = 'Authentication failed';
const sql = (text: string, ...values: unknown[]) => fixture.database.pool().query(text, values);

describe('single sign-on', () => {
  it('leads through the company’s provider to a code, and the code to a session [portal.token.call.authorization-code, decisions.2.{call.sso-login,sso-pkce,sso-company-provider,sso-callback,sso-code-trade}]', async () => {
    const company = await sso.company();
    const browser = newBrowser();
    const begun = new URL(await sso.begin(browser, { b: company.name, ct: '2', r: '/usage?page=2' }));
    expect(begun.origin).toBe(sso.provider.issuer);
    expect(Object.fromEntries(begun.searchParams)).toMatchObject({
      client_id: sso.provider.clientId,
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: `${PUBLIC_URL}/sso/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    const page = signInPage(await sso.finish(browser, await sso.visit(browser, begun.href)));
    expect(page).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), r: '/usage?page=2' });
    const traded = await sso.trade(browser, page['code'] ?? '');
    expect(traded.statusCode).toBe(200);
    expect(traded.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const headers = { authorization: `Bearer ${traded.json().access_token}` };
    const me = await fixture.app.inject({ url: '/v1/ec/me', headers });
    expect(me.json().data.customers).toMatchObject([{ customerId: company.customerId }]);
    const { rows } = await sql('select method from user_session where user_id = $1', company.user.id);
    expect(rows).toEqual([{ method: 'sso' }]);
  });

  it('knows the company by its name in any case, and the user by the address in any case', async () => {
    const company = await sso.company();
    sso.provider.person = { email: company.user.email.toUpperCase(), email_verified: true };
    const page = signInPage(await sso.signIn(newBrowser(), { name: `  ${company.name.toUpperCase()} ` }));
    expect(page).toEqual({ code: expect.any(String) });
  });

  it('stores code, state and verifier so that a stolen table opens nothing', async () => {
    const company = await sso.company();
    const browser = newBrowser();
    const begun = new URL(await sso.begin(browser, { b: company.name, ct: '2' }));
    const page = signInPage(await sso.finish(browser, await sso.visit(browser, begun.href)));
    const cookie = browser.get(HOST)?.get('sso') ?? '';
    const { rows } = await sql('select a::text || s::text as stored from sso_attempt a, sso_code s');
    for (const secret of [page['code'], begun.searchParams.get('state'), cookie]) {
      const hex = Buffer.from(secret ?? '').toString('hex');
      expect(rows.filter(({ stored }) => stored.includes(secret) || stored.includes(hex))).toEqual([]);
    }
    const verifiers = await sql('select length(verifier_sealed) as length from sso_attempt');
    expect(verifiers.rows.every(({ length }) => length > 43 + 28)).toBe(true);
  });

  it('asks the provider for the address where the ID token does not tell it', async () => {
    const company = await sso.company();
    const asked = sso.provider.asked.length;
    expect(signInPage(await sso.signIn(newBrowser(), company))).toHaveProperty('code');
    expect(sso.provider.asked.slice(asked)).toContain('/me');
  });

  it('gives a cookie that scripts and other sites do not get, for ten minutes [decisions.2.sso-code-bound]', async () => {
    const company = await sso.company();
    const url = `/sso/login?${new URLSearchParams({ b: company.name, ct: '2' })}`;
    const answer = await fixture.app.inject({ url, headers: { host: HOST } });
    expect(answer.headers['set-cookie']).toMatch(
      /^sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('lets two tabs of one browser sign in at the same time', async () => {
    const company = await sso.company();
    const browser = newBrowser();
    const first = await sso.begin(browser, { b: company.name, ct: '2' });
    const second = await sso.begin(browser, { b: company.name, ct: '2' });
    for (const begun of [second, first]) {
      const page = signInPage(await sso.finish(browser, await sso.visit(browser, begun)));
      expect((await sso.trade(browser, page['code'] ?? '')).statusCode).toBe(200);
    }
  });

  it.each([
    ['/usage', '/usage'],
    ['https://evil.example/', undefined],
    ['//evil.example', undefined],
    ['/\\evil.example', undefined],
    ['javascript:alert(1)', undefined],
  ])('takes r %s along as %s', async (r, kept) => {
    const company = await sso.company();
    const page = signInPage(await sso.signIn(newBrowser(), company, r));
    expect(page['r']).toBe(kept);
  });
});

describe('beginning is refused', () => {
  const begin = async (query: Record<string, string>, host?: string) =>
    signInPage(await sso.begin(newBrowser(), query, host));

  it('for an unknown company, one that is blocked, and none at all [portal.sso.error.unexpected-redirect]', async () => {
    const company = await sso.company();
    await sql('update company set is_active = false where id = $1', company.id);
    const e = 'Unexpected redirect error';
    expect(await begin({ b: 'Nobody Ltd', ct: '2', r: '/usage' })).toEqual({
      e,
      b: 'Nobody Ltd',
      r: '/usage',
    });
    expect(await begin({ b: company.name, ct: '2' })).toEqual({ e, b: company.name });
    expect(await begin({ ct: '2' })).toEqual({ e, b: '' });
  });

  it('for a company without single sign-on, which is named as is [portal.sso.error.no-sso]', async () => {
    const company = await sso.company();
    await sql(
      'update company set issuer = null, client_id = null, client_secret = null where id = $1',
      company.id,
    );
    const e = 'The Company does not have SSO authentication';
    expect(await begin({ b: company.name, ct: '2' })).toEqual({ e, b: company.name });
  });

  it('for another kind of client than the portal [portal.sso.field.login.ct]', async () => {
    const company = await sso.company();
    for (const ct of ['1', '', '22'])
      expect(await begin({ b: company.name, ct })).toMatchObject({ e: FAILED });
    expect(await begin({ b: company.name })).toMatchObject({ e: FAILED });
  });

  it('at the portal of another reseller, and under a host name that is nobody’s', async () => {
    const company = await sso.company();
    const other = await fixture.make.reseller();
    expect(await begin({ b: company.name, ct: '2' }, other.host)).toMatchObject({
      e: 'Unexpected redirect error',
    });
    expect(await begin({ b: company.name, ct: '2' }, 'evil.example')).toMatchObject({ e: FAILED });
    expect(await sso.refusals(company)).toMatchObject([{ reason: 'unknown host' }]);
  });

  it('for what is no request at all, without an error of the server', async () => {
    for (const url of ['/sso/login?b=a&b=c&ct=2', `/sso/login?b=${'x'.repeat(300)}&ct=2`, '/sso/callback']) {
      const answer = await fixture.app.inject({ url, headers: { host: HOST } });
      expect([answer.statusCode, signInPage(String(answer.headers.location))]).toEqual([303, { e: FAILED }]);
    }
  });
});

it('what is left over of visits and codes is forgotten after a day', async () => {
  const company = await sso.company();
  await sso.signIn(newBrowser(), company);
  await sso.begin(newBrowser(), { b: company.name, ct: '2' });
  const left = async () =>
    (
      await sql(
        `select (select count(*)::int from sso_attempt where company_id = $1) as visits,
                (select count(*)::int from sso_code where company_id = $1) as codes`,
        company.id,
      )
    ).rows[0];
  expect(await left()).toEqual({ visits: 2, codes: 1 });
  fixture.clock.advance(23 * 60 * 60_000);
  await sso.begin(newBrowser(), { b: company.name, ct: '2' });
  expect(await left()).toEqual({ visits: 3, codes: 1 });
  fixture.clock.advance(2 * 60 * 60_000);
  await sso.begin(newBrowser(), { b: company.name, ct: '2' });
  expect(await left()).toEqual({ visits: 2, codes: 0 });
});
