import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newId } from '@counterfoil/domain/ids.ts';
import { type TestDatabase, useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll } from 'vitest';
import { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { createIncoming, incomingColumns, mergeIncoming } from '../src/features/imports/usage/merge.ts';
import type { MonthDeps } from '../src/features/usage/months/facts.ts';
import { ensureMonths } from '../src/features/usage/months/months.ts';
import { openFileStore } from '../src/files/open-file-store.ts';

/** Usage records of some months, and what looks at all of them. Values are valid in tests. */
export interface MonthsFixture {
  readonly database: TestDatabase;
  readonly db: Database;
  readonly folder: string;
  readonly filesUrl: URL;
  readonly customers: readonly [string, string];
  /** As on 2026-06-15. */
  deps(over?: Partial<MonthDeps>): MonthDeps;
  /** Gives each customer `count` records in a month, a third of them billed, rollups exact. */
  seed(month: string, count: number): Promise<void>;
  /** Checksums: records and links by month, and the rollups. */
  look(): Promise<Record<string, unknown>>;
  stateOf(month: string): Promise<string | undefined>;
  hasTable(month: string): Promise<boolean>;
}

export function useMonths(): MonthsFixture {
  const database = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'months-'));
  const filesUrl = pathToFileURL(`${folder}/`);
  const customers = [newId(), newId()] as const;
  let db: Database;
  beforeAll(() => {
    db = new Database({ url: database.url, name: 'months test', max: 6, statementTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await db.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const text = async (query: string): Promise<unknown> => (await database.pool().query(query)).rows[0]?.value;
  const checksum = (table: string, order: string) =>
    text(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by ${order})), '') as value from ${table} t`,
    );
  return {
    database,
    get db() {
      return db;
    },
    folder,
    filesUrl,
    customers,
    deps: (over = {}) => ({
      db,
      files: openFileStore(filesUrl),
      now: new Date('2026-06-15T12:00:00Z'),
      ...over,
    }),
    async seed(month, count) {
      await ensureMonths(db, [month]);
      await db.transaction((tx) =>
        createIncoming(tx)
          .then(() =>
            tx.execute(sql`
              insert into usage_incoming (${incomingColumns}, line)
              select c.id, ${month}::timestamptz + n * interval '3 minutes', gen_random_uuid(), c.id, c.id, c.id,
                     'a' || chr(9) || chr(10) || '\\' || n, '"ü', n, n * 0.01, true, n, n
                from unnest(${[...customers]}::uuid[]) c(id), generate_series(0, ${count}::int - 1) n`),
          )
          .then(() => mergeIncoming(tx)),
      );
      await db.transaction((tx) =>
        tx.execute(sql`
          insert into usage_billed (customer_id, started_at, id, invoice_line_id)
          select customer_id, started_at, id, customer_id from usage_record
           where started_at >= ${month}::timestamptz and content_hash % 3 = 0
          on conflict do nothing`),
      );
    },
    look: async () => ({
      records: await checksum('usage_record', 'customer_id, started_at, id'),
      billed: await checksum('usage_billed', 'customer_id, started_at, id'),
      kept: await checksum('usage_archived_line', 'customer_id, invoice_line_id, month'),
      days: await checksum('usage_day', 'customer_id, day'),
      typeDays: await checksum('usage_type_day', 'customer_id, day'),
      itemMonths: await checksum('usage_item_month', 'customer_id, month'),
    }),
    stateOf: async (month) =>
      (await text(`select state as value from usage_month where month = '${month}'`)) as string | undefined,
    hasTable: async (month) =>
      (await text(
        `select to_regclass('usage_record_${month.slice(0, 7).replace('-', '_')}') is not null as value`,
      )) as boolean,
  };
}
