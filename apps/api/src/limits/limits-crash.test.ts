import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachOrStart, type EmbeddedServer } from '@counterfoil/postgres/server.ts';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createSecrets } from '../secrets.ts';
import { type Count, Limiter } from './limiter.ts';

const patient = { timeout: 60_000, interval: 20 };
const late: { folder?: string; server?: EmbeddedServer; db?: Database } = {};
beforeAll(async () => {
  late.folder = mkdtempSync(join(tmpdir(), 'counterfoil-limits-'));
  chmodSync(late.folder, 0o711);
  late.server = await attachOrStart({ dataDir: late.folder });
  await migrate(late.server.url);
  late.db = new Database({ url: late.server.url, name: 'limits', max: 2, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await late.db?.end();
  await late.server?.stop();
  if (late.folder !== undefined) rmSync(late.folder, { recursive: true, force: true });
});

const postmaster = () =>
  readFileSync(join(late.server?.cluster ?? '', 'postmaster.pid'), 'utf8').split('\n')[0];

it('tries that were taken are taken after the database was killed', async () => {
  const db = late.db as Database;
  const limiter = new Limiter({ db, secrets: createSecrets('k'.repeat(32)), clock: fakeClock() });
  const limit = { name: 'three', tries: 3, withinMs: 600_000 };
  const of = (who: string): Count[] => [{ limit, of: [who] }];
  for (let n = 0; n < 3; n += 1) expect((await limiter.take(of('guesser'))).ok).toBe(true);
  const before = postmaster();
  process.kill(Number(before), 'SIGKILL');
  await vi.waitFor(async () => {
    expect(postmaster()).not.toBe(before);
    await db.pool.query('select 1');
  }, patient);
  expect((await limiter.take(of('guesser'))).ok).toBe(false);
  expect((await limiter.take(of('somebody else'))).ok).toBe(true);
});
