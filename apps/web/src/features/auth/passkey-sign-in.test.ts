import type { PasskeyAssertion, PasskeyChallenge } from '@counterfoil/contract/people/passkeys.ts';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { createSessionStore, memoryStorage } from '../../lib/session/session-store.ts';
import { signInByPasskey } from './passkey-sign-in.ts';

const answer = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 };
const options: PasskeyChallenge['options'] = {
  challenge: 'c',
  rpId: 'here.example',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [],
};
const assertion: PasskeyAssertion = {
  id: 'i',
  rawId: 'i',
  type: 'public-key',
  response: { clientDataJSON: 'd', authenticatorData: 'e', signature: 'f', userHandle: 'g' },
};

function parts(over: { status?: number; body?: unknown; headers?: Record<string, string> } = {}) {
  const { status = 200, body = answer, headers = {} } = over;
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status, headers }),
  );
  return {
    fetch: fetch as unknown as typeof globalThis.fetch,
    calls: fetch.mock.calls,
    apiHost: '',
    session: createSessionStore(memoryStorage()),
    challenge: vi.fn(async () => ({ challengeId: 'x', options })),
    sign: vi.fn(async () => assertion),
  };
}
const named = (name: string) => Object.assign(new Error('x'), { name });

describe('signing in with a passkey', () => {
  it('has the device sign the server’s challenge and trades it for a session', async () => {
    const p = parts();
    await expect(signInByPasskey(p)).resolves.toEqual({ kind: 'signedIn' });
    expect(p.sign).toHaveBeenCalledWith(options);
    const [url, init] = p.calls[0] ?? [];
    expect(url).toBe('/token');
    expect(Object.fromEntries(init?.body as URLSearchParams)).toEqual({
      client_id: 'counterfoil-portal',
      grant_type: 'urn:counterfoil:passkey',
      challenge_id: 'x',
      credential: JSON.stringify(assertion),
    });
    expect(p.session.auth()).toEqual(answer);
    expect(p.session.isSuperUser()).toBe(false);
  });

  it.each([
    ['NotAllowedError', /^No passkey was used/],
    ['NotSupportedError', /^This device could not use a passkey/],
    ['UnknownError', /^This device could not use a passkey/],
  ])('tells the person what to do after a %s, and asks the server nothing', async (name, text) => {
    const p = parts();
    p.sign.mockRejectedValue(named(name));
    await expect(signInByPasskey(p)).resolves.toEqual({
      kind: 'refused',
      text: expect.stringMatching(text),
    });
    expect(p.calls).toEqual([]);
  });

  it('is quiet when another request took its place', async () => {
    const p = parts();
    p.sign.mockRejectedValue(named('AbortError'));
    await expect(signInByPasskey(p)).resolves.toEqual({ kind: 'superseded' });
  });

  it('shows the server’s words, or its own, and follows a company that demands single sign-on', async () => {
    const unknown = parts({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Unknown here' },
    });
    await expect(signInByPasskey(unknown)).resolves.toEqual({ kind: 'refused', text: 'Unknown here' });
    await expect(signInByPasskey(parts({ status: 400, body: { error: 'invalid_grant' } }))).resolves.toEqual({
      kind: 'refused',
      text: expect.stringMatching(/does not open an account here/),
    });
    const company = parts({
      status: 400,
      body: { error: 'invalid_grant' },
      headers: { 'x-brand-company': 'northline' },
    });
    await expect(signInByPasskey(company)).resolves.toEqual({ kind: 'company', company: 'northline' });
  });

  it('tells too many tries from a failing server', async () => {
    const limited = parts();
    limited.challenge.mockRejectedValue(new ApiError(429, 'rate.limited', 'Please wait a moment'));
    await expect(signInByPasskey(limited)).resolves.toEqual({
      kind: 'refused',
      text: 'Please wait a moment',
    });
    const failing = parts();
    failing.challenge.mockRejectedValue(new ApiError(503, 'server.unavailable', 'x'));
    await expect(signInByPasskey(failing)).resolves.toMatchObject({ kind: 'failed' });
  });
});
