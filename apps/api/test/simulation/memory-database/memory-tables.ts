import type { Catalogue } from './catalogue.ts';
import { compileExpression } from './compile-expression.ts';
import { compileSelect } from './compile-select.ts';
import { readType } from './parse-expression.ts';
import { parseExpression } from './parse-statement.ts';
import { Reader } from './reader.ts';
import { type Compiler, type KnownTable, type Run, Scope } from './scope.ts';
import { type Check, keyIn, refusal, Table, type UniqueKey } from './table.ts';
import { coerce, keyOf, type Row, type Value } from './values.ts';

const nothing = (): Run => ({ rows: [], places: [], params: [], undo: [], atEnd: [], results: [] });

/** Makes empty tables with the keys, checks, defaults and references that the catalogue has. */
export function makeTables(catalogue: Catalogue): Map<string, KnownTable> {
  const tables = new Map<string, KnownTable>();
  for (const [name, of] of Object.entries(catalogue)) tables.set(name, makeTable(name, of, tables));
  return tables;
}

function makeTable(
  name: string,
  { columns, keys, checks, references }: Catalogue[string],
  tables: ReadonlyMap<string, KnownTable>,
): KnownTable {
  const types = new Map(columns.map((column) => [column.name, readType(new Reader(column.type))]));
  const onRow = (text: string) => compileOnRow(text, types, tables);
  const required = columns.filter(({ isRequired }) => isRequired).map((column) => column.name);
  const allChecks: Check[] = [
    ...required.map((column) => ({
      name: `${column} is required`,
      columns: [column],
      isMet: (row: Row) => row[column] !== null,
    })),
    ...checks.map((check) => {
      const test = onRow(check.expression);
      const used = columnsIn(parseExpression(check.expression));
      return { name: check.name, columns: used, isMet: (row: Row) => test(row) !== false };
    }),
  ];
  const unique: UniqueKey[] = keys.map(({ name: key, columns: of, where }) => {
    const test = where === null ? undefined : onRow(where);
    return { name: key, columns: of, where: test && ((row) => test(row) === true) };
  });
  const table = new Table(name, unique, allChecks);
  const generated = columns
    .filter(({ isGenerated }) => isGenerated)
    .map((column) => ({ name: column.name, value: onRow(column.default ?? 'null') }));
  const defaults = columns.flatMap((column) => {
    const isOwn = !column.isGenerated && column.default !== null;
    return isOwn ? [{ name: column.name, value: lazily(() => onRow(column.default ?? '')) }] : [];
  });
  const empty = Object.fromEntries(columns.map((column) => [column.name, null]));
  const fitting = (column: string, value: Value) => {
    const type = types.get(column);
    return type === undefined || value === null ? value : coerce(type, value);
  };
  const regenerate = (row: Record<string, Value>): Row => {
    for (const column of generated) row[column.name] = fitting(column.name, column.value(row));
    return row;
  };
  return {
    table,
    types,
    regenerate,
    complete(given) {
      const row: Record<string, Value> = { ...empty };
      for (const column of defaults) {
        if (!(column.name in given)) row[column.name] = fitting(column.name, column.value(row));
      }
      return regenerate(Object.assign(row, given));
    },
    checkReferences(row, before) {
      for (const reference of references) {
        const isMoved = before === undefined || reference.columns.some((one) => before[one] !== row[one]);
        const key = isMoved ? keyIn(reference.columns, row) : undefined;
        const target = tables.get(reference.table)?.table;
        if (key === undefined || target === undefined) continue;
        const [found] = target.indexOn(reference.target).at(key) ?? [];
        if (found === undefined)
          throw refusal(
            '23503',
            reference.name,
            `"${name}" violates foreign key "${reference.name}": ${keyOf(key)}`,
          );
      }
    },
  };
}

/** The columns an expression names. */
function columnsIn(part: unknown): string[] {
  if (part === null || typeof part !== 'object') return [];
  const { is, name } = part as { is?: unknown; name?: unknown };
  return is === 'column' ? [String(name)] : Object.values(part).flatMap(columnsIn);
}

/** Made at its first use: not every default is one that is known here. */
function lazily(make: () => (row: Row) => Value): (row: Row) => Value {
  let made: ((row: Row) => Value) | undefined;
  return (row) => {
    made ??= make();
    return made(row);
  };
}

/** An expression over one row of a table, as checks and defaults are. */
function compileOnRow(
  text: string,
  types: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, KnownTable>,
): (row: Row) => Value {
  const compiler: Compiler = {
    newSlot: () => 1,
    compileQuery: (query, scope) => compileSelect(query, compiler, tables, scope),
  };
  const scope = new Scope(compiler);
  scope.items.push({ alias: '', slot: 0, columns: types });
  const { evaluate } = compileExpression(parseExpression(text), scope);
  const run = nothing();
  return (row) => {
    run.rows[0] = row;
    return evaluate(run);
  };
}
