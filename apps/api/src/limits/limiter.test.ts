import { randomBytes } from 'node:crypto';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../db/database.ts';
import { createSecrets } from '../secrets.ts';
import { type Count, forgetFreeKeys, Limiter } from './limiter.ts';
import type { Limit } from './limits.ts';

const database = useDatabase();
const clock = fakeClock();
const secrets = createSecrets('k'.repeat(32));
const late: { db?: Database; other?: Database } = {};
const connect = () => new Database({ url: database.url, name: 'limits', max: 8, statementTimeoutMs: 5_000 });
const limiter = (which: 'db' | 'other' = 'db') =>
  new Limiter({ db: late[which] as Database, secrets, clock });

beforeAll(() => {
  late.db = connect();
  late.other = connect();
});
afterAll(async () => {
  await Promise.all([late.db?.end(), late.other?.end()]);
});
let who = '';
beforeEach(() => {
  who = randomBytes(8).toString('hex');
});

/** Three a minute: one comes back every 20 seconds. */
const three: Limit = { name: 'three', tries: 3, withinMs: 60_000 };
const five: Limit = { name: 'five', tries: 5, withinMs: 60_000 };
const count = (limit: Limit, of = who): Count => ({ limit, of: [of] });
const taken = async (counts: readonly Count[]) => (await limiter().take(counts)).ok;

describe('a limit', () => {
  it('lets the burst through and says exactly when the next one may come', async () => {
    for (let n = 0; n < 3; n += 1) expect(await taken([count(three)])).toBe(true);
    const refused = await limiter().take([count(three)]);
    expect(refused).toEqual({ ok: false, full: [count(three)], retryAfterMs: 20_000 });
    clock.advance(19_000);
    expect(await limiter().take([count(three)])).toMatchObject({ ok: false, retryAfterMs: 1_000 });
    clock.advance(1_000);
    expect(await taken([count(three)])).toBe(true);
    expect(await taken([count(three)])).toBe(false);
  });

  it('has its whole room again after its time, and no more', async () => {
    for (let n = 0; n < 3; n += 1) await taken([count(three)]);
    clock.advance(3_600_000);
    const results = [];
    for (let n = 0; n < 4; n += 1) results.push(await taken([count(three)]));
    expect(results).toEqual([true, true, true, false]);
  });

  it('counts each one by themselves', async () => {
    for (let n = 0; n < 3; n += 1) await taken([count(three)]);
    expect(await taken([count(three, `${who}2`)])).toBe(true);
    expect(await taken([{ limit: three, of: [who, 'there'] }])).toBe(true);
  });

  it('of two takes from both or from neither', async () => {
    for (let n = 0; n < 3; n += 1) expect(await taken([count(five), count(three)])).toBe(true);
    for (let n = 0; n < 9; n += 1) {
      expect(await limiter().take([count(five), count(three)])).toMatchObject({ full: [count(three)] });
    }
    expect([await taken([count(five)]), await taken([count(five)]), await taken([count(five)])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('gets a try back that shall not count', async () => {
    for (let n = 0; n < 20; n += 1) {
      expect(await taken([count(five), count(three)])).toBe(true);
      await limiter().release([count(five), count(three)]);
    }
  });

  it('is the same for two processes at once: of sixty takers exactly so many pass as there is room', async () => {
    const both = [limiter('db'), limiter('other')];
    const takers = Array.from({ length: 60 }, (_, n) => both[n % 2]?.take([count(five), count(three, 'x')]));
    const passed = (await Promise.all(takers)).filter((result) => result?.ok === true);
    expect(passed).toHaveLength(3);
  });

  it('neither blocks itself nor loses a try when many take and give back', async () => {
    const both = [limiter('db'), limiter('other')];
    const [a, b] = [count(five), count({ ...five, name: 'six' })];
    const round = async (n: number) => {
      const one = both[n % 2] as Limiter;
      const counts = n % 3 === 0 ? [a, b] : [b, a];
      if ((await one.take(counts)).ok) await one.release(counts);
    };
    await Promise.all(Array.from({ length: 200 }, (_, n) => round(n)));
    const results = [];
    for (let n = 0; n < 6; n += 1) results.push(await taken([b]));
    expect(results.filter(Boolean).length).toBeLessThanOrEqual(5);
    expect(results.slice(0, 1)).toEqual([true]);
  });
});

describe('what is kept', () => {
  const keys = async () =>
    (await database.pool().query<{ row: string }>('select r::text as row from rate_limit r')).rows;

  it('is a hash: no name or address can be read', async () => {
    await taken([count(three, 'mia@harbour.example'), count(five, '203.0.113.9')]);
    const rows = await keys();
    expect(JSON.stringify(rows)).not.toMatch(/harbour|203\.0/);
    expect(rows[0]?.row).toMatch(/^\("\\\\x[0-9a-f]{32}",/);
  });

  it('is forgotten once all tries are free again', async () => {
    clock.advance(3_600_000);
    await taken([count(three)]);
    expect(await forgetFreeKeys(late.db as Database, clock.now())).toBeGreaterThan(0);
    expect(await keys()).toHaveLength(1);
    clock.advance(20_001);
    expect(await forgetFreeKeys(late.db as Database, clock.now())).toBe(1);
    expect(await keys()).toEqual([]);
  });
});
