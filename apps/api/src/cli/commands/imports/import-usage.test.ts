import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../../commands.ts';
import { runCommand } from '../../run.ts';
import { progressLines } from './import.ts';

const database = useDatabase();
const customerId = newId();
let folder: string;
const at = (name: string): string => join(folder, name);
const mapping = {
  name: 'own',
  title: 'Own',
  format: 'csv',
  key: ['id'],
  serviceItem: ['line'],
  startedAt: { column: 'at', form: 'epoch' },
  services: { voice: { name: 'Voice', serviceItemLabel: 'Line', unitsLabel: 'Seconds' } },
  kinds: [{ service: 'voice', recordType: { code: 'call', description: 'Call' } }],
  units: { column: 'seconds' },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-usage-'));
  await writeFile(at('own.json'), JSON.stringify(mapping));
  await writeFile(at('broken.json'), '{');
  await writeFile(at('calls.csv'), 'id,at,line,seconds\n1,1772442000,555,60\n2,1772442000,555,61\n');
  await writeFile(at('calls.ndjson'), '{"id":3,"at":1772442000,"line":"555","seconds":62}\n');
  const pool = database.pool();
  await pool.query("insert into reseller (id, name) values (7100, 'Northline')");
  await pool.query(
    "insert into customer (customer_id, reseller_id, label) values ($1, 7100, 'Harbour Office')",
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
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(commands, args, {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('counterfoil import of usage', () => {
  const take = (...args: string[]) => call('import', '--json', '--customer', customerId, ...args);

  it('reads files by a mapping from a file, then stored, in another format too', async () => {
    const first = await take('--mapping', at('own.json'), at('calls.csv'));
    expect(JSON.parse(first.out).files).toMatchObject([{ format: 'own', created: 2, quarantined: 0 }]);
    expect(await call('mapping', 'add', '--reseller', '7100', at('own.json'))).toMatchObject({ code: 0 });
    const second = await take('--mapping', 'own', '--format', 'ndjson', at('calls.ndjson'));
    expect(JSON.parse(second.out).files).toMatchObject([{ format: 'own', created: 1 }]);
    expect((await call('mapping', 'list', '--reseller', '7100')).out).toMatch(
      /own +csv +own[\s\S]*asterisk +csv +ready/,
    );
    const shown = await call('mapping', 'show', '--reseller', '7100', '--name', 'own');
    expect(JSON.parse(shown.out)).toMatchObject(mapping);
    expect(await call('mapping', 'remove', '--reseller', '7100', '--name', 'own')).toMatchObject({ code: 0 });
    expect(await take('--mapping', 'own', at('calls.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining("there is no mapping 'own', and no file of that name"),
    });
  });

  it('explains a wrong call', async () => {
    expect(await take('--format', 'xml', '--mapping', 'asterisk', at('calls.csv'))).toMatchObject({
      code: 2,
    });
    expect(await take('--format', 'csv', at('calls.csv'))).toMatchObject({ code: 2 });
    expect(await call('mapping', 'add', '--reseller', '7100', at('broken.json'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('broken.json is not JSON'),
    });
  });

  it('says about every second how far it is', () => {
    const lines: string[] = [];
    let now = 0;
    const say = progressLines(
      (line) => lines.push(line),
      () => now,
    );
    for (const [ms, rows] of [
      [500, 10],
      [1_000, 20_000],
      [1_500, 30_000],
    ] as const) {
      now = ms;
      say('a.csv', { step: 'reading', rows });
    }
    now = 4_000;
    say('a.csv', { step: 'merging', rows: 20_000, of: 40_000 });
    expect(lines).toEqual([
      'a.csv: reading 20000 rows, 20000 rows/s',
      'a.csv: merging 20000 of 40000 rows, 5000 rows/s',
    ]);
  });
});

describe('counterfoil record-type', () => {
  const type = ['--reseller', '7100', '--service', 'voice', '--type', 'call'];

  it('says what the units of a type are, on record; nothing else than a unit there is', async () => {
    await call('import', '--customer', customerId, '--mapping', at('own.json'), at('calls.csv'));
    expect((await call('record-type', 'list', '--reseller', '7100')).out).toMatch(/voice +call +Call +-$/);
    expect(await call('record-type', 'set', ...type, '--unit', 'second')).toMatchObject({ code: 0 });
    expect((await call('record-type', 'list', '--reseller', '7100')).out).toMatch(/call +Call +second$/);
    const { rows } = await database
      .pool()
      .query(`select detail from audit_event where action = 'recordType.unitSet'`);
    expect(rows).toMatchObject([{ detail: { code: 'call', unit: 'second', before: 'none' } }]);
    expect((await call('record-type', 'set', ...type, '--unit', 'seconds')).code).toBe(2);
    expect(
      (await call('record-type', 'set', ...type.slice(0, 4), '--type', 'x', '--unit', 'none')).code,
    ).toBe(1);
    expect((await call('record-type', 'set', ...type, '--unit', 'none')).out).toContain('not known any more');
  });
});
