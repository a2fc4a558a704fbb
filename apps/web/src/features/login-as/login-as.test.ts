import type { TokenAnswer } from '@counterfoil/contract/people/auth.ts';
import { hostileRedirects } from '@counterfoil/testing/hostile-redirects.ts';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import type { Api } from '../../lib/api/calls.ts';
import { createSessionStore, memoryStorage } from '../../lib/session/session-store.ts';
import { loginAs } from './login-as.ts';

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`;
const auth = (claims: object, refresh_token = 'support'): TokenAnswer => ({
  access_token: token(claims),
  refresh_token,
  token_type: 'Bearer',
  expires_in: 900,
});
const CUSTOMER = '01924f2e-0000-7000-8000-000000000001';
const actor = { sub: 'ada', act: { sub: 'Sam' } };

function parts(answer: () => Promise<TokenAnswer>) {
  const session = createSessionStore(memoryStorage());
  const post = vi.fn(answer);
  return { session, revoke: vi.fn(), post, openApi: { post: post as unknown as Api['post'] } };
}
const good = (claims: object = actor) => parts(() => Promise.resolve(auth(claims)));
const search = (query: Record<string, string>) => new URLSearchParams(query);

describe('login-as', () => {
  it('sends the code without any session and stores auth, super-user flag and customer [portal.login-as.{field.query.c,c-stored}, decisions.2.field.login-by-code.code]', async () => {
    const p = good();
    await loginAs(p, 'the code', search({ c: CUSTOMER }));
    expect(p.post.mock.calls).toEqual([['/v1/ec/login-by-code', { code: 'the code' }]]);
    expect(p.session.auth()?.refresh_token).toBe('support');
    expect([p.session.isSuperUser(), p.session.customerId()]).toEqual([true, CUSTOMER]);
  });

  it('takes the super-user flag from the token', async () => {
    const p = good({ sub: 'ada' });
    await loginAs(p, 'x', search({}));
    expect(p.session.isSuperUser()).toBe(false);
  });

  it('goes to the redirect loader with r, else to the dashboard [portal.login-as.field.query.r, portal.login-as.success-with-r, portal.login-as.success-without-r]', async () => {
    expect(await loginAs(good(), 'x', search({ r: '/invoices?page=2&a=b' }))).toBe(
      '/redirect-loader?r=%2Finvoices%3Fpage%3D2%26a%3Db',
    );
    expect(await loginAs(good(), 'x', search({}))).toBe('/dashboard');
    expect(await loginAs(good(), 'x', search({ r: '' }))).toBe('/dashboard');
  });

  it('replaces the session of whoever was signed in here, also their choice of a customer', async () => {
    const p = good();
    p.session.saveAuth(auth({ sub: 'eve' }, 'eves'));
    p.session.saveCustomerId('eves customer');
    await loginAs(p, 'x', search({}));
    expect(p.revoke.mock.calls).toEqual([['eves']]);
    expect([p.session.auth()?.refresh_token, p.session.customerId()]).toEqual(['support', null]);
  });

  it('goes to /login when the code is refused, and leaves the session that was there [portal.login-as.error.failure]', async () => {
    const p = parts(() => Promise.reject(new ApiError(410, 'loginCode.used', 'used')));
    p.session.saveAuth(auth({ sub: 'eve' }, 'eves'));
    expect(await loginAs(p, 'x', search({ r: '/invoices' }))).toBe('/login');
    expect([p.session.auth()?.refresh_token, p.session.isSuperUser()]).toEqual(['eves', false]);
    expect(p.revoke).not.toHaveBeenCalled();
  });

  it.each(['✓', 'a\r\nX-Evil: 1', 'x', ''])(
    'stores no customer %j, which would spoil a header',
    async (c) => {
      const p = good();
      await loginAs(p, 'x', search({ c }));
      expect(p.session.customerId()).toBeNull();
    },
  );

  it.each(hostileRedirects.map((r) => [r]))(
    'r %j does not leave this origin by itself [decisions.8.redirect-otherwise-landing]',
    async (r) => {
      const origin = 'https://billing.example.com';
      const to = new URL(await loginAs(good(), 'x', search({ r })), `${origin}/la/x`);
      expect(to.origin).toBe(origin);
      expect(['/redirect-loader', '/dashboard']).toContain(to.pathname);
    },
  );
});
