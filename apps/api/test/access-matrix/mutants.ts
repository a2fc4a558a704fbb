import pg from 'pg';
import { tableClasses } from '../../src/db/table-classes.ts';
import type { Operation } from '../../src/http/answers/openapi-document.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import { fireActors, fireForeignIds, readOwn, writeOwn } from './matrix.ts';
import { requestOf, setMatrixStage } from './stage.ts';

/** One owner check of one statement, taken out. */
export interface Mutant {
  readonly text: string;
  /** Where the check begins in it, and what it says. */
  readonly at: number;
  readonly check: string;
  /** The calls that run the statement, as `METHOD /path`. */
  readonly calls: readonly string[];
}

/** Where a statement says which customer's rows it wants. */
const CUSTOMER = /(?<=\b(?:where|and|on)\s+)(?:\w+\.)?customer_id = (?:\$\d+|\w+\.\w+)/g;
/** Where a statement says whose rows it wants. */
const OWNER = /(?<=\b(?:where|and|on)\s+)(?:\w+\.)?(?:customer_id|user_id|reseller_id) = (?:\$\d+|\w+\.\w+)/g;
const GIVEN = /\$\d+$/;
const CUSTOMER_CALLS_FOR_SESSIONS = 3;

const callOf = ({ method, path }: Operation): string => `${method} ${path}`;

/**
 * Every owner check that the caller's own requests run into: each `… = $n`, and in the proof of the session each join.
 */
export async function mutantsOf(fixture: TestFixture): Promise<Mutant[]> {
  const stage = await setMatrixStage(fixture);
  const seen = new Map<string, Set<string>>();
  for (const operation of stage.operations) {
    // After a sign-out the others would run into nothing.
    if (operation.access === 'public' || operation.path.endsWith('/logout')) continue;
    const record = (text: string) => {
      seen.set(text, (seen.get(text) ?? new Set()).add(callOf(operation)));
      return text;
    };
    const request = requestOf(operation, stage.good.get(operation), stage.caller(operation));
    await withStatements(record, () => fixture.app.inject(request));
  }
  return [...seen].flatMap(([text, calls]) =>
    [...text.matchAll(OWNER)]
      .filter(([check]) => GIVEN.test(check) || isSessionProof(text))
      .map((match) => ({ text, at: match.index, check: match[0], calls: [...calls] })),
  );
}

/** What the matrix finds wrong while the check is out; nothing: it would not be missed. */
export async function faultsWith(fixture: TestFixture, mutant: Mutant): Promise<readonly string[]> {
  const whole = await setMatrixStage(fixture);
  const calls = isSessionProof(mutant.text)
    ? whole.operations.filter(({ access }) => access === 'customer').slice(0, CUSTOMER_CALLS_FOR_SESSIONS)
    : whole.operations.filter((operation) => mutant.calls.includes(callOf(operation)));
  const stage = { ...whole, operations: calls };
  const { text, at, check } = mutant;
  const without = `${text.slice(0, at)}(${check} or true)${text.slice(at + check.length)}`;
  return withStatements(
    (one) => (one === text ? without : one),
    async () => {
      if (isSessionProof(text)) return (await fireActors(fixture, stage)).faults;
      return [
        ...(await readOwn(fixture, stage)),
        ...(await fireForeignIds(fixture, stage)).faults,
        ...(await writeOwn(fixture, stage)),
      ];
    },
  );
}

/**
 * Does `work` while no statement says which customer's rows it wants: not even those that join tables by the customer. Left as they are
 * those that name a look-up or reference table which knows a customer, such as the membership of users: the database lets them see all of it.
 * @returns how many different statements were changed
 */
export async function withoutScopes(fixture: TestFixture, work: () => Promise<void>): Promise<number> {
  const { rows } = await fixture.database.pool().query<{ name: string }>(
    `select relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const seenWhole = new Set(
    rows.map(({ name }) => name).filter((name) => tableClasses[name] !== 'distributed'),
  );
  const changed = new Set<string>();
  await withStatements((text) => {
    const tables = [...text.matchAll(/\b(?:from|join|into|update|using)\s+([a-z_]+)/g)].map(
      ([, name = '']) => name,
    );
    if (tables.some((name) => seenWhole.has(name))) return text;
    const without = text.replaceAll(CUSTOMER, (check) => `(${check} or true)`);
    if (without !== text) changed.add(text);
    return without;
  }, work);
  return changed.size;
}

export function nameOfMutant({ text, at, check }: Mutant): string {
  const around = text.replaceAll(/\s+/g, ' ').trim();
  const nth = text.slice(0, at).split(check).length;
  return `${check}${nth > 1 ? ` (${nth})` : ''} in: ${around.slice(0, 160)}`;
}

const isSessionProof = (text: string): boolean =>
  /from user_session\b/.test(text) && /\bmembership\b/.test(text);

/** Runs `work` while every statement is shown on its way to the database, with its values. */
export async function watchStatements<T>(
  see: (text: string, values: unknown[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  return withQuery(
    (original) =>
      function query(first, ...rest) {
        for (const one of statementsOf(first)) {
          const { text = '', values = rest[0] } =
            typeof one === 'string' ? { text: one } : (one as { text?: string; values?: unknown[] });
          see(text, Array.isArray(values) ? values : []);
        }
        return Reflect.apply(original, this, [first, ...rest]);
      },
    work,
  );
}

/** What a call of the driver sends: a message of ours has several of the driver's own queries. */
const statementsOf = (first: unknown): readonly unknown[] =>
  typeof first === 'object' && first !== null && 'queries' in first && Array.isArray(first.queries)
    ? first.queries
    : [first];

type Query = (this: unknown, ...given: readonly unknown[]) => unknown;

/** Runs `work` while every statement is rewritten on its way to the database. */
const withStatements = <T>(rewrite: (text: string) => string, work: () => Promise<T>): Promise<T> =>
  withQuery(
    (original) =>
      function query(first, ...rest) {
        return Reflect.apply(original, this, [rewritten(first, rewrite), ...rest]);
      },
    work,
  );

async function withQuery<T>(replace: (original: Query) => Query, work: () => Promise<T>): Promise<T> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = replace(original);
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

function rewritten(statement: unknown, rewrite: (text: string) => string): unknown {
  if (typeof statement === 'string') return rewrite(statement);
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return statement;
  if ('queries' in statement) {
    for (const query of statementsOf(statement)) rewriteQuery(query as DriverQuery, rewrite);
    return statement;
  }
  const { text } = statement;
  if (typeof text !== 'string') return statement;
  const changed = rewrite(text);
  // A prepared statement keeps the text it was first given: without a name it is read again.
  return changed === text ? statement : { ...statement, text: changed, name: undefined };
}

interface DriverQuery {
  text: string;
  name: string | undefined;
}

function rewriteQuery(query: DriverQuery, rewrite: (text: string) => string): void {
  const changed = rewrite(query.text);
  if (changed !== query.text) Object.assign(query, { text: changed, name: undefined });
}
