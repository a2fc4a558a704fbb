import type pg from 'pg';
import { tracedStatement } from '../../tracing/statements.ts';
import { Database, type Db, type Tx } from '../database.ts';
import { compile, type Sql } from '../sql.ts';
import { copyOut } from './copy-out.ts';

/** Signature, flags and length of an extension of which there is none. */
const HEADER = 19;

/**
 * Rows of a statement as bytes: the driver would read them as text, which is twice as long and takes several times as long.
 * @param query without parameters, as COPY takes none
 * @returns a value a column, in PostgreSQL's binary form; null where there is none
 */
export function binaryRows(db: Db, query: Sql): Promise<(Buffer | null)[][]> {
  const { text, values } = compile(query);
  if (values.length > 0) throw new Error('COPY takes no parameters');
  const copy = `copy (${text}) to stdout (format binary)`;
  const read = async (client: pg.PoolClient) =>
    rowsOf(await tracedStatement(copy, () => copyOut(client, copy).toArray()));
  return db instanceof Database ? db.withConnection(read) : (db as Tx).connection().then(read);
}

function rowsOf(pieces: readonly Buffer[]): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = [];
  const take = taker(pieces);
  take(HEADER);
  for (;;) {
    const columns = take(2).readInt16BE();
    // The end is said by a count of -1.
    if (columns < 0) return rows;
    rows.push(
      Array.from({ length: columns }, () => {
        const length = take(4).readInt32BE();
        return length < 0 ? null : take(length);
      }),
    );
  }
}

/** Gives the next bytes of what came in pieces, each time in memory of their own that begins where a number may. */
function taker(pieces: readonly Buffer[]): (length: number) => Buffer {
  let [piece, at] = [0, 0];
  return (length) => {
    const taken = Buffer.allocUnsafeSlow(length);
    for (let to = 0; to < length; ) {
      const from = pieces[piece];
      if (from === undefined) throw new Error('COPY ended before its end');
      const n = from.copy(taken, to, at);
      to += n;
      at += n;
      if (at < from.length) continue;
      piece += 1;
      at = 0;
    }
    return taken;
  };
}
