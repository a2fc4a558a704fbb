import { afterAll, expect, it } from 'vitest';
import { fixture, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { Database } from '../../../db/database.ts';
import { keepKeyCheck } from '../../../key-check.ts';
import { listPauses } from './pause.ts';
import { noticeRestored, readPlace } from './restored.ts';

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((one) => one.end())));

it('a database that was filled from a dump is noticed once, and pauses payments from the last it knows', async () => {
  const db = fixture.deps.databases.web;
  const now = () => fixture.clock.now();
  const { reseller } = await paid();
  await keepKeyCheck(db, fixture.deps.secrets);
  // Its own place is written down first.
  expect(await noticeRestored(db, now())).toBeUndefined();
  expect(await noticeRestored(db, now())).toBeUndefined();
  const last = now();
  fixture.clock.advance(60_000);
  await rows("update key_check set place = '1/1'");
  const both = await Promise.all([noticeRestored(db, now()), noticeRestored(db, now())]);
  expect(both.filter((one) => one !== undefined)).toEqual([{ accounts: 1, since: last }]);
  expect(await listPauses(db)).toMatchObject([{ resellerId: reseller.id, since: last }]);
  await rows('delete from payment_pause');
  expect(await noticeRestored(db, now())).toBeUndefined();
});

it('every database of a server has a place of its own', async () => {
  const other = new URL(fixture.database.url);
  other.pathname = '/postgres';
  const elsewhere = new Database({ url: other.href, name: 'elsewhere', max: 1, statementTimeoutMs: 5_000 });
  opened.push(elsewhere);
  const [here, there] = await Promise.all([readPlace(fixture.deps.databases.web), readPlace(elsewhere)]);
  expect(here).toMatch(/^\d+\/\d+$/);
  expect(there?.split('/')[0]).toBe(here?.split('/')[0]);
  expect(there).not.toBe(here);
});
