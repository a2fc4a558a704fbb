import { compileExpression } from './compile-expression.ts';
import { aggregate, distinct } from './functions.ts';
import { type Joined, planJoins, type Walk } from './joins.ts';
import { type Condition, conditionOf, partsOf } from './lookups.ts';
import { compareBy, compileOrder, nameOfOutput, type Output } from './ordering.ts';
import {
  type Compiler,
  type KnownTable,
  type Ready,
  type ReadyQuery,
  type Run,
  Scope,
  type ScopeItem,
} from './scope.ts';
import type { Column, Expr, FromItem, Select } from './syntax.ts';
import { coerce, keyOf, type Row, type Value } from './values.ts';

export type Tables = ReadonlyMap<string, KnownTable>;

export const tableNamed = (tables: Tables, name: string): KnownTable => {
  const found = tables.get(name);
  if (found === undefined) throw new ReferenceError(`the table ${name} is not known here`);
  return found;
};

/** Puts the items of a `from` into the scope. @returns them ready to be joined, and the slots they read from outside */
export function compileFrom(from: readonly FromItem[], scope: Scope, tables: Tables): Joined[] {
  return from.map((item) => {
    const slot = scope.compiler.newSlot();
    const { columns, ...source } = sourceOf(item, scope, tables);
    const named: ScopeItem = { alias: item.alias, slot, columns };
    scope.items.push(named);
    const on: Condition[] = partsOf(item.on ?? usingOf(item, scope)).map((part) => conditionOf(part, scope));
    return { slot, join: item.join, on, ...source };
  });
}

/** `using (a, b)` said as `on`. */
function usingOf({ using, alias }: FromItem, scope: Scope): Expr | undefined {
  const before = scope.items.at(-2)?.alias;
  return using.reduce<Expr | undefined>((left, name) => {
    const right: Expr = {
      is: 'binary',
      op: '=',
      left: { is: 'column', table: before, name },
      right: { is: 'column', table: alias, name },
    };
    return left === undefined ? right : { is: 'and', left, right };
  }, undefined);
}

function sourceOf(
  { source, columns: names }: FromItem,
  scope: Scope,
  tables: Tables,
): Pick<Joined, 'table' | 'rows' | 'slots'> & { columns: ScopeItem['columns'] } {
  if (source.is === 'table') {
    const cte = scope.findCte(source.name);
    if (cte !== undefined) {
      const rows = (run: Run) => run.results[cte.slot] ?? [];
      return { table: undefined, rows, slots: new Set(), columns: cte.columns };
    }
    const { table, types } = tableNamed(tables, source.name);
    return { table, rows: undefined, slots: new Set(), columns: types };
  }
  if (source.is === 'query') {
    const query = scope.compiler.compileQuery(source.query, scope);
    const given = [...query.columns];
    const columns = new Map(given.map(([name, type], n) => [names[n] ?? name, type]));
    const rows = (run: Run) => {
      const found: Row[] = [];
      query.run(run, (row) => {
        found.push(names.length === 0 ? row : renamed(row, [...columns.keys()]));
        return false;
      });
      return found;
    };
    return { table: undefined, rows, slots: query.slots, columns };
  }
  const args = source.args.map((arg) => compileExpression(arg, scope));
  const all = [
    ...args.map(({ type }) => type?.replace('[]', '')),
    ...(source.withOrdinality ? ['bigint'] : []),
  ];
  const columns = new Map(all.map((type, n) => [names[n] ?? (n === 0 ? 'unnest' : `c${n}`), type]));
  const keys = [...columns.keys()];
  const rows = (run: Run) => {
    const arrays = args.map(({ evaluate }) => (evaluate(run) ?? []) as readonly Value[]);
    const length = Math.max(...arrays.map((array) => array.length));
    return Array.from({ length }, (_, n) => {
      const values = [...arrays.map((array) => array[n] ?? null), BigInt(n + 1)];
      return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
    });
  };
  return { table: undefined, rows, slots: new Set(args.flatMap(({ slots }) => [...slots])), columns };
}

const renamed = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.values(row).map((value, n) => [names[n], value]));

/** `*` and `alias.*` said in full. */
export function compileColumns(columns: readonly Column[], scope: Scope): Output[] {
  const all = columns.flatMap(({ expr, name }) => {
    if (expr !== undefined) {
      const own = scope.ownColumn(expr);
      const slot = own?.name === name ? own.slot : undefined;
      return [{ name, ready: compileExpression(expr, scope), slot }];
    }
    const items = scope.items.filter(({ alias }) => name === '*' || alias === name);
    return items.flatMap(({ alias, slot, columns: of }) =>
      [...of.keys()].map((column) => ({
        name: column,
        slot,
        ready: compileExpression({ is: 'column', table: alias, name: column }, scope),
      })),
    );
  });
  // Columns without a name of their own are still columns, each in its place.
  return all.map((one, n) =>
    all.findIndex(({ name }) => name === one.name) === n ? one : { ...one, name: `${one.name} ${n}` },
  );
}

export const rowOf = (outputs: readonly Output[], run: Run): Row => {
  const row: Record<string, Value> = {};
  for (const { name, ready } of outputs) row[name] = ready.evaluate(run);
  return row;
};

const MANY = 8;

/**
 * What a statement answers for a row. Many columns of one item are answered as its row, with columns nobody asked for:
 * callers read by name.
 */
export function answerOf(outputs: readonly Output[]): (run: Run) => Row {
  const slot = outputs[0]?.slot;
  const isOneRow = outputs.length >= MANY && slot !== undefined && outputs.every((one) => one.slot === slot);
  if (!isOneRow) return (run) => rowOf(outputs, run);
  return (run) => run.rows[slot] ?? rowOf(outputs, run);
}

