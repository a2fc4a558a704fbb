import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isId, isRef, newId, newRef, newToken } from './ids.ts';

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
const v7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('newId', () => {
  it('makes version 7 in strictly rising order [decisions.4.uuid-v7]', () => {
    const ids = Array.from({ length: 20_000 }, () => newId());
    for (const id of ids) expect(id).toMatch(v7);
    for (let i = 1; i < ids.length; i += 1) expect((ids[i] ?? '') > (ids[i - 1] ?? '')).toBe(true);
  });

  it('carries the given time and rises within it, also past 4,096 ids in a millisecond', () => {
    const now = Date.UTC(2026, 2, 1);
    const ids = Array.from({ length: 9000 }, () => newId(now));
    expect(timeOf(ids[0] ?? '')).toBe(now);
    expect(new Set(ids).size).toBe(9000);
    for (let i = 1; i < ids.length; i += 1) expect((ids[i] ?? '') > (ids[i - 1] ?? '')).toBe(true);
  });

  it('rises although the clock is set back', () => {
    const before = newId();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1000);
    try {
      expect(newId() > before).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });

  it('follows a given time backwards, without disturbing the ids of the clock', () => {
    const before = newId();
    expect(timeOf(newId(5000))).toBe(5000);
    expect(timeOf(newId(4000))).toBe(4000);
    expect(newId() > before).toBe(true);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 48])('refuses the time %d', (now) => {
    expect(() => newId(now)).toThrow(RangeError);
  });
});

describe('isId', () => {
  it('takes any UUID and nothing else', () => {
    expect(isId(newId())).toBe(true);
    expect(isId('00000000-0000-0000-0000-000000000000')).toBe(true);
    for (const text of [
      '',
      'x',
      `${newId()}\n`,
      newId().replaceAll('-', ''),
      `{${newId()}}`,
      `${newId()}'--`,
    ]) {
      expect(isId(text)).toBe(false);
    }
  });
});

describe('newRef', () => {
  it('has 18 characters of the narrowest alphabet and does not repeat [decisions.4.constant.reference-length, decisions.4.constant.reference-characters]', () => {
    const refs = Array.from({ length: 5000 }, newRef);
    for (const ref of refs) expect(isRef(ref)).toBe(true);
    expect(new Set(refs).size).toBe(refs.length);
  });

  it('uses every character about equally', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 16_000; i += 1) for (const c of newRef()) counts.set(c, (counts.get(c) ?? 0) + 1);
    expect(counts.size).toBe(36);
    // 8,000 of each expected; 530 is six standard deviations, and a bias of one in eight is 1,000.
    for (const count of counts.values()) expect(Math.abs(count - 8000)).toBeLessThan(530);
  });

  it.each(['', 'A'.repeat(17), 'A'.repeat(19), `${'A'.repeat(17)}a`, `${'A'.repeat(18)}\n`])(
    'refuses %j [decisions.4.constant.reference-length, decisions.4.constant.reference-characters]',
    (text) => {
      expect(isRef(text)).toBe(false);
    },
  );
});

describe('newToken', () => {
  it('is base64url of that many bytes [decisions.8.constant.token-bits]', async () => {
    await fc.assert(
      fc.property(fc.integer({ min: 16, max: 1024 }), (bytes) => {
        const token = newToken(bytes);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        const decoded = Buffer.from(token, 'base64url');
        expect(decoded.length).toBe(bytes);
        expect(decoded.toString('base64url')).toBe(token);
      }),
    );
    expect(newToken()).toHaveLength(22);
    expect(newToken()).not.toBe(newToken());
  });

  it.each([0, 15, 16.5, 1025, Number.NaN])('refuses %d bytes [decisions.8.constant.token-bits]', (bytes) => {
    expect(() => newToken(bytes)).toThrow(RangeError);
  });
});
