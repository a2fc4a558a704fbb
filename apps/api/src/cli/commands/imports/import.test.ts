import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleUbl } from '../../../features/imports/invoices/sample-documents.ts';
import type { ImportReport } from '../../../features/imports/report/report.ts';
import { commands } from '../../commands.ts';
import { runCommand } from '../../run.ts';

const database = useDatabase();
const customerId = newId();
let folder: string;
let good: string;
let bad: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-command-'));
  good = join(folder, 'good.xml');
  bad = join(folder, 'bad.xml');
  await writeFile(good, sampleUbl({ number: 'A-1' }));
  await writeFile(bad, 'junk');
  const pool = database.pool();
  await pool.query("insert into reseller (id, name) values (7100, 'Northline')");
  await pool.query(
    "insert into customer (customer_id, reseller_id, label) values ($1, 7100, 'Harbour Office')",
    [customerId],
  );
  await pool.query(
    "insert into reseller_customer (reseller_id, customer_id, label) values (7100, $1, 'Harbour Office')",
    [customerId],
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('LOG_LEVEL', 'silent');
});

async function call(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(commands, ['import', ...args], {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err: err.join('\n') };
}

describe('counterfoil import', () => {
  it('prints one JSON document with files, invoices and quarantine [decisions.0.whole-import]', async () => {
    const { code, out } = await call('--json', good, bad);
    expect(code).toBe(0);
    expect(out).toHaveLength(1);
    const report = JSON.parse(out[0] ?? '') as ImportReport;
    expect(report).toEqual({
      files: [
        { file: good, format: 'ubl', created: 1, updated: 0, unchanged: 0, quarantined: 0, warnings: [] },
        { file: bad, format: 'unknown', created: 0, updated: 0, unchanged: 0, quarantined: 1, warnings: [] },
      ],
      invoices: [
        {
          number: 'A-1',
          customerId,
          kind: 'invoice',
          currency: 'EUR',
          total: '12.00',
          payLink: expect.stringMatching(/^http:\/\/localhost:3000\/pay\/[\w-]{22}$/),
        },
      ],
      quarantine: [
        {
          file: bad,
          line: null,
          cause: 'file',
          reason: expect.stringMatching(/^neither/),
          remedy: expect.stringContaining('import it again'),
        },
      ],
      summary: {
        in: 1,
        quarantined: 1,
        kept: 1,
        takenFromQuarantine: 0,
        reasons: [{ cause: 'file', count: 1, remedy: expect.stringContaining('import it again') }],
      },
      stopped: null,
    });
  });

  it('prints a table for people', async () => {
    await call(good);
    const { out } = await call(good, bad);
    const text = out.join('\n');
    expect(text).toMatch(/File +Format +New +Changed +Unchanged +Quarantined/);
    expect(text).toMatch(/good\.xml +ubl +0 +0 +1 +0/);
    expect(text).toMatch(/A-1 +invoice +12\.00 EUR +http:\/\/localhost:3000\/pay\//);
    expect(text).toMatch(/Quarantined:\n.*bad\.xml: neither/);
    expect(text).toMatch(/What to do:\n1 × the file cannot be read: put it right .*, and import it again/);
    expect(out.at(-1)).toMatch(/^1 went in, 1 is in quarantine\. 'counterfoil quarantine list' has them/);
  });

  it('tells cron what happened by its exit code', async () => {
    expect((await call(good, bad)).code).toBe(0);
    expect(await call(bad)).toMatchObject({ code: 3 });
    expect((await call('--strict', good)).code).toBe(0);
    expect((await call('--strict', good, bad)).code).toBe(3);
    expect((await call(good, join(folder, 'missing.xml'))).code).toBe(1);
  });

  it('explains a wrong call without touching anything', async () => {
    expect(await call()).toMatchObject({ code: 2, err: expect.stringContaining('which files?') });
    expect(await call('--reseller', 'x', good)).toMatchObject({ code: 2 });
    expect(await call('--customer', 'x', good)).toMatchObject({
      code: 1,
      err: 'counterfoil import: there is no customer x',
    });
    expect(await call('--time-zone', 'Mars/Base', good)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Mars/Base'),
    });
    expect(await call('--reseller', '9', good)).toMatchObject({
      code: 1,
      err: 'counterfoil import: there is no reseller 9',
    });
  });

  it('says that the database does not answer', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    const { code, err } = await call(good);
    expect(code).toBe(1);
    expect(err).not.toContain('.ts:');
  });
});