/** Makes a query ready; `with` parts are the statement's business. */
export function compileSelect(
  select: Select,
  compiler: Compiler,
  tables: Tables,
  outer?: Scope,
  isAnswer = false,
): ReadyQuery {
  const scope = new Scope(compiler, outer);
  const joined = compileFrom(select.from, scope, tables);
  const conditions = partsOf(select.where).map((part) => conditionOf(part, scope));
  const walk = planJoins(joined, [
    ...conditions,
    ...joined.flatMap(({ join, on }) => (join === 'inner' ? on : [])),
  ]);
  const groupBySlot = compiler.newSlot();
  const found: NonNullable<Scope['aggregates']>['found'] = [];
  scope.aggregates = { slot: groupBySlot, found };
  const outputs = compileColumns(select.columns, scope);
  const make = isAnswer ? answerOf(outputs) : (run: Run) => rowOf(outputs, run);
  const having = select.having === undefined ? undefined : compileExpression(select.having, scope);
  const sorts = compileOrder(select.orderBy, outputs, scope);
  const groupBy = select.groupBy.map((by) => {
    const name = nameOfOutput(by, outputs);
    const output = by.is === 'value' ? outputs.find((one) => one.name === name) : undefined;
    return output?.ready ?? compileExpression(by, scope);
  });
  const limit = select.limit === undefined ? undefined : compileExpression(select.limit, scope);
  const united =
    select.union === undefined ? undefined : compileSelect(select.union.query, compiler, tables, outer);
  const isGrouped = found.length > 0 || groupBy.length > 0;
  const each = isGrouped ? grouped(walk, { groupBy, found, slot: groupBySlot, having }) : walk;
  const columns = new Map(outputs.map(({ name, ready }) => [name, ready.type]));
  const slots = new Set<number>([
    ...outputs.flatMap(({ ready }) => [...ready.slots]),
    ...[...conditions, ...joined.flatMap(({ on }) => on)].flatMap(({ ready }) => [...ready.slots]),
    ...joined.flatMap((item) => [...item.slots]),
    ...found.flatMap(({ args }) => args.flatMap((arg) => [...arg.slots])),
    ...sorts.flatMap(({ ready }) => [...(ready?.slots ?? [])]),
    ...(united?.slots ?? []),
  ]);
  const isPlain = sorts.length === 0 && limit === undefined && !select.isDistinct && united === undefined;
  return {
    columns,
    slots,
    run(run, emit) {
      if (isPlain) {
        each(run, () => emit(make(run)));
        return;
      }
      let rows: { row: Row; keys: Value[] }[] = [];
      each(run, () => {
        const row = make(run);
        const keys = sorts.map(({ ready, column }) =>
          ready === undefined ? (row[column ?? ''] ?? null) : ready.evaluate(run),
        );
        rows.push({ row, keys });
        return false;
      });
      united?.run(run, (row) => {
        const named = renamed(row, [...columns.keys()]);
        rows.push({ row: named, keys: sorts.map(({ column }) => named[column ?? ''] ?? null) });
        return false;
      });
      if (select.isDistinct || select.union?.all === false) {
        const kept = new Set(distinct(rows.map(({ row }) => row)));
        rows = rows.filter(({ row }) => kept.has(row));
      }
      if (sorts.length > 0) rows.sort(compareBy(sorts));
      const most = limit === undefined ? rows.length : Number(limit.evaluate(run));
      for (const { row } of rows.slice(0, most)) if (emit(row)) return;
    },
  };
}

interface Grouping {
  readonly groupBy: readonly Ready[];
  readonly found: NonNullable<Scope['aggregates']>['found'];
  readonly slot: number;
  readonly having: Ready | undefined;
}

/** Walks over groups instead of rows: each stands where its first row stood, with what it comes to beside it. */
function grouped(walk: Walk, { groupBy, found, slot, having }: Grouping): Walk {
  return (run, emit) => {
    const groups = new Map<string, { rows: (Row | null)[]; values: { value: Value; keys: Value[] }[][] }>();
    const group = (key: string) => {
      const known = groups.get(key) ?? { rows: [...run.rows], values: found.map(() => []) };
      groups.set(key, known);
      return known;
    };
    walk(run, () => {
      const { values } = group(groupBy.map(({ evaluate }) => keyOf(evaluate(run))).join('\u0000'));
      for (const [n, { args, orderBy }] of found.entries()) {
        const keys = orderBy.map(({ by }) => by.evaluate(run));
        values[n]?.push({ value: args[0]?.evaluate(run) ?? null, keys });
      }
      return false;
    });
    if (groups.size === 0 && groupBy.length === 0) group('');
    const before = [...run.rows];
    for (const { rows, values } of groups.values()) {
      for (const [n, row] of rows.entries()) run.rows[n] = row;
      const come: Record<string, Value> = {};
      for (const [n, one] of found.entries()) {
        const sorts = one.orderBy.map(({ isDescending }) => ({
          ready: undefined,
          column: undefined,
          sign: isDescending ? -1 : 1,
          nullsFirst: isDescending,
        }));
        const sorted = sorts.length === 0 ? (values[n] ?? []) : (values[n] ?? []).toSorted(compareBy(sorts));
        come[n] = aggregate(
          one,
          sorted.map(({ value }) => value),
        );
      }
      run.rows[slot] = come;
      if (having !== undefined && having.evaluate(run) !== true) continue;
      if (emit()) return true;
    }
    for (const [n, row] of before.entries()) run.rows[n] = row;
    return false;
  };
}

/** A value as a column of this type takes it. */
export const fitted = (type: string | undefined, value: Value): Value =>
  type === undefined || value === null ? value : coerce(type, value);
