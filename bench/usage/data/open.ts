import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Database } from '../../../apps/api/src/db/database.ts';
import { migrate } from '../../../apps/api/src/db/migrate.ts';
import { sql } from '../../../apps/api/src/db/sql.ts';
import { chooseNext, keepColumns } from '../../../apps/api/src/features/usage/service.ts';
import { attachOrStart } from '../../../packages/postgres/src/server.ts';
import { clearDatabase, fillDatabase, monthsUntil } from './prepare.ts';
import { EMAIL, PASSWORD, RESELLER } from './write-world.ts';

/** Changes with what the generator makes: an older database is not used again. */
const VERSION = 1;

/** Usage records in a running PostgreSQL of their own. */
export interface UsageData {
  readonly url: string;
  /** Where the database and what is known of it are kept. */
  readonly dataDir: string;
  readonly records: number;
  /** First days, in order: 'YYYY-MM-01' */
  readonly months: readonly string[];
  readonly resellerId: number;
  readonly email: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** What workers make within some minutes of an import; where it is there already, nothing. */
export async function keepDerived(url: string, say: (line: string) => void): Promise<void> {
  const db = new Database({ url, name: 'bench usage', max: 2, statementTimeoutMs: 3_600_000 });
  try {
    let chosen = 0;
    while (await chooseNext(db)) chosen += 1;
    const countColumns = async () =>
      (await db.one<{ n: number }>(sql`select count(*)::int as n from usage_columns`)).n;
    let [n, before] = [await countColumns(), -1];
    while (n > before) {
      before = n;
      await keepColumns(db);
      n = await countColumns();
    }
    say(`selections of ${chosen} customers chosen, columns of ${n} months kept`);
  } finally {
    await db.end();
  }
}

/** Where the databases are kept: BENCH_DATA, or below the directory for temporary files. */
const folderOf = (records: number): string =>
  join(process.env['BENCH_DATA'] || join(tmpdir(), 'counterfoil-bench-usage'), `${records}-${VERSION}`);

/**
 * Opens the database with this many records; makes it first where there is none. It is kept: the next call finds it.
 * @param say told what it does
 */
export async function openUsageData(records: number, say: (line: string) => void): Promise<UsageData> {
  const dataDir = folderOf(records);
  mkdirSync(dataDir, { recursive: true });
  const notes = join(dataDir, 'usage.json');
  if (!existsSync(notes)) {
    say(`making ${records} records in ${dataDir}`);
    const months = monthsUntil(new Date());
    const server = await attachOrStart({ dataDir, durable: false });
    try {
      await clearDatabase(server.url);
      await fillDatabase(server.url, records, months, say);
    } finally {
      await server.stop();
    }
    await promisify(execFile)('sync');
    writeFileSync(notes, JSON.stringify({ months }));
  }
  const { months } = JSON.parse(readFileSync(notes, 'utf8')) as { months: string[] };
  const server = await attachOrStart({ dataDir, onNotice: say });
  await migrate(server.url);
  await keepDerived(server.url, say);
  return {
    url: server.url,
    dataDir,
    records,
    months,
    resellerId: RESELLER,
    email: EMAIL,
    password: PASSWORD,
    stop: () => server.stop(),
  };
}
