import pg from 'pg';
import { tableClasses } from '../db/table-classes.ts';
import { currentTracer, kindOf, type OpenSpan, watched } from './spans.ts';

/** What a statement is called: what it does, and to which table. */
interface StatementName {
  readonly operation: string;
  readonly table: string | undefined;
}

const MOST_NAMES = 2_000;
const names = new Map<string, StatementName>();

/** @returns the name of a statement's text; texts hold no values, and of their words only names of tables are told */
export function statementName(text: string): StatementName {
  const known = names.get(text);
  if (known !== undefined) return known;
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT';
  const words = text.matchAll(/\b(?:from|into|update)\s+([a-z_]+)/gi);
  const table = [...words].map(([, word = '']) => word).find((word) => word in tableClasses);
  const name = { operation, table };
  if (names.size >= MOST_NAMES) names.clear();
  names.set(text, name);
  return name;
}

/** The span of a statement that belongs to traced work. What runs between, such as the queue's look for jobs, is not told. */
function beginStatement(text: string): OpenSpan | undefined {
  const tracer = currentTracer();
  if (tracer === undefined || !tracer.isWithin()) return undefined;
  const { operation, table } = statementName(text);
  return tracer.begin('client', table === undefined ? operation : `${operation} ${table}`, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
  });
}

function failStatement(span: OpenSpan, error: unknown): void {
  if (error instanceof pg.DatabaseError && error.code !== undefined)
    span.tell({ 'db.response.status_code': error.code });
  span.fail(kindOf(error));
}

/** Runs a statement; as a span where it belongs to traced work. */
export async function tracedStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  const span = beginStatement(text);
  if (span === undefined) return run();
  try {
    return await run();
  } catch (error) {
    failStatement(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Gives the rows of a statement that are read as they are wanted; one span, until the last was taken or nobody wants more. */
export function tracedRows<Row>(text: string, rows: () => AsyncIterable<Row>): AsyncIterable<Row> {
  const span = beginStatement(text);
  return span === undefined ? rows() : watched(span, rows(), failStatement);
}
