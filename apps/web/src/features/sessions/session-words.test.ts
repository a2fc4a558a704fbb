import type { MySession } from '@counterfoil/contract/people/sessions.ts';
import { describe, expect, it } from 'vitest';
import { deviceIcon, deviceName, sessionFacts } from './session-words.ts';

const session = (over: Partial<MySession> = {}): MySession => ({
  id: '1',
  createdAt: '2026-03-01T23:30:00Z',
  lastUsedAt: '2026-03-02T08:15:00Z',
  address: '192.0.2.7',
  browser: 'Firefox',
  system: 'Windows',
  method: 'password',
  current: false,
  support: null,
  ...over,
});
const now = Date.parse('2026-03-02T09:00:00Z');

describe('a session in words', () => {
  it('is named by browser and system, as far as they are known', () => {
    expect(deviceName(session())).toBe('Firefox on Windows');
    expect(deviceName(session({ browser: null }))).toBe('Windows');
    expect(deviceName(session({ system: null }))).toBe('Firefox');
    expect(deviceName(session({ browser: null, system: null }))).toBe('Unknown browser');
    expect(deviceName(session({ support: 'sam@provider.example' }))).toBe('Support (sam@provider.example)');
  });
  it('has a sign of its kind', () => {
    expect(deviceIcon(session())).toBe('computer');
    expect(deviceIcon(session({ system: 'iPhone' }))).toBe('phone');
    expect(deviceIcon(session({ support: 'sam' }))).toBe('person');
  });
  it('tells last use and beginning, relative and absolute, in the zone of the brand', () => {
    expect(sessionFacts(session(), 'Pacific/Auckland', now)).toEqual([
      'Last used 45 minutes ago, 03.02.2026 21:15 NZDT',
      expect.stringMatching(/^Signed in 03\.02\.2026 12:30.* with password, from 192\.0\.2\.7$/),
    ]);
  });
  it('tells how one signed in, and leaves out what is not known', () => {
    const began = (over: Partial<MySession>) => sessionFacts(session(over), 'UTC', now).at(-1);
    expect(began({ method: 'passkey' })).toContain('with a passkey, from');
    expect(began({ method: 'sso' })).toContain('through your company');
    expect(began({ method: 'support' })).toContain('by support');
    expect(began({ address: null })).toMatch(/with password$/);
    expect(sessionFacts(session({ current: true }), 'UTC', now)).toHaveLength(1);
  });
});
