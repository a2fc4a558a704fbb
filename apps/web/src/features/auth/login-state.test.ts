import { describe, expect, it, vi } from 'vitest';
import { createSessionStore, memoryStorage } from '../../lib/session/session-store.ts';
import { afterEvent, firstState, readStart, withoutCode } from './login-state.ts';
import { signIn, signInByCode } from './sign-in.ts';

describe('the address of the sign-in page', () => {
  it.each([
    ['', { kind: 'form' }],
    ['?r=%2Fusage', { kind: 'form' }],
    ['?b=', { kind: 'form' }],
    ['?b=North+line&r=%2Fusage', { kind: 'company', company: 'North line' }],
    ['?code=abc&r=%2Fusage', { kind: 'code', code: 'abc' }],
    [
      '?e=Unexpected+redirect+error&b=North+line',
      { kind: 'failed', error: 'The Company does not exist or blocked', company: 'North line' },
    ],
    [
      '?e=The+Company+does+not+have+SSO+authentication',
      { kind: 'failed', error: 'The Company does not have SSO authentication', company: '' },
    ],
    ['?e=whatever&b=x', { kind: 'failed', error: 'Authentication failed', company: 'x' }],
    ['?e=', { kind: 'failed', error: 'Authentication failed', company: '' }],
  ])('begins with %s as asked [portal.sso.error.other]', (search, start) => {
    expect(readStart(search)).toEqual(start);
  });
  it('loses its code and keeps where to go', () => {
    expect(withoutCode('?code=abc')).toBe('/login');
    expect(withoutCode('?code=abc&r=%2Fusage%3Fa%3D1')).toBe('/login?r=%2Fusage%3Fa%3D1');
  });
});

describe('the login state', () => {
  const blank = firstState({ kind: 'form' });

  it('holds formState, success and failure [portal.login.field.state.formState]', () => {
    expect(blank).toEqual({ formState: 1, success: false, failure: undefined });
    expect(afterEvent(blank, 'knowCompany')).toMatchObject({ formState: 4 });
    expect(afterEvent(afterEvent(blank, 'knowCompany'), 'logIn')).toEqual(blank);
  });
  it.each(['Unexpected redirect error', 'The Company does not have SSO authentication', 'x'])(
    'is the company form with the failure for every error of single sign-on: %s [portal.login.field.{query.e,state.failure}, portal.sso.errors-open-company-form]',
    (e) => {
      const state = firstState(readStart(`?${new URLSearchParams({ e })}`));
      expect(state).toEqual({ formState: 4, success: false, failure: expect.stringMatching(/./) });
      // Going elsewhere leaves the failure behind.
      expect(afterEvent(state, 'logIn')).toEqual(blank);
    },
  );
  it('is the first form again, with success, after a sign-in from any form [portal.login.field.state.success]', () => {
    for (const formState of [1, 2, 3, 4] as const) {
      expect(afterEvent({ ...blank, formState, failure: 'x' }, 'signedIn')).toEqual({
        formState: 1,
        success: true,
        failure: undefined,
      });
    }
  });
});

describe('the code of single sign-on', () => {
  const answer = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 };
  const parts = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json(body, { status, headers }));
    return {
      fetch: fetch as unknown as typeof globalThis.fetch,
      calls: fetch.mock.calls,
      apiHost: '',
      session: createSessionStore(memoryStorage()),
    };
  };

  it('is sent with the redirect uri, and opens the session of a normal user [portal.token.field.code, portal.token.field.redirect_uri]', async () => {
    const p = parts(200, answer);
    p.session.saveSuperUser(true);
    await expect(signInByCode(p, 'abc', 'https://us.example/login')).resolves.toEqual({ kind: 'signedIn' });
    expect(Object.fromEntries(p.calls[0]?.[1].body as URLSearchParams)).toEqual({
      client_id: 'counterfoil-portal',
      grant_type: 'authorization_code',
      code: 'abc',
      redirect_uri: 'https://us.example/login',
    });
    expect([p.session.auth(), p.session.isSuperUser()]).toEqual([answer, false]);
  });
  it('that is refused is told in the server’s words, or as failed', async () => {
    const told = parts(400, { error: 'invalid_grant', error_description: 'This sign-in has expired' });
    const bare = parts(400, { error: 'invalid_request' });
    await expect(signInByCode(told, 'a', 'b')).resolves.toEqual({
      kind: 'refused',
      text: 'This sign-in has expired',
    });
    await expect(signInByCode(bare, 'a', 'b')).resolves.toEqual({
      kind: 'refused',
      text: 'Authentication failed',
    });
  });
  it('is not asked for by name only: a company of any name is understood', async () => {
    for (const [header, company] of [
      ['Northline', 'Northline'],
      ['Zo%C3%AB 100%25', 'Zoë 100%'],
      ['100% wrong', '100% wrong'],
    ] as const) {
      const p = parts(400, { error: 'invalid_grant' }, { 'x-brand-company': header });
      await expect(signIn(p, 'a', 'b')).resolves.toEqual({ kind: 'company', company });
    }
  });
});
