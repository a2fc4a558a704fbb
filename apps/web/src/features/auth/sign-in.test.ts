import { describe, expect, it, vi } from 'vitest';
import { createSessionStore, memoryStorage } from '../../lib/session/session-store.ts';
import { answerFactor, signIn, ssoAddress } from './sign-in.ts';

const answer = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 };
function parts(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status, headers }),
  );
  return {
    fetch: fetch as unknown as typeof globalThis.fetch,
    calls: fetch.mock.calls,
    apiHost: '',
    session: createSessionStore(memoryStorage()),
  };
}

describe('signing in', () => {
  it('sends the password grant as a form of the public client and stores the answer [portal.roles.super-user-normal-login]', async () => {
    const p = parts(200, answer);
    p.session.saveCustomerId('somebody-elses');
    await expect(signIn(p, 'ada@demo.example', 'Ledger!2026')).resolves.toEqual({ kind: 'signedIn' });
    const [url, init] = p.calls[0] ?? [];
    expect(url).toBe('/token');
    expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username: 'ada@demo.example',
      password: 'Ledger!2026',
    });
    expect(p.session.auth()).toEqual(answer);
    expect([p.session.isSuperUser(), p.session.customerId()]).toEqual([false, null]);
  });
  it('shows the server’s description, or the specified words', async () => {
    const described = parts(400, { error: 'invalid_grant', error_description: 'Your account is blocked' });
    await expect(signIn(described, 'a', 'b')).resolves.toEqual({
      kind: 'refused',
      text: 'Your account is blocked',
    });
    const bare = parts(400, { error: 'invalid_grant' });
    await expect(signIn(bare, 'a', 'b')).resolves.toEqual({
      kind: 'refused',
      text: 'Invalid username or password',
    });
    expect(bare.session.auth()).toBeNull();
  });
  it('follows a company that demands single sign-on', async () => {
    const p = parts(400, { error: 'invalid_grant' }, { 'x-brand-company': 'northline' });
    await expect(signIn(p, 'a', 'b')).resolves.toEqual({ kind: 'company', company: 'northline' });
    expect(ssoAddress('https://api.example', 'north line', '/usage?a=1')).toBe(
      'https://api.example/sso/login?b=north+line&ct=2&r=%2Fusage%3Fa%3D1',
    );
  });
  it('tells a failing server from a wrong password', async () => {
    await expect(signIn(parts(503, { error: 'server_error' }), 'a', 'b')).resolves.toMatchObject({
      kind: 'failed',
    });
    await expect(signIn(parts(200, '<html>'), 'a', 'b')).resolves.toMatchObject({ kind: 'failed' });
    const text = 'Too many tries. Please try again in a minute';
    const limited = parts(429, { error: 'slow_down', error_description: text });
    await expect(signIn(limited, 'a', 'b')).resolves.toEqual({ kind: 'refused', text });
  });
});

describe('the second step', () => {
  const due = { token: 'begun', methods: ['totp', 'recovery'] } as const;
  const required = { error: 'mfa_required', error_description: 'Enter it', mfa_token: 'begun' };

  it('is due when the password was right and more is asked for', async () => {
    const p = parts(400, { ...required, mfa_methods: ['totp', 'recovery'] });
    await expect(signIn(p, 'a', 'b')).resolves.toEqual({ kind: 'factor', due });
    expect(p.session.auth()).toBeNull();
  });
  it('sends the code with the token of the sign-in, and stores the answer [decisions.2.call.mfa-grant]', async () => {
    const p = parts(200, answer);
    await expect(answerFactor(p, due, { recovery_code: 'k3d9' })).resolves.toEqual({ kind: 'signedIn' });
    expect(Object.fromEntries(p.calls[0]?.[1].body as URLSearchParams)).toEqual({
      client_id: 'counterfoil-portal',
      grant_type: 'urn:counterfoil:mfa',
      mfa_token: 'begun',
      recovery_code: 'k3d9',
    });
    expect(p.session.auth()).toEqual(answer);
  });
  it('may be tried again while the server gives its token back, and has to begin again when it does not', async () => {
    const again = await answerFactor(parts(400, required), due, { otp: '123456' });
    expect(again).toEqual({ kind: 'refused', text: 'Enter it' });
    const waiting = parts(429, { ...required, error_description: 'Please wait 15 minutes' });
    await expect(answerFactor(waiting, due, { otp: '123456' })).resolves.toEqual({
      kind: 'refused',
      text: 'Please wait 15 minutes',
    });
    const over = await answerFactor(parts(400, { error: 'invalid_grant' }), due, { otp: '123456' });
    expect(over).toEqual({
      kind: 'over',
      text: 'This sign-in took too long or too many tries. Please sign in again',
    });
    await expect(answerFactor(parts(503, {}), due, { otp: '1' })).resolves.toMatchObject({ kind: 'failed' });
  });
});
