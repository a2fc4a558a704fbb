import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { Database } from '../../../db/database.ts';
import { sampleCall } from '../../../features/imports/invoices/sample-documents.ts';
import type { ListedMonth } from '../../../features/usage/months/list.ts';
import { ensureMonthsAhead, monthOf, monthsAfter } from '../../../features/usage/months/months.ts';

const cli = useCommands();
const { run, json, database } = cli;
const MONTH = '2026-01';
let customer = '';

async function take(...starts: readonly string[]): Promise<number[]> {
  const path = join(cli.folder, `${starts.join()}.csv`.replace(/[ :]/g, '-'));
  await writeFile(path, starts.map((start) => sampleCall({ start })).join(''));
  const ran = await run('import', path, '--reseller', '4400', '--customer', customer, '--json');
  const { files }: { files: { created: number; unchanged: number; quarantined: number }[] } = JSON.parse(
    ran.out,
  );
  // Where nothing went in, that is said by the exit code, too.
  expect(ran.code).toBe(files.every(({ created, unchanged }) => created + unchanged === 0) ? 3 : 0);
  return files.flatMap(({ created, unchanged, quarantined }) => [created, unchanged, quarantined]);
}

const months = async () => (await json<{ months: ListedMonth[] }>('db', 'months')).months;
const listed = async (name: string) => (await months()).find((one) => one.month === name);
const days = async () =>
  (await database.pool().query('select day::text, n, units, price from usage_day order by day')).rows;

describe('counterfoil db and the months of usage', () => {
  beforeAll(async () => {
    const db = new Database({ url: database.url, name: 'test', max: 2, statementTimeoutMs: 10_000 });
    await ensureMonthsAhead(db, new Date());
    await db.end();
  });

  it('lists them: state, records, size, which are ahead', async () => {
    await json('reseller', 'add', '--id', '4400', '--name', 'Northline');
    await json('brand', 'add', '--reseller', '4400', '--name', 'Northline', '--host', 'bills4400.example');
    ({ id: customer } = await json<{ id: string }>(
      'customer',
      'add',
      '--reseller',
      '4400',
      '--label',
      'Harbour Office',
    ));
    expect(await take('2026-01-10 08:00:00', '2026-01-11 08:00:00', '2026-02-01 08:00:00')).toEqual([
      3, 0, 0,
    ]);
    const document = await json<{ months: ListedMonth[]; ahead: number }>('db', 'months');
    expect(document.ahead).toBe(3);
    expect(document.months.slice(0, 2)).toEqual([
      {
        month: MONTH,
        state: 'open',
        isAhead: false,
        records: 2,
        bytes: expect.any(Number),
        archiveBytes: null,
        closedAt: null,
        archivedAt: null,
        unfinished: null,
      },
      expect.objectContaining({ month: '2026-02', records: 1 }),
    ]);
    expect(document.months[0]?.bytes).toBeGreaterThan(8_192);
    const last = monthsAfter(monthOf(new Date()), 3).slice(0, 7);
    expect(document.months.at(-1)).toMatchObject({ month: last, isAhead: true, records: 0 });
    expect((await run('db', 'months')).out).toContain('3 made ahead');
  });

  it('closes one, and an import sets aside what would change it; reopens it', async () => {
    expect(await json('db', 'close', MONTH)).toEqual({ month: MONTH, changed: true });
    expect(await json('db', 'close', MONTH)).toEqual({ month: MONTH, changed: false });
    expect(await take('2026-01-10 08:00:00', '2026-01-12 08:00:00')).toEqual([0, 1, 1]);
    expect(await listed(MONTH)).toMatchObject({ state: 'closed', records: 2, closedAt: expect.any(String) });
    await json('db', 'reopen', MONTH);
    expect(await take('2026-01-12 08:00:00')).toEqual([1, 0, 0]);
    expect((await run('db', 'reopen', MONTH)).out).toBe('2026-01 is open already.');
  });

  it('archives it: the records are in files, totals stay, an import adds nothing; and brings it back', async () => {
    const before = await days();
    expect(await run('db', 'archive', MONTH)).toMatchObject({
      code: 1,
      err: expect.stringContaining("2026-01 is not closed: 'counterfoil db close 2026-01' first"),
    });
    await json('db', 'close', MONTH);
    expect(await json('db', 'archive', MONTH)).toEqual({ month: MONTH, changed: true });
    expect(await days()).toEqual(before);
    expect(await listed(MONTH)).toMatchObject({
      state: 'archived',
      records: 3,
      bytes: 0,
      archiveBytes: expect.any(Number),
      unfinished: null,
    });
    expect(await take('2026-01-12 08:00:00', '2026-01-13 08:00:00')).toEqual([0, 0, 2]);
    expect(await days()).toEqual(before);
    const manifest = JSON.parse(
      readFileSync(join(cli.folder, `files/usage-archive/${MONTH}/manifest.json`), 'utf8'),
    );
    expect(manifest).toMatchObject({ records: { rows: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(existsSync(join(cli.folder, 'files', manifest.billed.file))).toBe(true);
    expect(await run('db', 'reopen', MONTH)).toMatchObject({
      code: 1,
      err: expect.stringContaining('bring it back first'),
    });
    expect(await json('db', 'archive', MONTH)).toEqual({ month: MONTH, changed: false });
    expect((await run('db', 'unarchive', MONTH)).out).toContain('2026-01 is back, and closed');
    expect(await take('2026-01-12 08:00:00', '2026-01-13 08:00:00')).toEqual([0, 1, 1]);
    expect(await days()).toEqual(before);
    expect(await json('db', 'unarchive', MONTH)).toEqual({ month: MONTH, changed: false });
  });

  it('refuses the running month and young ones, unless forced; and what is no month', async () => {
    const thisMonth = monthOf(new Date());
    const name = thisMonth.slice(0, 7);
    const last = monthsAfter(thisMonth, -1).slice(0, 7);
    for (const words of [
      ['close', name],
      ['archive', name, '--force'],
    ]) {
      expect(await run('db', ...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${name} is not over yet`),
      });
    }
    await take(`${last}-05 08:00:00`);
    await json('db', 'close', last);
    expect(await run('db', 'archive', last)).toMatchObject({
      code: 1,
      err: expect.stringContaining('now with --force'),
    });
    await json('db', 'archive', last, '--force');
    for (const words of [[], ['2026-13'], ['january'], [MONTH, last]]) {
      expect(await run('db', 'archive', ...words)).toMatchObject({ code: 2 });
    }
    expect(await run('db', 'close', '2019-05')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no usage records of 2019-05'),
    });
  });

  it('puts on record who did it', async () => {
    const { rows } = await database
      .pool()
      .query(
        "select action, actor, detail from audit_event where action like 'month.%' and detail ->> 'month' = $1 order by at, id",
        [MONTH],
      );
    expect(rows.map((row) => row.action)).toEqual([
      'month.closed',
      'month.reopened',
      'month.closed',
      'month.archived',
      'month.unarchived',
    ]);
    expect(rows[0]).toMatchObject({ actor: expect.stringMatching(/^cli:/) });
  });
}, 60_000);
