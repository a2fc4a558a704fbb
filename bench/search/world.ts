import { join } from 'node:path';
import pg from 'pg';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { mallocSettings, nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { startThrowAwayDatabase } from '../support/throw-away-database.ts';

/** How many of each there are. */
export interface Sizes {
  readonly customers: number;
  readonly invoices: number;
  readonly items: number;
}

/** One in so many customers is of the second reseller; all others are of the first. */
export const SECOND_EACH = 20;
export const LARGE = 1;
export const SMALL = 2;

export interface SearchWorld {
  readonly port: number;
  readonly pool: pg.Pool;
  stop(): Promise<void>;
}

/** Fills a database of its own, which is thrown away afterwards, and starts the product's server on it. */
export async function startSearchWorld(sizes: Sizes, say: (line: string) => void): Promise<SearchWorld> {
  const database = await startThrowAwayDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  // At the end the server may stop before it has read that these connections do.
  pool.on('error', () => undefined);
  const stopDatabase = async () => {
    await pool.end();
    await database.stop();
  };
  try {
    await fill(pool, sizes, say);
    const server = await startProcess({
      command: [serverProgram(root), 'serve', '--json'],
      env: {
        ...mallocSettings,
        DATA_DIR: join(database.dataDir, 'server'),
        DATABASE_URL: database.url,
        SECRET_KEY: 'a'.repeat(64),
        DEMO: '0',
        PORT: '0',
        LOG_LEVEL: 'warn',
      },
      ready: /^\{"ready"/,
      nodeArgs: nodeFlags,
    });
    const { listening } = JSON.parse(server.readyLine) as { listening: string };
    return {
      port: Number(new URL(listening).port),
      pool,
      async stop() {
        await server.stop();
        await stopDatabase();
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

const id = (kind: string, n: string) =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const reseller = (n: string) => `case when ${n} % ${SECOND_EACH} = 0 then ${SMALL} else ${LARGE} end`;
const name = (n: string) =>
  `(array['Harbour', 'Northline', 'Kauri', 'Tui', 'Rimu', 'Pacific', 'Summit'])[1 + ${n} % 7]`;

/** Rows by table; indexes that are no keys are made afterwards, as one does who loads so many. */
async function fill(pool: pg.Pool, sizes: Sizes, say: (line: string) => void): Promise<void> {
  const { customers, invoices, items } = sizes;
  const client = await pool.connect();
  try {
    await client.query(`
      set session_replication_role = replica; set maintenance_work_mem = '512MB'; set statement_timeout = 0;
      insert into reseller (id, name) values (${LARGE}, 'Large'), (${SMALL}, 'Small')`);
    await client.query(
      `insert into service (id, reseller_id, code, name) values (${id('5e00', '1')}, ${LARGE}, 'voice', 'Voice')`,
    );
    const rows: Readonly<Record<string, string>> = {
      customer: `(customer_id, reseller_id, external_ref, label, email, country)
        select ${id('c000', 'n')}, ${reseller('n')}, 'C-' || n, ${name('n')} || ' ' || n || ' Limited',
               'bills-' || n || '@customer.example', 'NZ' from generate_series(1, ${customers}) n`,
      reseller_customer: `(reseller_id, customer_id, label)
        select reseller_id, customer_id, label from customer`,
      customer_identity: `(reseller_id, kind, value, customer_id)
        select reseller_id, 'externalRef', external_ref, customer_id from customer`,
      app_user: `(id, reseller_id, email, display_name)
        select ${id('0a00', 'n')}, ${reseller('n')}, 'person-' || n || '@customer.example', 'Mia Person ' || n
          from generate_series(1, ${customers}) n`,
      membership: `(user_id, customer_id)
        select ${id('0a00', 'n')}, ${id('c000', 'n')} from generate_series(1, ${customers}) n`,
      service_item: `(customer_id, id, service_id, name)
        select ${id('c000', `1 + n % ${customers}`)}, ${id('1e00', 'n')}, ${id('5e00', '1')},
               '+6490' || lpad(n::text, 8, '0') from generate_series(1, ${items}) n`,
      service_item_number: `(reseller_id, number, customer_id, service_item_id)
        select ${reseller(`(1 + n % ${customers})`)}, '+6490' || lpad(n::text, 8, '0'),
               ${id('c000', `1 + n % ${customers}`)}, ${id('1e00', 'n')} from generate_series(1, ${items}) n`,
      invoice: `(customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency, subtotal_minor,
                 tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
        select ${id('c000', 'c')}, ${id('1f00', 'n')}, ${reseller('c')}, 'invoice', 'INV-' || lpad(n::text, 9, '0'),
               'id:reseller:1', date '2026-01-01' + (n % 300)::int, date '2026-01-15' + (n % 300)::int, 'NZD', 10000, 1500,
               11500, 11500, case when n % 10 = 0 then 10 else 11 end, '\\x00', '2026-01-01'
          from (select n, 1 + (n - 1) * ${customers} / ${invoices} as c from generate_series(1, ${invoices}::bigint) n) g`,
    };
    for (const [table, insert] of Object.entries(rows)) {
      const started = performance.now();
      const { rows: indexes } = await client.query<{ name: string; definition: string }>(
        `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
           from pg_index i where i.indrelid = '${table}'::regclass
            and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      );
      for (const { name: index } of indexes) await client.query(`drop index ${index}`);
      await client.query(`insert into ${table} ${insert}`);
      for (const { definition } of indexes) await client.query(definition);
      say(`${table}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
    }
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}
