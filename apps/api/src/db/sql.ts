import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';

export { sql } from 'kysely';

/** A composed statement: text with parameters kept apart, so that no value is ever part of the text. */
export type Sql<Row = unknown> = RawBuilder<Row>;

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Text and parameters of a statement, as the driver takes them. */
export function compile(query: Sql): { text: string; values: unknown[] } {
  const compiled = query.compile(compiler);
  return { text: compiled.sql, values: [...compiled.parameters] };
}
