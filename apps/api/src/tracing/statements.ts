import pg from 'pg';
import { tableClasses } from '../db/table-classes.ts';
import { currentTracer, kindOf } from './spans.ts';

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

/** Runs a statement; as a span where it belongs to traced work. What runs between, such as the queue's look for jobs, is not told. */
export async function tracedStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  const tracer = currentTracer();
  if (tracer === undefined || !tracer.isWithin()) return run();
  const { operation, table } = statementName(text);
  const span = tracer.begin('client', table === undefined ? operation : `${operation} ${table}`, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
  });
  try {
    return await run();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code !== undefined)
      span.tell({ 'db.response.status_code': error.code });
    span.fail(kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}
