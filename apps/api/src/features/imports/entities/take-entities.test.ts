import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { resellerId, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { AppError } from '../../../app-error.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { sql } from '../../../db/sql.ts';
import { createSecrets } from '../../../secrets.ts';
import { retryQuarantined } from '../quarantine/retry.ts';
import { planOf } from './plan.ts';
import { type EntityWriter, type EntityWriters, takeEntities } from './take-entities.ts';

const fixture = useImportFixture();
const now = new Date('2026-04-01T10:00:00Z');
const secrets = createSecrets('a key only for this test, long enough');
const publicUrl = new URL('http://localhost');
const writers = entityWriters({ secrets, publicUrl });
const writer = writers('customers');

/** More than two transactions of them. */
const ROWS = 2_100;
const content = Buffer.from(
  ['reference,label', ...Array.from({ length: ROWS }, (_, n) => `C-${n},Customer ${n}`), ''].join('\n'),
);
const file = {
  name: 'customers.csv',
  digest: createHash('sha256').update(content).digest(),
  async *read() {
    yield content;
  },
};

async function take(by: EntityWriter) {
  const plan = await planOf(content, true, {});
  if (plan === undefined) throw new Error('the columns are those of customers');
  const { kind, mapping } = plan;
  const of = { resellerId, by: { actor: 'test' }, kind, mapping, writer: by, now };
  return takeEntities({ db: fixture.db, clock: { now: () => now } }, file, of);
}

it('rows that wait stay where they are while another file of their kind is taken in', async () => {
  const content = Buffer.from('reference,customer,name\nA-1,later,Voice\n');
  const plan = await planOf(content, true, {});
  if (plan === undefined) throw new Error('the columns are those of agreements');
  const file = {
    name: 'agreements.csv',
    digest: createHash('sha256').update(content).digest(),
    async *read() {
      yield content;
    },
  };
  const { kind, mapping } = plan;
  const agreements = writers(kind.bulk);
  const of = { resellerId, by: { actor: 'test' }, kind, mapping, writer: agreements, now };
  await takeEntities({ db: fixture.db, clock: { now: () => now } }, file, of);
  const busy: EntityWriters = () => ({
    ...agreements,
    schemaOf() {
      throw new AppError('bulk.running');
    },
  });
  const retry = (by: EntityWriters) =>
    retryQuarantined(
      { db: fixture.db, secrets, publicUrl, files: fixture.files, writers: by },
      { only: 'all', resellerId, now: new Date(now.getTime() + 60_000) },
    );
  expect(await retry(busy)).toMatchObject({ tried: 1, taken: 0 });
  expect(await fixture.db.many(sql`select cause from quarantine_entry`)).toHaveLength(1);
});

describe('an import of rows that breaks off', () => {
  it('is taken up by the same file, and ends as if it had run once', async () => {
    let batches = 0;
    const dying: EntityWriter = {
      ...writer,
      put(...of) {
        batches += 1;
        if (batches === 3) throw new Error('the process is gone');
        return writer.put(...of);
      },
    };
    await expect(take(dying)).rejects.toThrow('the process is gone');
    // Its connection is closed, but PostgreSQL may not have noticed: until then the import seems to be under way.
    const held = sql<{ n: number }>`
      select count(*)::int as n from pg_locks where locktype = 'advisory'
         and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(() => fixture.db.one(held)).toEqual({ n: 0 });
    const runs = () =>
      fixture.db.many(sql`
        select state, created_n, updated_n, unchanged_n, quarantined_n, merged_n::int from import_file`);
    expect(await runs()).toMatchObject([{ state: 'running', created_n: 2_000, merged_n: 2_000 }]);
    const ended = { state: 'done', created: ROWS, updated: 0, unchanged: 0, quarantined: 0 };
    expect(await take(writer)).toMatchObject(ended);
    expect(await runs()).toMatchObject([{ state: 'done', created_n: ROWS, unchanged_n: 0, merged_n: ROWS }]);
    expect(await take(writer)).toMatchObject({ ...ended, created: 0, unchanged: ROWS });
    // All of both attempts can be taken out again.
    const { n } = await fixture.db.one<{ n: number }>(sql`
      select sum(cardinality(ids))::int as n from import_change where kind = 'entity'`);
    expect(n).toBe(ROWS);
  });
});
