import { describe, expect, it } from 'vitest';
import { readClaims } from './claims.ts';
import { afterSignIn } from './guards.ts';
import { meaningOf } from './other-tabs.ts';
import { createSessionStore, memoryStorage } from './session-store.ts';

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const token = (claims: object): string => `e30.${base64url(JSON.stringify(claims))}.signature`;
const stored = (claims: object): string =>
  JSON.stringify({ access_token: token(claims), refresh_token: 'r' });

describe('stored session', () => {
  it('uses the names of the specification and clears all three', () => {
    const storage = memoryStorage();
    const store = createSessionStore(storage);
    store.saveAuth({ access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 });
    store.saveSuperUser(true);
    store.saveCustomerId('c');
    expect(JSON.parse(storage.getItem('auth') ?? '')).toMatchObject({
      access_token: 'a',
      refresh_token: 'r',
    });
    expect(storage.getItem('current_customer_id')).toBe('c');
    expect(store.isSuperUser()).toBe(true);
    store.clear();
    expect([store.auth(), store.isSuperUser(), store.customerId()]).toEqual([null, false, null]);
  });
  it.each(['', 'null', '{}', '{"access_token":1}', 'not json', '[]'])(
    'takes %j as nobody signed in',
    (text) => {
      const storage = memoryStorage();
      storage.setItem('auth', text);
      expect(createSessionStore(storage).auth()).toBeNull();
    },
  );
});

describe('claims', () => {
  it('are read from the token, beyond ASCII too', () => {
    expect(readClaims(token({ resellername: 'Zoë ☎', BrandId: 3 }))).toEqual({
      resellername: 'Zoë ☎',
      BrandId: 3,
    });
  });
  it.each(['', 'a.b', 'a.%%%.c', `a.${btoa('7')}.c`])('of %j are none', (text) => {
    expect(readClaims(text)).toBeNull();
  });
});

describe('after signing in', () => {
  const origin = 'https://billing.example.com';
  it.each([
    [null, null, '/'],
    ['/invoices?page=2', '/usage', '/invoices?page=2'],
    [null, '/usage', '/usage'],
    [null, 'https://evil.example', '/'],
    [null, '//evil.example', '/'],
    ['https://evil.example', null, '/'],
    [null, 'https://shop.example.com/x', 'https://shop.example.com/x'],
    ['https://shop.example.com/x', null, '/'],
  ])('remembered %s, r %s → %s', (remembered, r, target) => {
    expect(afterSignIn(remembered, r, origin, ['https://shop.example.com'])).toBe(target);
  });
});

describe('another tab', () => {
  const event = (key: string | null, oldValue: string | null, newValue: string | null) => ({
    key,
    oldValue,
    newValue,
  });
  it('logging out, or clearing everything, ends this one too', () => {
    expect(meaningOf(event('auth', stored({ sub: 'ada' }), null))).toBe('signedOut');
    expect(meaningOf(event(null, null, null))).toBe('signedOut');
  });
  it('renewing its token changes nothing', () => {
    expect(
      meaningOf(event('auth', stored({ sub: 'ada', exp: 1 }), stored({ sub: 'ada', exp: 2 }))),
    ).toBeNull();
    expect(meaningOf(event('else', null, 'x'))).toBeNull();
  });
  it('changing the person or the customer loads this one again', () => {
    expect(meaningOf(event('auth', stored({ sub: 'ada' }), stored({ sub: 'eve' })))).toBe('reload');
    expect(meaningOf(event('current_customer_id', 'a', 'b'))).toBe('reload');
  });
  it('in which support comes in as the same person loads this one again, so that it says so', () => {
    const ada = stored({ sub: 'ada' });
    const support = stored({ sub: 'ada', act: { sub: 'Sam' } });
    expect(meaningOf(event('auth', ada, support))).toBe('reload');
    expect(meaningOf(event('auth', support, stored({ sub: 'ada', act: { sub: 'Kim' } })))).toBe('reload');
    expect(meaningOf(event('auth', support, stored({ sub: 'ada', act: { sub: 'Sam' }, exp: 2 })))).toBeNull();
  });
});
