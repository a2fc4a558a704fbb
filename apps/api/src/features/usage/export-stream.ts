import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Database } from '../../db/database.ts';
import { compile, type Sql } from '../../db/sql.ts';
import { ExportAbandoned, ExportBody, type RowBlock } from '../../http/answers/export-body.ts';
import type { RowFrame } from './export-copy-frames.ts';
import { cutRange } from './export-ranges.ts';
import { Relay } from './export-relay.ts';
import type { UsageRange } from './filter.ts';

/** A file that is read by COPY. */
export interface ExportFile {
  readonly range: UsageRange;
  /** How many rows each day has, where the range can be read in parts; undefined: by one statement. */
  readonly counts: Sql<{ day: string; n: number }> | undefined;
  /** The last part stands first. */
  readonly isBackwards: boolean;
  /** `copy (…) to stdout` of the rows of a part of the range. */
  readonly statement: (range: UsageRange) => string;
  readonly frame: RowFrame;
  /** What stands before the first row. */
  readonly head: string;
  /** What stands after the last one. */
  readonly tail: (rowCount: number) => string;
}

/** After this the file begins without its first row, so that sorting much is not taken for a server that hangs. */
const BEGIN_WITHIN_MS = 2_000;

const SETTINGS = Object.entries({
  timezone: 'UTC',
  datestyle: 'ISO',
  jit: 'off',
  work_mem: '16MB',
  max_parallel_workers_per_gather: '0',
  idle_in_transaction_session_timeout: '10min',
})
  .map(([name, value]) => `set local ${name} = '${value}'`)
  .join('; ');
const begin = (snapshot?: string): string =>
  [
    'begin isolation level repeatable read read only',
    ...(snapshot === undefined ? [] : [`set transaction snapshot ${pg.escapeLiteral(snapshot)}`]),
    SETTINGS,
  ].join('; ');

/**
 * Begins a file. Resolves with its first rows there (or after two seconds), so that what goes wrong until then can be
 * answered as a refusal; what goes wrong later destroys the stream, and the file is seen to be broken.
 * @param signal aborted when the reader has gone
 * @param onEnd called once, when no connection is held any more
 * @throws {DatabaseUnavailable | ExportAbandoned}
 */
export function openExport(
  db: Database,
  file: ExportFile,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const body = new ExportBody(file.head);
    let isOpen = false;
    const open = () => {
      if (isOpen) return;
      isOpen = true;
      clearTimeout(late);
      resolve(body);
    };
    const late = setTimeout(open, BEGIN_WITHIN_MS);
    const leave = () => void body.destroy();
    signal.addEventListener('abort', leave, { once: true });
    const write = (block: RowBlock) => {
      open();
      return body.write(block);
    };
    writeExport(db, file, write, signal)
      .finally(onEnd)
      .then((tail) => {
        open();
        return body.finish(tail);
      })
      .catch((error: Error) => {
        clearTimeout(late);
        if (isOpen) body.destroy(error);
        else reject(error);
      })
      .finally(() => signal.removeEventListener('abort', leave));
  });
}

/** @returns what stands after the last row */
const writeExport = (
  db: Database,
  file: ExportFile,
  write: (block: RowBlock) => Promise<void>,
  signal: AbortSignal,
): Promise<string> =>
  db.withConnection(async (lead) => {
    const snapshot = await beginShared(lead);
    const relay = new Relay((await rangesOf(lead, file)).map(file.statement), file.frame);
    const giveUp = () => relay.stop(new ExportAbandoned('the reader has gone'));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    const readers = Promise.allSettled([relay.read(lead), help(db, snapshot, relay)]);
    try {
      let isFirst = true;
      for await (const block of relay.blocks()) {
        // The separator before the first row has nothing to separate.
        await write(isFirst && file.frame.before !== undefined ? withoutFirstByte(block) : block);
        isFirst = false;
      }
    } catch (error) {
      relay.stop(error as Error);
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
      // A connection is given back when its statement has ended, not before.
      await readers;
    }
    await lead.query('commit');
    return file.tail(relay.rowCount);
  });

function withoutFirstByte(block: RowBlock): RowBlock {
  const [first, ...others] = block.pieces;
  return { pieces: [first?.subarray(1) ?? Buffer.alloc(0), ...others], free: block.free };
}

/**
 * The name of a snapshot is of one machine: on Citus each worker would have another moment for the second connection. On the first all
 * of a customer's rows come through one transaction of the one worker that has them.
 */
const SHARE_SNAPSHOT =
  "select case when not exists (select from pg_extension where extname = 'citus') then pg_export_snapshot() end as name";

/** Begins the one snapshot. @returns its name for a second connection; undefined where the server shares none */
async function beginShared(lead: pg.PoolClient): Promise<string | undefined> {
  try {
    // Several statements at once answer with a list of results.
    const results: unknown = await lead.query(`${begin()}; ${SHARE_SNAPSHOT}`);
    return (results as pg.QueryResult<{ name: string | null }>[]).at(-1)?.rows[0]?.name ?? undefined;
  } catch (error) {
    // A standby, for one, shares none; one connection can do it alone.
    if (!(error instanceof pg.DatabaseError)) throw error;
    await lead.query('rollback');
    await lead.query(begin());
    return undefined;
  }
}

async function rangesOf(lead: pg.PoolClient, file: ExportFile): Promise<UsageRange[]> {
  const { range, counts, isBackwards } = file;
  if (counts === undefined) return [range];
  const { text, values } = compile(counts);
  const { rows } = await lead.query<{ day: string; n: number }>(text, values);
  const counted = rows.map(({ day, n }) => ({ from: new Date(`${day}T00:00:00Z`), n }));
  const ranges = cutRange(range, counted);
  return isBackwards ? ranges.reverse() : ranges;
}

/** Reads along on a second connection, as long as nobody else waits for one. */
async function help(db: Database, snapshot: string | undefined, relay: Relay): Promise<void> {
  const { pool } = db;
  const free = pool.options.max - (pool.totalCount - pool.idleCount);
  // It takes one and leaves two: for another export and for a report.
  if (snapshot === undefined || relay.isSmall || free < 3) return;
  await db.withConnection(async (client) => {
    try {
      await client.query(begin(snapshot));
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      await client.query('rollback');
      return;
    }
    await relay.read(client, () => pool.waitingCount === 0);
    await client.query('rollback');
  });
}
