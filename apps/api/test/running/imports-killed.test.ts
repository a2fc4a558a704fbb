import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { sampleCall } from '../../src/features/imports/invoices/sample-documents.ts';
import { counts, useImportFixture } from '../fixtures/import-fixture.ts';

const fixture = useImportFixture();
const ROWS = 4_000;
const SLICE = 500;

/** Calls over two months; every tenth stands twice, far from its twin. */
const calls = Array.from({ length: ROWS }, (_, n) => {
  const day = `${1 + (n % 28)}`.padStart(2, '0');
  return sampleCall({
    uniqueId: `${n % 10 === 0 ? n % 2_000 : n}`,
    source: `555-${n % 50}`,
    billsec: `${n % 7}`,
    start: `2026-0${2 + (n % 2)}-${day} 08:00:00`,
  });
});

/** @returns the exit code, null when it was killed */
async function importIn(file: string, dieAt: number): Promise<number | null> {
  const script = join(import.meta.dirname, '../processes/import-process.ts');
  const args = [script, fixture.databaseUrl, file, fixture.customerId, `${SLICE}`, `${dieAt}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

const records = () =>
  fixture.db.one<{ n: number; units: string }>(sql`
    select count(*)::int as n, coalesce(sum(units), 0)::text as units from usage_record`);
const sums = async () => {
  const all = [];
  for (const table of ['usage_day', 'usage_type_day', 'usage_item_month']) {
    all.push(
      await fixture.db.one(sql`
        select coalesce(sum(n), 0)::int as n, coalesce(sum(units), 0)::text as units from ${sql.table(table)}`),
    );
  }
  return all;
};

describe('an import that is killed', () => {
  it('leaves exact sums and an import that runs; the same file again takes it up, every record once', async () => {
    const file = await fixture.file(calls.join(''));
    const whole = { n: ROWS, units: calls.reduce((sum, _, n) => sum + (n % 7), 0).toFixed(6) };
    // While it reads, after the first slice, in the middle, after the last.
    for (const dieAt of [1, 6, 9, 12]) {
      expect(await importIn(file, dieAt)).toBeNull();
      const now = await records();
      expect(await sums()).toEqual([now, now, now]);
      const [row, ...others] = await fixture.db.many(sql`
        select state, created_n as created, finished_at from import_file`);
      expect(row).toEqual({ state: 'running', created: now.n, finished_at: null });
      expect(others).toEqual([]);
    }
    expect((await records()).n).toBeGreaterThan(SLICE);
    expect(await importIn(file, 0)).toBe(0);
    expect(await records()).toEqual(whole);
    expect(await sums()).toEqual([whole, whole, whole]);
    expect(
      await fixture.db.many(
        sql`select state, created_n, unchanged_n, merged_n, units::text from import_file`,
      ),
    ).toEqual([
      { state: 'done', created_n: ROWS, unchanged_n: 0, merged_n: BigInt(ROWS), units: whole.units },
    ]);
    const again = await fixture.run([file], { customer: fixture.customerId });
    expect(counts(again)).toEqual([[0, 0, ROWS, 0]]);
  }, 120_000);
});
