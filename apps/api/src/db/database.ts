import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseTlsFault } from '../tls.ts';
import { IN_INDEX_ORDER, isInIndexOrder, PREPARE_IN_INDEX_ORDER } from './index-order.ts';
import { currentCustomer, isAsOwner } from './row-security/for-customer.ts';
import { type ActsFor, actingFor, PREPARE_ROLE, roleFor } from './row-security/role.ts';
import { atMostOne, exactlyOne } from './rows.ts';
import { type Answer, ask, PREPARE_BEGIN } from './send.ts';
import { compile, type Sql } from './sql.ts';
import { OpenTransaction } from './transaction.ts';

// Money is bigint, quantities are decimal strings, days are 'YYYY-MM-DD': nothing passes through a float.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => text);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * The database did not answer: unreachable, too slow, shutting down, its disk full; or two transactions stood in each
 * other's way. The work may be tried again later; the message says in plain words what was wrong.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Reads. Statements are unnamed, so the planner sees the values, but for those of `sqlOnce`. */
export interface Db {
  many<Row>(query: Sql<Row>): Promise<Row[]>;
  maybeOne<Row>(query: Sql<Row>): Promise<Row | undefined>;
  /** @throws {Error} when there is not exactly one row */
  one<Row>(query: Sql<Row>): Promise<Row>;
}

declare const inTransaction: unique symbol;
/**
 * Reads and writes inside one transaction. Never held open across a call to another system. What is asked of it at once, as by
 * `Promise.all`, goes to the database in one message and is carried out in that order. After one that fails the rest is not, and fails with
 * the same error: what an error means is said around all of them, or by the last.
 */
export interface Tx extends Db {
  readonly [inTransaction]: true;
  /** @returns the number of rows changed */
  execute(query: Sql): Promise<number>;
  /** The connection itself, for COPY only; the transaction has begun. */
  connection(): Promise<pg.PoolClient>;
}

export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
}

export interface PoolOptions {
  readonly url: string;
  readonly name: string;
  readonly max: number;
  /** The server ends a statement after this. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a connection, new or free. */
  readonly connectTimeoutMs?: number;
  readonly onIdleError?: (error: Error) => void;
  /** How values are read, where not as everywhere. */
  readonly types?: pg.CustomTypesConfig;
}

// Beyond the server's own time-out the client waits this much longer; then the connection counts as dead.
const GRACE_MS = 2_000;
/** A server that does not answer is not waited for when connections are given back. */
const CLOSE_WITHIN_MS = 1_000;

const STOPPING = 'the database is stopping or starting';
const CUT = 'the connection to the database broke';
const SLOW = 'the database took too long';
const IN_THE_WAY = "two transactions stood in each other's way";
const MOVED = 'the rows were being moved to another machine';
// Codes on which the connection is gone or the server cannot serve now (PostgreSQL manual, appendix A).
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ...['57P01', '57P02', '57P03'].map((code) => [code, STOPPING] as const),
  ...['08000', '08001', '08003', '08004', '08006'].map((code) => [code, CUT] as const),
  ...['57014', '25P03', '55P03'].map((code) => [code, SLOW] as const),
  // Nothing of it was done, and done again it goes well.
  ...['40001', '40P01'].map((code) => [code, IN_THE_WAY] as const),
  // Citus: what the statement had put aside for its next step is at the machine where the rows were until now.
  ['CIINF', MOVED],
  ['53100', 'the disk of the database is full'],
  ['53200', 'the database is out of memory'],
  ['53300', 'the database takes no more connections'],
  ['58030', 'the disk of the database has an error'],
]);
// What the client itself finds, by its code or its words.
const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Query read timeout/i, SLOW],
  [/timeout exceeded when trying to connect/i, 'no connection to the database in time'],
  [/Connection terminated|client was closed|not queryable/i, CUT],
  [/pool is draining|Cannot use a pool after/i, 'this process is stopping'],
];

/** What is wrong with the database, in plain words; undefined where the error is of another kind. */
export function whyUnavailable(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = UNAVAILABLE.get(code);
  if (known !== undefined) return known;
  if (UNREACHABLE.test(code))
    return code === 'ECONNRESET' || code === 'EPIPE' ? CUT : 'the database cannot be reached';
  // The socket of a server that does not run.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect')
    return 'the database cannot be reached';
  return WORDS.find(([words]) => words.test(error.message))?.[1] ?? databaseTlsFault(error);
}

/** The error that callers see: how the database is away, or the statement's own. */
function toldOf(error: unknown, otherwise?: string): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const why = whyUnavailable(error) ?? otherwise;
  return why === undefined ? error : new DatabaseUnavailable(why, { cause: error });
}

/** The SQLSTATE of a refused statement, e.g. '23505' for a unique key, with the constraint's name. */
export function sqlState(error: unknown): { code: string; constraint: string | undefined } | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined;
  return { code: error.code, constraint: constraintOf(error) };
}

/** Citus tells of another machine's refusal the words alone, and a name ends there with the number of the table on that machine. */
const constraintOf = (error: pg.DatabaseError): string | undefined =>
  (error.constraint ?? / constraint "(.+)"$/.exec(error.message)?.[1])?.replace(/_\d{6,}$/, '');

/** True where a unique key (of this name, when given) refused a row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const state = sqlState(error);
  return state?.code === '23505' && (constraint === undefined || state.constraint === constraint);
}

const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Bounds what the server does for a new connection, and prepares what it runs ahead of other statements. The pool waits for it, and gives
 * up a connection that refuses. A cluster is asked for one connection to each worker in a transaction: after several, Citus refuses to write
 * tables that are whole on each machine. To a PostgreSQL without Citus the name says nothing.
 */
