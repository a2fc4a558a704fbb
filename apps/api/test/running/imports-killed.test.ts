import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { sampleCall, sampleUbl } from '../../src/features/imports/invoices/sample-documents.ts';
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

function start(files: readonly string[], dieAt: number) {
  const script = join(import.meta.dirname, '../processes/import-process.ts');
  const args = [script, fixture.databaseUrl, files.join('\n'), fixture.customerId, `${SLICE}`, `${dieAt}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, exit: once(child, 'exit') as Promise<[number | null]> };
}

/** @returns the exit code, null when it was killed */
async function importIn(file: string, dieAt: number): Promise<number | null> {
  const [code] = await start([file], dieAt).exit;
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
  });

  it('leaves whole sets of invoices, nothing of the one it was at; the same files again take in the rest', async () => {
    const files = await Promise.all(
      Array.from({ length: 250 }, (_, n) => fixture.file(sampleUbl({ number: `K-${n}` }))),
    );
    const inBooks = () =>
      fixture.db.one(sql`
        select (select count(*)::int from invoice) as invoices, (select count(*)::int from invoice_line) as lines,
               (select count(*)::int from pay_link) as links, (select count(*)::int from import_change) as undoable,
               (select count(*)::int from invoice_identity where number ~ '^K-') as identities`);
    const all = (n: number) => ({ invoices: n, lines: n, links: n, undoable: n, identities: n });
    const { child, exit } = start(files, 0);
    // Somebody else is storing one of the second set: that set waits, and dies waiting.
    await fixture.db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into invoice_identity (reseller_id, supplier_key, kind, number, customer_id, invoice_id)
        values (7100, 'endpoint:0088:7300010000001', 'invoice', 'K-150', ${fixture.customerId}, ${fixture.customerId})`);
      await expect
        .poll(() => fixture.db.many(sql`select from pg_locks where not granted`), { timeout: 20_000 })
        .not.toEqual([]);
      child.kill('SIGKILL');
      await exit;
      expect(await inBooks()).toEqual(all(100));
      await tx.execute(sql`delete from invoice_identity where number = 'K-150'`);
    });
    const again = await fixture.run(files);
    expect(again.files.map(({ created, unchanged }) => [created, unchanged])).toEqual(
      files.map((_, n) => (n < 100 ? [0, 1] : [1, 0])),
    );
    expect(await inBooks()).toEqual(all(250));
  });
});
