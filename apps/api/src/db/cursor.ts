import type pg from 'pg';
import { tracedRows } from '../tracing/statements.ts';
import { type Database, type Db, transactionOn } from './database.ts';
import { type Compiled, compile, type Sql } from './sql.ts';

/** Rows fetched at a time: enough to make the way to the server cheap, few enough to weigh nothing. */
const BATCH = 500;

/** Reads of one moment: what commits meanwhile is not seen by any of them. */
export interface Snapshot extends Db {
  /** The rows one after another; never more than a few hundred are held. One at a time. */
  stream<Row>(query: Sql<Row>): AsyncIterable<Row>;
}

/**
 * Runs `work` on one snapshot of the database (read only, repeatable read).
 * @throws {DatabaseUnavailable} when the database does not answer
 */
export function readSnapshot<T>(db: Database, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return db.withConnection(async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const { many, maybeOne, one } = transactionOn(client);
    const result = await work({ many, maybeOne, one, stream: (query) => rowsOf(client, query) });
    await client.query('commit');
    return result;
  });
}

let serial = 0;

function rowsOf<Row>(client: pg.PoolClient, query: Sql<Row>): AsyncIterable<Row> {
  const compiled = compile(query);
  return tracedRows(compiled.text, () => fetched<Row>(client, compiled));
}

async function* fetched<Row>(client: pg.PoolClient, { text, values }: Compiled): AsyncIterable<Row> {
  serial += 1;
  const cursor = `rows_${serial}`;
  await client.query(`declare ${cursor} no scroll cursor for ${text}`, values);
  for (;;) {
    const { rows } = await client.query(`fetch ${BATCH} from ${cursor}`);
    yield* rows as Row[];
    if (rows.length < BATCH) break;
  }
  await client.query(`close ${cursor}`);
}
