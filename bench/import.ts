import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { from as copyFrom } from 'pg-copy-streams';
import { copyOut } from '../apps/api/src/db/copy/copy-out.ts';
import { Database } from '../apps/api/src/db/database.ts';
import { migrate } from '../apps/api/src/db/migrate.ts';
import { sql } from '../apps/api/src/db/sql.ts';
import { importFiles } from '../apps/api/src/features/imports/service.ts';
import { openFileStore } from '../apps/api/src/files/open-file-store.ts';
import { createSecrets } from '../apps/api/src/secrets.ts';
import { attachOrStart } from '../packages/postgres/src/server.ts';
import { printFigure } from './support/figure.ts';

/**
 * A million call records of 200 customers and 4,000 lines, imported from a FreeSWITCH file with exact totals, beside
 * COPY of the same rows, in the file's order, into the same table and indexes without totals. Once in one month, once
 * over 24. Prints one JSON line per figure. BENCH_ROWS: another number of rows.
 */
const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const [CUSTOMERS, LINES] = [200, 4_000];
const LEAST = 0.5;
const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

let seed = 7;
/** Lehmer's generator: the same file in every run. */
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

async function writeFile(path: string, days: number): Promise<void> {
  const out = createWriteStream(path);
  const first = Date.UTC(2024, 0, 1);
  let text = '';
  for (let n = 0; n < ROWS; n += 1) {
    // In the order of time, as an exchange writes; a few lines make most of the calls.
    const at = new Date(first + Math.floor((n / ROWS) * days * 86_400) * 1000).toISOString();
    const line = 10_000 + Math.floor(random() ** 2 * LINES);
    const seconds = Math.floor(random() * 900);
    const stamp = `${at.slice(0, 10)} ${at.slice(11, 19)}`;
    text += `"Caller","${line}","+4420${Math.floor(random() * 1e8)}","default","${stamp}","${stamp}","${stamp}","${seconds + 5}","${seconds}","NORMAL_CLEARING","u-${days}-${n}","b-${n}",""\n`;
    if (text.length > 1_000_000) {
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
  }
  out.end(text);
  await once(out, 'close');
}

async function seedWorld(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into reseller (id, name) values (1, 'Bench')`);
    await tx.execute(
      sql`insert into service (id, reseller_id, code, name) values (gen_random_uuid(), 1, 'voice', 'Voice')`,
    );
    await tx.execute(sql`
      with made as (
        insert into customer (customer_id, reseller_id, label)
        select gen_random_uuid(), 1, 'Customer ' || n from generate_series(1, ${CUSTOMERS}) n returning customer_id),
      numbered as (select customer_id, row_number() over () as n from made),
      agreed as (
        insert into agreement (customer_id, id, name) select customer_id, gen_random_uuid(), 'Main' from made),
      items as (
        insert into service_item (customer_id, id, service_id, name)
        select c.customer_id, gen_random_uuid(), s.id, (10000 + l)::text
          from generate_series(0, ${LINES - 1}) l join numbered c on c.n = 1 + l % ${CUSTOMERS} cross join service s
        returning customer_id, id, name)
      insert into service_item_number (reseller_id, number, customer_id, service_item_id)
      select 1, name, customer_id, id from items`);
  });
}

const columns = `customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, service_item3,
  units, price, has_price, content_hash`;

/** @returns seconds */
async function timed(what: string, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  say(`${what}: ${seconds.toFixed(1)} s`);
  return seconds;
}

async function recount(db: Database): Promise<void> {
  for (const [table, key] of [
    ['usage_day', "customer_id, (started_at at time zone 'UTC')::date as day"],
    [
      'usage_type_day',
      "customer_id, record_type_id, agreement_id, (started_at at time zone 'UTC')::date as day",
    ],
    [
      'usage_item_month',
      "customer_id, service_item_id, agreement_id, date_trunc('month', started_at at time zone 'UTC')::date as month",
    ],
  ] as const) {
    const count = key.split(',').length - (key.includes("date_trunc('month',") ? 1 : 0);
    const places = Array.from({ length: count }, (_, at) => at + 1).join(', ');
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from ((
        (select ${sql.raw(key)}, count(*)::int, sum(units), sum(price) from usage_record group by ${sql.raw(places)})
        except table ${sql.table(table)}) union all (
        table ${sql.table(table)} except
        (select ${sql.raw(key)}, count(*)::int, sum(units), sum(price) from usage_record group by ${sql.raw(places)}))) d`);
    if (n !== 0) throw new Error(`${table}: ${n} cells differ from a recount`);
  }
}

async function compare(db: Database, folder: string, name: string, days: number): Promise<void> {
  const path = join(folder, `${name}.csv`);
  const rows = join(folder, `${name}.copy`);
  await timed(`${name}: writing the file`, () => writeFile(path, days));
  const take = () =>
    importFiles(
      {
        db,
        secrets: createSecrets('a key only for this bench, long enough'),
        publicUrl: new URL('http://localhost'),
        files: openFileStore(pathToFileURL(join(folder, 'files/'))),
      },
      {
        files: [path],
        resellerId: 1,
        isDemo: false,
        now: new Date(),
      },
    );
  const imported = await timed(`${name}: import`, async () => {
    const [report] = (await take()).files;
    if (report?.created !== ROWS) throw new Error(JSON.stringify(report));
  });
  await recount(db);
  const again = await timed(`${name}: the same file again`, async () => {
    const [report] = (await take()).files;
    if (report?.unchanged !== ROWS) throw new Error(JSON.stringify(report));
  });
  await db.withConnection(async (client) => {
    const from = copyOut(
      client,
      `copy (select ${columns} from usage_record order by started_at, id) to stdout`,
    );
    await pipeline(from, createWriteStream(rows));
    await client.query(
      'truncate usage_record, usage_day, usage_type_day, usage_item_month, usage_version, usage_customer, import_file, import_quarantine, import_change, quarantine_entry',
    );
    await client.query('checkpoint');
  });
  const copied = await timed(`${name}: COPY of its rows`, () =>
    db.withConnection((client) =>
      pipeline(
        createReadStream(rows, { highWaterMark: 1 << 20 }),
        client.query(copyFrom(`copy usage_record (${columns}) from stdin`)),
      ),
    ),
  );
  await db.withConnection(async (client) => {
    await client.query('truncate usage_record');
    await client.query('checkpoint');
  });
  printFigure({
    bench: 'import',
    figure: `${name}, rows/s`,
    value: ROWS / imported,
    unit: 'rows/s',
    limit: (ROWS / copied) * LEAST,
  });
  printFigure({
    bench: 'import',
    figure: `${name}, beside COPY`,
    value: copied / imported,
    unit: 'times',
    limit: LEAST,
  });
  printFigure({
    bench: 'import',
    figure: `${name}, the same file again`,
    value: ROWS / again,
    unit: 'rows/s',
    limit: (ROWS / copied) * LEAST,
  });
}

const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
const server = await attachOrStart({ dataDir: folder, onNotice: () => undefined });
const db = new Database({ url: server.url, name: 'bench', max: 4, statementTimeoutMs: 600_000 });
try {
  await migrate(server.url);
  await seedWorld(db);
  await compare(db, folder, 'one month', 31);
  await compare(db, folder, 'over 24 months', 731);
} finally {
  await db.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
