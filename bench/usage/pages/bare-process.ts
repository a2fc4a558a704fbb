import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';
import { present, type ShownRow } from './present.ts';

/**
 * A process of its own that answers `GET /<n>` with what the n-th statement pair gives: nothing but HTTP, one query
 * and JSON. Arguments: the database's address, a file with the statements. Prints its port.
 */
const [url = '', file = ''] = process.argv.slice(2);
const statements = JSON.parse(readFileSync(file, 'utf8')) as string[];
const pool = new pg.Pool({ connectionString: url, max: 16 });
const app = Fastify();

app.get<{ Params: { n: string } }>('/:n', async ({ params }) => {
  // Two statements in one message give two results, which the driver's types do not know.
  const results = (await pool.query(statements[Number(params.n)] ?? '')) as unknown as pg.QueryResult[];
  const total = results[0] as pg.QueryResult<{ n: number | null }>;
  const rows = results[1] as pg.QueryResult<ShownRow>;
  return { data: present(rows.rows, total.rows[0]?.n ?? 0) };
});

process.stdout.write(`ready ${new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port}\n`);
