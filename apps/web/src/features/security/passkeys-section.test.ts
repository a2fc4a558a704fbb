import type { Passkey } from '@counterfoil/contract/people/passkeys.ts';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { wordsFor } from './add-passkey.tsx';
import { passkeyFacts } from './passkeys-section.tsx';

const passkey: Passkey = {
  id: '1',
  name: 'Bitwarden',
  host: 'billing.northline.example',
  synced: false,
  createdAt: '2026-03-01T23:30:00Z',
  lastUsedAt: null,
};
const now = Date.parse('2026-03-02T09:00:00Z');
const facts = (over: Partial<Passkey>) =>
  passkeyFacts({ ...passkey, ...over }, 'UTC', 'billing.northline.example', now);

describe('a passkey in words', () => {
  it('tells when it was made and used', () => {
    expect(facts({})).toEqual(['Not used yet', expect.stringMatching(/^Added 03\.01\.2026 /)]);
    expect(facts({ lastUsedAt: '2026-03-02T07:00:00Z' })[0]).toMatch(/^Last used 2 hours ago, 03\.02\.2026 /);
  });
  it('says when it is on other devices too, and when it works at another host', () => {
    expect(facts({ synced: true })[1]).toMatch(/, on all your devices with the same password manager$/);
    expect(facts({ host: 'pay.northline.example' })).toContain('Works at pay.northline.example');
  });
});

describe('why no passkey was made', () => {
  const named = (name: string) => Object.assign(new Error('x'), { name });
  it.each([
    ['NotAllowedError', /cancelled or took too long/],
    ['AbortError', /cancelled or took too long/],
    ['InvalidStateError', /has a passkey for this account already/],
    ['ConstraintError', /needs a screen lock/],
    ['UnknownError', /needs a screen lock/],
  ])('%s', (name, words) => {
    expect(wordsFor(named(name))).toMatch(words);
  });
  it('shows the server’s words for a refusal, and leaves faults to the banner', () => {
    expect(wordsFor(new ApiError(409, 'passkey.tooMany', 'You have twenty passkeys'))).toBe(
      'You have twenty passkeys',
    );
    expect(wordsFor(new ApiError(503, 'server.unavailable', 'x'))).toBeUndefined();
    expect(wordsFor(new TypeError('x'))).toBeUndefined();
  });
});
