import { AsyncLocalStorage } from 'node:async_hooks';
import type { RawNode } from 'kysely';
import type pg from 'pg';
import type { Database, Tx } from '../../../src/db/database.ts';
import { atMostOne, exactlyOne } from '../../../src/db/rows.ts';
import type { Sql } from '../../../src/db/sql.ts';
import type { Catalogue } from './catalogue.ts';
import { makeTables } from './memory-tables.ts';
import type { KnownTable } from './scope.ts';
import { type Answer, compileStatement, type ReadyStatement } from './statements.ts';
import type { Undo } from './table.ts';
import type { Value } from './values.ts';

/**
 * The product's database in the memory of this process: the very statements of the product are read, and carried out
 * over tables with the keys, checks, references and defaults that the migrations made. For tests that need tens of
 * thousands of transactions.
 *
 * Transactions run one after another. What two of them at the same time do to each other's rows, waiting, reading
 * between, deadlocks, is not seen here; the tests on PostgreSQL see it. Times are the process's, `for update` and
 * `skip locked` find every row free, and a cut connection has to be made by the caller.
 */
export class MemoryDatabase {
  readonly tables: ReadonlyMap<string, KnownTable>;
  readonly #texts = new Map<string, string>();
  readonly #ready = new Map<string, ReadyStatement>();
  readonly #inside = new AsyncLocalStorage<{ readonly undo: Undo[] }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(catalogue: Catalogue) {
    this.tables = makeTables(catalogue);
  }

  /** The texts of all statements carried out so far. */
  get statements(): string[] {
    return [...this.#ready.keys()];
  }

  /** As the product's code takes it. */
  asDatabase(): Database {
    const read = async (query: Sql): Promise<Answer['rows']> => (await this.#read(query)).rows;
    const face = {
      many: read,
      maybeOne: async (query: Sql) => atMostOne(await read(query)),
      one: async (query: Sql) => exactlyOne(await read(query)),
      execute: async (query: Sql) => (await this.#read(query)).count,
      transaction: <T>(work: (tx: Tx) => Promise<T>) => this.transaction(work),
      end: async () => {},
    };
    return face as unknown as Database;
  }

  /** As helpers take it that have statements of their own. */
  asPool(): pg.Pool {
    const query = async (text: string, values: readonly Value[] = []) => {
      const run = () => this.#run(text, values, []);
      const { rows, count } = this.#inside.getStore() === undefined ? await this.#afterOthers(run) : run();
      return { rows, rowCount: count };
    };
    return { query } as unknown as pg.Pool;
  }

  /** Carries out one statement inside of a transaction. */
  run(query: Sql, undo: Undo[]): Answer {
    const values: Value[] = [];
    const node = query.toOperationNode() as unknown as RawNode;
    const shape = shapeOf(node, values);
    // Few texts, told apart by where they stand in the program: the text itself is put together once.
    let text = this.#texts.get(shape);
    if (text === undefined) {
      text = textOf(node, { count: 0 });
      this.#texts.set(shape, text);
    }
    return this.#run(text, values, undo);
  }

  /** Runs `work` alone; what it changed is undone where it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#afterOthers(async () => {
      const undo: Undo[] = [];
      try {
        return await this.#inside.run({ undo }, () => work(this.#txOn(undo)));
      } catch (error) {
        for (const back of undo.reverse()) back();
        throw error;
      }
    });
  }

  #txOn(undo: Undo[]): Tx {
    const rows = async (query: Sql) => this.run(query, undo).rows;
    const face = {
      many: rows,
      maybeOne: async (query: Sql) => atMostOne(await rows(query)),
      one: async (query: Sql) => exactlyOne(await rows(query)),
      execute: async (query: Sql) => this.run(query, undo).count,
    };
    return face as unknown as Tx;
  }

  async #read(query: Sql): Promise<Answer> {
    // Of another connection it would see what was before; none of the code here reads so what it has written.
    const inside = this.#inside.getStore();
    if (inside !== undefined) return this.run(query, inside.undo);
    return this.#afterOthers(() => this.run(query, []));
  }

  /** Carries out a statement by its text, inside of `alone`. */
  runText(text: string, values: readonly Value[], undo: Undo[]): Answer {
    return this.#run(text, values, undo);
  }

  /** Runs `work` while nobody else does anything; undoing what it did is the caller's. */
  alone<T>(work: (undo: Undo[]) => Promise<T>): Promise<T> {
    return this.#afterOthers(() => work([]));
  }

  #run(text: string, values: readonly Value[], undo: Undo[]): Answer {
    let ready = this.#ready.get(text);
    if (ready === undefined) {
      ready = compileStatement(text, this.tables);
      this.#ready.set(text, ready);
    }
    const begun = undo.length;
    try {
      return ready(values, undo);
    } catch (error) {
      // A statement is carried out whole or not at all.
      for (const back of undo.splice(begun).reverse()) back();
      throw error;
    }
  }

  #afterOthers<T>(work: () => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

const shapes = new WeakMap<readonly string[], string>();
let known = 0;

/** Tells which pieces of text a statement is made of, and collects its values. */
function shapeOf({ sqlFragments, parameters }: RawNode, values: Value[]): string {
  let shape = shapes.get(sqlFragments);
  if (shape === undefined) {
    known += 1;
    // Pieces that are made again each time are told by what they say.
    shape = sqlFragments.length === 1 ? `'${sqlFragments[0]}'` : `${known}`;
    shapes.set(sqlFragments, shape);
  }
  for (const parameter of parameters) {
    if (parameter.kind === 'ValueNode') values.push((parameter as unknown as { value: Value }).value);
    else if (parameter.kind === 'RawNode') shape += `(${shapeOf(parameter as unknown as RawNode, values)})`;
    else throw new TypeError(`a ${parameter.kind} in a statement is not known here`);
  }
  return shape;
}

function textOf({ sqlFragments, parameters }: RawNode, seen: { count: number }): string {
  let text = sqlFragments[0] ?? '';
  for (const [n, parameter] of parameters.entries()) {
    if (parameter.kind === 'RawNode') {
      text += textOf(parameter as unknown as RawNode, seen);
    } else {
      seen.count += 1;
      text += `$${seen.count}`;
    }
    text += sqlFragments[n + 1] ?? '';
  }
  return text;
}
