import pg from 'pg';
import { tracedStatement } from '../tracing/statements.ts';
import type { Compiled } from './sql.ts';

/** A statement that its connection has prepared, to be run before another one. */
export interface Ahead {
  readonly statement: string;
  readonly values: readonly string[];
}

/** Begins a transaction. */
export const BEGIN: Ahead = { statement: 'counterfoil_begin', values: [] };

/** Makes a new connection know {@link BEGIN}: PostgreSQL prepares it by its protocol alone, which runs it too. */
export const PREPARE_BEGIN = { name: BEGIN.statement, text: 'begin isolation level read committed' };

export interface Answer<Row> {
  rows: Row[];
  rowCount: number | null;
}

/** Where an answer goes. */
export interface Answering {
  readonly resolve: (answer: Answer<never>) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement with what is run before it. */
export interface Statement extends Answering {
  readonly compiled: Compiled;
  readonly ahead: readonly Ahead[];
}

/** What the driver's query has beside its documented face (pg 8, lib/query.js). */
interface WireQuery {
  readonly text: string;
  name: string | undefined;
  queryMode: 'extended' | undefined;
  callback: (error: Error | null | undefined, result: unknown) => void;
  _result: { _types: unknown };
  requiresPreparation(): boolean;
  submit(connection: unknown): unknown;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleEmptyQuery(connection: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
  handleCopyInResponse(connection: unknown): void;
  handleCopyData(message: unknown, connection: unknown): void;
  handleError(error: unknown, connection: unknown): void;
  handleReadyForQuery(connection: unknown): void;
}

/** The same of its connection (lib/connection.js). */
interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  readonly submittedNamedStatements: Record<string, string>;
  bind(of: Ahead): void;
  execute(of: { portal: string }): void;
  sync(): void;
}

/** Runs one statement, with what is run before it. */
export const ask = <Row>(
  client: pg.ClientBase,
  { compiled, ahead }: Omit<Statement, keyof Answering>,
): Promise<Answer<Row>> =>
  answered<Row>(compiled, ({ resolve, reject }) => send(client, [{ compiled, ahead, resolve, reject }]));

/** The answer of a statement that is being sent; part of the trace. */
export const answered = <Row>(
  { text }: Compiled,
  sending: (answering: Answering) => void,
): Promise<Answer<Row>> =>
  tracedStatement(text, () =>
    new Promise<Answer<Row>>((resolve, reject) => sending({ resolve, reject })).catch((error: unknown) => {
      // It was made where the answer was read, which nobody wants to know.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }),
  );

/**
 * Sends statements in one message, each of which is answered by itself. PostgreSQL carries them out one after the other; after one that
 * fails it runs none of the rest, and these fail with it. Where no transaction is open all of them are one.
 * @param onEnd called when all are answered
 */
export function send(client: pg.ClientBase, statements: readonly Statement[], onEnd = () => {}): void {
  client.query(new Message(statements, onEnd) as unknown as pg.Submittable);
}

/** One message to the database, as the driver takes a query. */
class Message {
  /** The driver's queries, each with its own callback. */
  readonly queries: readonly WireQuery[];
  /** Called when all is answered; the driver stops its clock with it. */
  callback: () => void;
  /** Where the driver puts how values are read. */
  readonly _result: WireQuery['_result'] = { _types: undefined };
  readonly #statements: readonly Statement[];
  /** Which statement is being answered. */
  #at = 0;
  /** How many of what runs before it have not been answered yet. */
  #ahead = 0;
  /** The first that has failed, whose values cannot be sent or by the database's word; all those after it fail with it. */
  #failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(statements: readonly Statement[], onEnd: () => void) {
    this.callback = onEnd;
    this.#statements = statements;
    this.#ahead = statements[0]?.ahead.length ?? 0;
    this.queries = statements.map((statement, at) => this.#queryOf(statement, at));
  }

  #queryOf({ compiled: { text, values, name }, resolve, reject }: Statement, at: number): WireQuery {
    // Not from an object: the driver would copy that, property by property.
    const query = new pg.Query(text, values) as unknown as WireQuery;
    query.name = name;
    query.callback = (error, result) => {
      if (error === null || error === undefined) return resolve(result as Answer<never>);
      this.#failure ??= { at, error };
      reject(error);
    };
    return query;
  }

  /** The driver notes by its name that the statement which is being answered has been prepared. */
  get name(): string | undefined {
    return this.#at === this.#failure?.at ? undefined : this.queries[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.#at]?.text;
  }

  submit(connection: WireConnection): unknown {
    const [first] = this.queries;
    if (this.queries.length === 1 && this.#ahead === 0 && first?.requiresPreparation() === false)
      return first.submit(connection);
    const wire = withoutSync(connection);
    wire.stream.cork();
    try {
      for (const [at, query] of this.queries.entries()) {
        for (const one of this.#statements[at]?.ahead ?? []) {
          wire.bind(one);
          wire.execute({ portal: '' });
        }
        query.queryMode = 'extended';
        query._result._types = this._result._types;
        query.submit(wire);
        if (this.#failure !== undefined) break;
      }
      // What stands before one whose values cannot be sent is answered.
      if (this.#failure !== undefined) this.#failFrom(this.#failure.at, this.#failure.error, connection);
      connection.sync();
      return null;
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.#at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    if (this.#ahead === 0) this.queries[this.#at]?.handleDataRow(message);
  }

  handleEmptyQuery(connection: WireConnection): void {
    this.queries[this.#at]?.handleEmptyQuery(connection);
    this.#next();
  }

  handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#ahead > 0) {
      this.#ahead -= 1;
      return;
    }
    this.queries[this.#at]?.handleCommandComplete(message, connection);
    this.#next();
  }

  #next(): void {
    // The last one may be several statements in one text.
    if (this.#at === this.queries.length - 1) return;
    this.#at += 1;
    this.#ahead = this.#statements[this.#at]?.ahead.length ?? 0;
  }

  handleCopyInResponse(connection: WireConnection): void {
    this.queries[this.#at]?.handleCopyInResponse(connection);
  }

  handleCopyData(message: unknown, connection: WireConnection): void {
    this.queries[this.#at]?.handleCopyData(message, connection);
  }

  handleError(error: unknown, connection: WireConnection): void {
    for (const query of this.queries.slice(0, this.#at)) query.handleReadyForQuery(connection);
    this.#failFrom(this.#at, error, connection);
    this.callback();
  }

  #failFrom(at: number, error: unknown, connection: WireConnection): void {
    for (const query of this.queries.slice(at)) {
      // The database has not read it.
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name];
      query.handleError(error, connection);
    }
  }

  handleReadyForQuery(connection: WireConnection): void {
    const until = this.#failure?.at ?? this.queries.length;
    for (let at = 0; at < until; at += 1) this.queries[at]?.handleReadyForQuery(connection);
    this.callback();
  }
}

const unsynced = new WeakMap<WireConnection, WireConnection>();

/** A connection on which the driver's query ends no message. */
function withoutSync(connection: WireConnection): WireConnection {
  const known = unsynced.get(connection);
  if (known !== undefined) return known;
  const wire = Object.create(connection, { sync: { value: () => {} } }) as WireConnection;
  unsynced.set(connection, wire);
  return wire;
}
