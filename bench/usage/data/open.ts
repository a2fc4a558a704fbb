import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../../apps/api/src/db/migrate.ts';
import { attachOrStart } from '../../../packages/postgres/src/server.ts';
import { fillDatabase, monthsUntil } from './prepare.ts';
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
