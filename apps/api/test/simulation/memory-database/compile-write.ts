import { compileExpression } from './compile-expression.ts';
import {
  answerOf,
  compileColumns,
  compileFrom,
  fitted,
  rowOf,
  type Tables,
  tableNamed,
} from './compile-select.ts';
import { planJoins } from './joins.ts';
import { conditionOf, partsOf } from './lookups.ts';
import type { Output } from './ordering.ts';
import { type Compiler, type KnownTable, type Ready, type Run, Scope } from './scope.ts';
import type { Assignment, Delete, Insert, Update } from './syntax.ts';
import type { Place } from './table.ts';
import type { Row, Value } from './values.ts';

/** A statement that changes rows, ready to run. */
export interface ReadyWrite {
  readonly columns: ReadonlyMap<string, string | undefined>;
  /** @returns the number of rows changed, and what `returning` asks for */
  run(run: Run): { count: number; rows: Row[] };
}

const columnsOf = (outputs: readonly Output[]) =>
  new Map(outputs.map(({ name, ready }) => [name, ready.type]));

type Set_ = readonly { readonly column: string; readonly type: string | undefined; readonly ready: Ready }[];

const compileSet = (set: readonly Assignment[], { types }: KnownTable, scope: Scope): Set_ =>
  set.map(({ column, expr }) => ({ column, type: types.get(column), ready: compileExpression(expr, scope) }));

/** The row with what is assigned; all is read before anything is written. */
function changed(known: KnownTable, before: Row, set: Set_, run: Run): Row {
  const after: Record<string, Value> = { ...before };
  const values = set.map(({ type, ready }) => fitted(type, ready.evaluate(run)));
  for (const [n, { column }] of set.entries()) after[column] = values[n];
  return known.regenerate(after);
}

export function compileInsert(insert: Insert, compiler: Compiler, tables: Tables, outer: Scope): ReadyWrite {
  const known = tableNamed(tables, insert.table);
  const { table, types } = known;
  const inside = new Scope(compiler, outer);
  const [slot, excluded] = [compiler.newSlot(), compiler.newSlot()];
  const givenRows = rowsGiven(insert, compiler, inside, types);
  const own = new Scope(compiler, outer);
  own.items.push({ alias: insert.alias, slot, columns: types });
  const outputs = compileColumns(insert.returning, own);
  const answer = answerOf(outputs);
  const onConflict = new Scope(compiler, outer);
  // A column by its bare name is that of the row that is there.
  onConflict.items.push({ alias: insert.alias, slot, columns: types });
  const { conflict } = insert;
  const conflictScope = new Scope(compiler, onConflict);
  conflictScope.items.push({ alias: 'excluded', slot: excluded, columns: prefixed(types) });
  const set = compileSet((conflict?.set ?? []).map(unprefixed), known, conflictScope);
  const where =
    conflict?.where === undefined
      ? undefined
      : compileExpression(throughPrefix(conflict.where), conflictScope);
  return {
    columns: columnsOf(outputs),
    run(run) {
      const rows: Row[] = [];
      let count = 0;
      const tell = (place: Place) => {
        count += 1;
        run.rows[slot] = place.row;
        if (outputs.length > 0) rows.push(answer(run));
      };
      for (const given of givenRows(run)) {
        const row = known.complete(given);
        const taken = conflict === undefined ? undefined : table.conflicting(row, conflict.columns);
        if (taken === undefined) {
          run.atEnd.push(() => known.checkReferences(row, undefined));
          tell(table.insert(row, run.undo));
          continue;
        }
        if (conflict?.set === undefined) continue;
        run.rows[slot] = taken.row;
        run.rows[excluded] = Object.fromEntries(
          Object.entries(row).map(([name, value]) => [MARK + name, value]),
        );
        if (where !== undefined && where.evaluate(run) !== true) continue;
        table.update(taken, changed(known, taken.row, set, run), run.undo);
        tell(taken);
      }
      return { count, rows };
    },
  };
}

/** Columns of `excluded` go by names of their own, so that a bare name is never ambiguous. */
const MARK = 'excluded ';
const prefixed = (types: ReadonlyMap<string, string>) =>
  new Map([...types].map(([name, type]) => [MARK + name, type]));
const unprefixed = ({ column, expr }: Assignment): Assignment => ({ column, expr: throughPrefix(expr) });

