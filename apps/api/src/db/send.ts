import pg from 'pg';
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

/** What the driver's query has beside its documented face (pg 8, lib/query.js). */
interface WireQuery extends pg.Submittable {
  name: string | undefined;
  queryMode: 'extended' | undefined;
  callback: (error: Error | null | undefined, result: unknown) => void;
  submit(connection: pg.Connection): unknown;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  bind(of: Ahead): void;
  execute(of: { portal: string }): void;
}

/** Runs a statement. @param ahead run before it, in the same message: see {@link sendAhead} */
export function send<Row>(
  client: pg.ClientBase,
  { text, values, name }: Compiled,
  ahead: readonly Ahead[],
): Promise<Answer<Row>> {
  // Not from an object: the driver would copy that, property by property.
  const query = new pg.Query(text, values) as unknown as WireQuery;
  query.name = name;
  if (ahead.length > 0) sendAhead(query, ahead);
  return new Promise<Answer<Row>>((resolve, reject) => {
    query.callback = (error, result) =>
      error === null || error === undefined ? resolve(result as Answer<Row>) : reject(error);
    client.query(query);
  }).catch((error: unknown) => {
    // It was made where the answer was read, which nobody wants to know.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  });
}

/**
 * Has statements run before a query, which costs no round trip more. Where no transaction is open all of them are one; after one that fails
 * PostgreSQL runs none of the rest.
 */
function sendAhead(query: WireQuery, ahead: readonly Ahead[]): void {
  const { submit, handleDataRow, handleCommandComplete } = query;
  let left = ahead.length;
  query.queryMode = 'extended';
  query.submit = (connection) => {
    const wire = connection as unknown as WireConnection;
    wire.stream.cork();
    try {
      for (const one of ahead) {
        wire.bind(one);
        wire.execute({ portal: '' });
      }
      return submit.call(query, connection);
    } finally {
      wire.stream.uncork();
    }
  };
  // The answers of what was sent ahead come first: rows and their end.
  query.handleDataRow = (message) => {
    if (left === 0) handleDataRow.call(query, message);
  };
  query.handleCommandComplete = (message, connection) => {
    if (left === 0) handleCommandComplete.call(query, message, connection);
    else left -= 1;
  };
}