async function setUpConnection(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  await client.query(PREPARE_BEGIN);
  await client.query(
    `rollback;
     select set_config('statement_timeout', '${statementTimeoutMs}', false),
            set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false),
            set_config('citus.multi_shard_modify_mode', 'sequential', false);
     ${PREPARE_ROLE};
     ${PREPARE_IN_INDEX_ORDER}`,
  );
}

/** One pool of connections with limits of its own. */
export class Database implements Db {
  readonly pool: pg.Pool;
  readonly #queryTimeoutMs: number;
  /** One for each connection that is open: settles with its end. */
  readonly #open = new Set<Promise<void>>();
  #hasRowSecurity = false;

  constructor(options: PoolOptions) {
    this.#queryTimeoutMs = options.statementTimeoutMs + GRACE_MS;
    this.pool = new pg.Pool({
      connectionString: options.url,
      application_name: options.name,
      max: options.max,
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // Not among the parameters of the start: a pooler between refuses those it does not know.
      onConnect: (client) => setUpConnection(client, options.statementTimeoutMs),
      query_timeout: this.#queryTimeoutMs,
      ...(options.types === undefined ? {} : { types: options.types }),
    });
    // Without a listener an idle connection's end would end the process.
    const onError = (error: Error) => options.onIdleError?.(error);
    this.pool.on('error', onError);
    this.pool.on('connect', (client) => {
      client.on('error', onError);
      const closed = new Promise<void>((resolve) => client.once('end', resolve));
      this.#open.add(closed);
      void closed.then(() => this.#open.delete(closed));
    });
  }

  /** From now on work of a customer is done as the role that sees that customer's rows alone. For `setUpRowSecurity`. */
  keepToCustomers(): void {
    this.#hasRowSecurity = true;
  }

  many<Row>(query: Sql<Row>): Promise<Row[]> {
    return this.#withClient(async (client) => (await this.#run<Row>(client, query)).rows);
  }

  maybeOne<Row>(query: Sql<Row>): Promise<Row | undefined> {
    return this.#withClient(async (client) => atMostOne((await this.#run<Row>(client, query)).rows));
  }

  one<Row>(query: Sql<Row>): Promise<Row> {
    return this.#withClient(async (client) => exactlyOne((await this.#run<Row>(client, query)).rows));
  }

  /** One statement that is its own transaction. @returns the number of rows changed */
  execute(query: Sql): Promise<number> {
    return this.#withClient(async (client) => (await this.#run(client, query)).rowCount ?? 0);
  }

  /**
   * Runs `work` in one transaction; commits when it returns, rolls back when it throws. It begins with its first statement, in one message
   * with it.
   * @throws {DatabaseUnavailable} when the database does not answer; whether the commit happened is then unknown
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#withClient(async (client) => {
      const { isolation = 'read committed', readOnly = false } = options;
      // Another kind of transaction than most is not prepared.
      const beginsItself = isolation === 'read committed' && !readOnly;
      if (!beginsItself)
        await client.query(`begin isolation level ${isolation}${readOnly ? ' read only' : ''}`);
      const open = new OpenTransaction(client, this.#customer(), beginsItself);
      try {
        const result = await work(open.calls as Tx);
        if (open.end()) await client.query('commit');
        return result;
      } catch (error) {
        if (!open.end()) throw error;
        // A connection that cannot even roll back would hand its half transaction to the next user.
        const isRolledBack = await client.query('rollback').then(
          () => true,
          () => false,
        );
        throw isRolledBack ? error : toldOf(error, CUT);
      }
    });
  }

  /** Lends a connection for COPY and cursors; it is destroyed when `work` throws. */
  withConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const customer = this.#customer();
    if (customer === undefined) return this.#withClient(work, true);
    return this.#withClient(async (client) => {
      await client.query(roleFor(customer, 'changed'));
      const result = await work(client);
      await client.query(roleFor(undefined, 'changed'));
      return result;
    }, true);
  }

  /**
   * Gives all connections back, those in use when they are free. Resolves when the server has closed them: one that
   * ends before would cut them off, and say so.
   */
  async end(): Promise<void> {
    await this.pool.end();
    await Promise.race([Promise.all(this.#open), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }

  #customer(): ActsFor {
    return this.#hasRowSecurity ? currentCustomer() : undefined;
  }

  /** A statement that is its own transaction. */
  #run<Row>(client: pg.PoolClient, query: Sql<Row>): Promise<Answer<Row>> {
    const customer = this.#customer();
    const role = customer === undefined || isAsOwner(query) ? [] : [actingFor(customer)];
    const isWalk = isInIndexOrder(query);
    const compiled = compile(query, isWalk || undefined);
    return ask(client, { compiled, ahead: isWalk ? [...role, IN_INDEX_ORDER] : role });
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>, destroyOnError = false): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw toldOf(error, 'no connection to the database');
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A connection that timed out may still be busy with the old statement: never hand it on.
      const told = toldOf(error);
      client.release(told instanceof DatabaseUnavailable || destroyOnError);
      throw told;
    }
  }
}

/** A transaction on a connection that has begun one. For COPY loaders. */
export const transactionOn = (client: pg.PoolClient): Tx =>
  new OpenTransaction(client, undefined, false).calls as Tx;