function throughPrefix<T>(part: T): T {
  if (Array.isArray(part)) return part.map(throughPrefix) as T;
  if (part === null || typeof part !== 'object') return part;
  const node = part as { is?: string; table?: string; name?: string };
  if (node.is === 'column' && node.table === 'excluded') return { ...node, name: MARK + node.name } as T;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, throughPrefix(value)])) as T;
}

function rowsGiven(
  { columns, values, query }: Insert,
  compiler: Compiler,
  scope: Scope,
  types: ReadonlyMap<string, string>,
): (run: Run) => Record<string, Value>[] {
  for (const column of columns) {
    if (!types.has(column)) throw new ReferenceError(`there is no column ${column}`);
  }
  const named = (of: readonly Value[]) => {
    const row: Record<string, Value> = {};
    for (const [n, column] of columns.entries()) {
      if (of[n] !== undefined) row[column] = fitted(types.get(column), of[n]);
    }
    return row;
  };
  if (query !== undefined) {
    const ready = compiler.compileQuery(query, scope);
    return (run) => {
      const rows: Record<string, Value>[] = [];
      ready.run(run, (row) => {
        rows.push(named(Object.values(row)));
        return false;
      });
      return rows;
    };
  }
  const given = (values ?? []).map((row) =>
    row.map((expr) => (expr === undefined ? undefined : compileExpression(expr, scope))),
  );
  return (run) => given.map((row) => named(row.map((ready) => ready?.evaluate(run))));
}

export function compileUpdate(update: Update, compiler: Compiler, tables: Tables, outer: Scope): ReadyWrite {
  const known = tableNamed(tables, update.table);
  const { slot, scope, find } = compileTarget(update, compiler, tables, outer);
  const set = compileSet(update.set, known, scope);
  const outputs = compileColumns(update.returning, scope);
  const answer = answerOf(outputs);
  return {
    columns: columnsOf(outputs),
    run(run) {
      const rows: Row[] = [];
      // What every row becomes is read from what was there before the statement.
      const found = find(run, () => changed(known, run.rows[slot] ?? {}, set, run));
      for (const { place, result, around } of found) {
        const before = place.row;
        run.atEnd.push(() => known.checkReferences(result, before));
        known.table.update(place, result, run.undo);
        if (outputs.length === 0) continue;
        for (const [n, row] of around.entries()) run.rows[n] = row;
        run.rows[slot] = result;
        rows.push(answer(run));
      }
      return { count: found.length, rows };
    },
  };
}

export function compileDelete(
  statement: Delete,
  compiler: Compiler,
  tables: Tables,
  outer: Scope,
): ReadyWrite {
  const { table } = tableNamed(tables, statement.table);
  const { scope, find } = compileTarget(statement, compiler, tables, outer);
  const outputs = compileColumns(statement.returning, scope);
  return {
    columns: columnsOf(outputs),
    run(run) {
      const found = find(run, () => rowOf(outputs, run));
      for (const { place } of found) table.delete(place, run.undo);
      return { count: found.length, rows: outputs.length === 0 ? [] : found.map(({ result }) => result) };
    },
  };
}

interface Found {
  readonly place: Place;
  readonly result: Row;
  /** The rows of all items as they stood when it was found. */
  readonly around: readonly (Row | null)[];
}

/** The rows a statement is about, each once, with what `make` says of it. */
function compileTarget(
  { table, alias, from, where }: Update | Delete,
  compiler: Compiler,
  tables: Tables,
  outer: Scope,
): { slot: number; scope: Scope; find: (run: Run, make: () => Row) => Found[] } {
  const scope = new Scope(compiler, outer);
  const target = { join: 'inner', source: { is: 'table', name: table }, alias } as const;
  const joined = compileFrom([{ ...target, columns: [], on: undefined, using: [] }, ...from], scope, tables);
  const slot = joined[0]?.slot ?? -1;
  const walk = planJoins(joined, [
    ...partsOf(where).map((part) => conditionOf(part, scope)),
    ...joined.flatMap(({ join, on }) => (join === 'inner' ? on : [])),
  ]);
  const find = (run: Run, make: () => Row) => {
    const seen = new Map<Place, Found>();
    walk(run, () => {
      const place = run.places[slot];
      if (place !== undefined && !seen.has(place))
        seen.set(place, { place, result: make(), around: from.length === 0 ? [] : [...run.rows] });
      return false;
    });
    return [...seen.values()];
  };
  return { slot, scope, find };
}
