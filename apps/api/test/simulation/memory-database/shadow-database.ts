import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { type Database, sqlState, type Tx } from '../../../src/db/database.ts';
import { compile, type Sql } from '../../../src/db/sql.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { orderIsGiven } from './parse-statement.ts';
import type { Undo } from './table.ts';
import { compare, keyOf, type Row, type Value } from './values.ts';

/** What one of the two answered to a statement. */
interface Told {
  readonly rows: readonly Row[];
  readonly count: number;
  /** SQLSTATE and constraint of a refusal. */
  readonly refused: string | undefined;
  readonly error: unknown;
}

/** How a statement is carried out on PostgreSQL, and in memory. */
interface Both {
  readonly real: (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  readonly undo: Undo[];
}

/**
 * Carries out every statement on PostgreSQL and in memory and compares what each of them answers: rows, their number,
 * refusals. The caller gets PostgreSQL's answer. What differs stands in `differences`.
 */
export class ShadowDatabase {
  readonly differences: string[] = [];
  /** Statements that were compared. */
  compared = 0;
  /** Whether PostgreSQL is being waited for. */
  waiting = 0;
  readonly #pool: pg.Pool;
  readonly #memory: MemoryDatabase;
  /** Runs what waits for PostgreSQL outside of a simulated time. */
  readonly #outside: <T>(work: () => T) => T;
  readonly #inside = new AsyncLocalStorage<Both>();

  constructor(pool: pg.Pool, memory: MemoryDatabase, outside: <T>(work: () => T) => T) {
    this.#pool = pool;
    this.#memory = memory;
    this.#outside = outside;
  }

  asDatabase(): Database {
    const rows = async (query: Sql) => (await this.#alone(query)).rows;
    const face = {
      many: rows,
      maybeOne: async (query: Sql) => (await rows(query))[0],
      one: async (query: Sql) => one(await rows(query)),
      execute: async (query: Sql) => (await this.#alone(query)).count,
      transaction: <T>(work: (tx: Tx) => Promise<T>) => this.#transaction(work),
    };
    return face as unknown as Database;
  }

  asPool(): pg.Pool {
    const query = async (text: string, values: readonly Value[] = []) => {
      const run = (both: Both) => this.#compare({ text, values: [...values] }, both);
      const inside = this.#inside.getStore();
      const { rows, count } =
        inside === undefined ? await this.#memory.alone((undo) => run(this.#both(undo))) : await run(inside);
      return { rows, rowCount: count };
    };
    return { query } as unknown as pg.Pool;
  }

  #both(undo: Undo[]): Both {
    return { undo, real: (query) => this.#await(() => this.#pool.query(query)) };
  }

  #alone(query: Sql): Promise<Told> {
    const { text, values } = compile(query);
    const inside = this.#inside.getStore();
    if (inside !== undefined) return this.#compare({ text, values }, inside);
    return this.#memory.alone((undo) => this.#compare({ text, values }, this.#both(undo)));
  }

  /** Also keeps it from being seen as idle. */
  async #await<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    try {
      return await this.#outside(work);
    } finally {
      this.waiting -= 1;
    }
  }

  #transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#memory.alone(async (undo) => {
      const client = await this.#await(() => this.#pool.connect());
      const say = (text: string) => this.#await(() => client.query(text));
      const both: Both = { undo, real: (query) => this.#await(() => client.query(query)) };
      const rows = async (query: Sql) => (await this.#compare(compile(query), both)).rows;
      const face = {
        many: rows,
        maybeOne: async (query: Sql) => (await rows(query))[0],
        one: async (query: Sql) => one(await rows(query)),
        execute: async (query: Sql) => (await this.#compare(compile(query), both)).count,
      };
      try {
        await say('begin');
        const result = await this.#inside.run(both, () => work(face as unknown as Tx));
        await say('commit');
        return result;
      } catch (error) {
        await say('rollback');
        for (const back of undo.reverse()) back();
        throw error;
      } finally {
        client.release();
      }
    });
  }

  async #compare(query: { text: string; values: Value[] }, { real, undo }: Both): Promise<Told> {
    const { text, values } = query;
    const given = await real({ text, values }).then(
      ({ rows, rowCount }): Told => ({ rows, count: rowCount ?? 0, refused: undefined, error: undefined }),
      (error: unknown): Told => ({ rows: [], count: 0, refused: refusalOf(error), error }),
    );
    const own = this.#inMemory(text, values, undo);
    this.compared += 1;
    const why = differs(given, own, text);
    if (why !== undefined) this.differences.push(`${why}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
    if (given.error !== undefined) throw given.error;
    return given;
  }

  #inMemory(text: string, values: readonly Value[], undo: Undo[]): Told {
    try {
      return { ...this.#memory.runText(text, values, undo), refused: undefined, error: undefined };
    } catch (error) {
      return { rows: [], count: 0, refused: refusalOf(error), error };
    }
  }
}

function refusalOf(error: unknown): string {
  const state = sqlState(error);
  if (state === undefined)
    return `not by SQLSTATE: ${String(error)} ${error instanceof Error ? String(error.cause) : ''}`;
  // Which column is missing has no constraint's name.
  return state.code === '23502' ? state.code : `${state.code} ${state.constraint ?? ''}`;
}

function differs(given: Told, own: Told, text: string): string | undefined {
  if (given.refused !== own.refused) return `refused ${given.refused}, in memory ${own.refused}`;
  if (given.count !== own.count) return `${given.count} rows, in memory ${own.count}`;
  // The queue is not there in memory: its jobs have numbers of their own.
  if (text.includes('graphile_worker')) return undefined;
  const isOrdered = orderIsGiven(text);
  const [theirs, ours] = [given.rows, own.rows].map((rows) => {
    const names = Object.keys(given.rows[0] ?? {});
    const keys = rows.map((row) => names.map((name) => `${name}=${keyOf(row[name] ?? null)}`).join(' '));
    return isOrdered ? keys : keys.sort((a, b) => compare(a, b));
  });
  const at = theirs?.findIndex((row, n) => row !== ours?.[n]) ?? -1;
  return at < 0 ? undefined : `row ${at} is ${theirs?.[at]}, in memory ${ours?.[at]}`;
}

function one(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}
