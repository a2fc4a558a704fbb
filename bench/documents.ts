import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../apps/api/src/db/database.ts';
import { migrate } from '../apps/api/src/db/migrate.ts';
import { sql } from '../apps/api/src/db/sql.ts';
import { attachOrStart } from '../packages/postgres/src/server.ts';
import { heapFlags, mallocSettings } from '../tools/run/node.mjs';
import { secondsOfInserting } from './documents/alone.ts';
import { writeInvoices } from './documents/files.ts';
import type { Took, Wanted } from './documents/take-process.ts';
import { printFigure } from './support/figure.ts';

/**
 * 10,000 UBL invoices of ten lines (or DOCUMENTS), all of one customer, from files: the import beside parsing and inserting alone;
 * the same files again; and a tenth of them where the customer has 50,000 and 100,000 invoices already. About four minutes.
 */
const FILES = Number(process.env['DOCUMENTS'] || 10_000);
const MORE = FILES / 10;
const SIZES = [FILES * 5, FILES * 10];
/** At least this share of the pace of parsing and inserting alone. */
const LEAST = 0.5;
/** At least this share of the pace of as many files where the customer has no invoices yet. */
const LEVEL = 0.8;
const MOST_MEMORY_MB = 300;
const customerId = '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42';

const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
const server = await attachOrStart({ dataDir: folder, onNotice: () => undefined });
const db = new Database({ url: server.url, name: 'bench', max: 4, statementTimeoutMs: 600_000 });
async function makeWorld(): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into reseller (id, name) values (1, 'Bench')`);
    await tx.execute(
      sql`insert into customer (customer_id, reseller_id, label) values (${customerId}, 1, 'Bench')`,
    );
    await tx.execute(sql`
      insert into reseller_customer (customer_id, reseller_id, label) values (${customerId}, 1, 'Bench')`);
    await tx.execute(
      sql`insert into agreement (customer_id, id, name) values (${customerId}, ${customerId}, 'Main')`,
    );
    await tx.execute(
      sql`insert into customer_identity values (1, 'endpoint', '0088:7300010000902', ${customerId})`,
    );
  });
}

async function run(what: Wanted['what'], paths: readonly string[]): Promise<Took> {
  const child = fork(new URL('./documents/take-process.ts', import.meta.url), {
    execArgv: heapFlags,
    env: { ...process.env, ...mallocSettings },
  });
  const answer = once(child, 'message') as Promise<[Took]>;
  child.send({ what, url: server.url, folder, paths } satisfies Wanted);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${what} ended with ${code}`);
  });
  const [took] = await Promise.race([answer, failed]);
  failed.catch(() => undefined);
  return took;
}

async function take(paths: readonly string[], is: 'created' | 'unchanged'): Promise<Took> {
  const took = await run('import', paths);
  if (took[is] !== paths.length) throw new Error(JSON.stringify(took));
  say(
    `${paths.length} ${is}: ${took.seconds.toFixed(1)} s, memory at most ${took.peakMb.toFixed(0)} MB, load ${loadavg()[0]?.toFixed(0)}`,
  );
  return took;
}

/** Gives the customer so many invoices, as they are in the books already, under other numbers. */
async function growTo(count: number): Promise<void> {
  const { n } = await db.one<{ n: number }>(sql`select count(*)::int as n from invoice`);
  const missing = count - n;
  const columnsOf = async (table: string, but: readonly string[]) =>
    (
      await db.one<{ list: string }>(sql`
        select string_agg(quote_ident(attname), ', ') as list from pg_attribute
         where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
           and attname <> all(${[...but]}::text[])`)
    ).list;
  const [invoice, line] = [
    await columnsOf('invoice', ['id', 'number', 'external_ref']),
    await columnsOf('invoice_line', ['id', 'invoice_id']),
  ];
  await db.withConnection(async (client) => {
    await client.query(`
      create temporary table grown as
      select i.id as old, gen_random_uuid() as id, 'OLD-${count}-' || row_number() over () as number
        from (select id from invoice where number like 'FIRST-%') i, generate_series(1, ${Math.ceil(missing / FILES)})
       limit ${missing}`);
    await client.query(`
      insert into invoice (id, number, ${invoice})
      select g.id, g.number, ${invoice.replaceAll(/(^|, )/g, '$1i.')} from grown g join invoice i on i.id = g.old`);
    await client.query(`
      insert into invoice_identity (reseller_id, supplier_key, kind, number, customer_id, invoice_id)
      select i.reseller_id, i.supplier_key, i.kind, i.number, i.customer_id, i.id from grown g join invoice i using (id)`);
    await client.query(`
      insert into invoice_line (id, invoice_id, ${line})
      select gen_random_uuid(), g.id, ${line.replaceAll(/(^|, )/g, '$1l.')} from grown g join invoice_line l on l.invoice_id = g.old`);
    await client.query('drop table grown');
    await client.query('analyze');
    await client.query('checkpoint');
  });
}

try {
  await migrate(server.url);
  await makeWorld();
  const start = await take(await writeInvoices(folder, 'AT0-', MORE), 'created');
  const paths = await writeInvoices(folder, 'FIRST-', FILES);
  const first = await take(paths, 'created');
  const parsing = await run('parse', paths);
  const inserting = await secondsOfInserting(db, 'FIRST-');
  say(`parsing alone: ${parsing.seconds.toFixed(1)} s, inserting alone: ${inserting.toFixed(1)} s`);
  const again = await take(paths, 'unchanged');
  const pace = FILES / first.seconds;
  const alone = FILES / (parsing.seconds + inserting);
  const print = (figure: string, value: number, limit: number) =>
    printFigure({ bench: 'documents', figure, value, unit: 'files/s', limit });
  print(`${FILES} invoices of ten lines`, pace, alone * LEAST);
  print('the same files again', FILES / again.seconds, alone * LEAST);
  printFigure({
    bench: 'documents',
    figure: 'beside parsing and inserting alone',
    value: pace / alone,
    unit: 'times',
    limit: LEAST,
  });
  printFigure({
    bench: 'documents',
    figure: 'memory',
    value: Math.max(first.peakMb, again.peakMb),
    unit: 'MB',
    limit: MOST_MEMORY_MB,
    isMost: true,
  });
  for (const size of SIZES) {
    say(`growing to ${size} invoices`);
    await growTo(size);
    const { seconds } = await take(await writeInvoices(folder, `AT${size}-`, MORE), 'created');
    print(`${MORE} where the customer has ${size}`, MORE / seconds, (MORE / start.seconds) * LEVEL);
  }
} finally {
  await db.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
