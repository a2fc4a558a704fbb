import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

export { sql };

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

const plannedOnce = new WeakSet<Sql>();

/**
 * As `sql`, for a statement whose plan is the same for all values, such as a look-up by a unique key: each connection
 * reads and plans it once. For what every sign-in or every request asks, where planning costs more than the answer.
 */
export const sqlOnce: typeof sql = Object.assign(
  <Row>(parts: TemplateStringsArray, ...values: unknown[]): Sql<Row> => {
    const query = sql<Row>(parts, ...values);
    plannedOnce.add(query);
    return query;
  },
  sql,
);

/** What stands before a statement that writes more than one table at once; nothing where there are no parts. */
export const withParts = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? sql`` : sql`with ${parts.reduce((all, part) => sql`${all}, ${part}`)}`;

/** Element type of {@link listOf}. */
export type ListType = 'uuid' | 'text' | 'bigint' | 'integer' | 'numeric' | 'timestamptz';

/**
 * A list as one value, for `sqlOnce`: the planner does not see its length. Of a list that it sees it makes a plan for
 * each call, since the plan for one element always looks cheaper than the one for any number.
 */
export const listOf = (values: readonly (string | number | null)[], type: ListType): Sql =>
  sql`(select ${values}::${sql.raw(type)}[])`;

/** A statement as the driver takes it. */
export interface Compiled {
  readonly text: string;
  readonly values: unknown[];
  /** Of a statement that is planned once. */
  readonly name?: string;
}

/** @param isPlannedOnce as a statement of `sqlOnce` is */
export function compile(query: Sql, isPlannedOnce = plannedOnce.has(query)): Compiled {
  const { sql: text, parameters } = query.compile(compiler);
  const values = [...parameters];
  return isPlannedOnce ? { text, values, name: nameOf(text) } : { text, values };
}

/** Names by text: one and the same text is one and the same statement. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `counterfoil_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/**
 * A time and an interval later. A time with its zone and an interval are added by the time zone of the session, and Citus takes no such
 * sum of columns into an update: this one is made in UTC, where it is the same for everybody.
 */
export const later = (time: Sql, interval: Sql): Sql =>
  sql`((${time} at time zone 'UTC') + ${interval}) at time zone 'UTC'`;
