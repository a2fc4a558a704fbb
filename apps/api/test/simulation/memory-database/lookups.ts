import { alike, as, compileExpression } from './compile-expression.ts';
import type { Ready, ReadyQuery, Run, Scope } from './scope.ts';
import type { Expr } from './syntax.ts';
import { keyOf, type Value } from './values.ts';

/** A condition, and how it could find rows by an index instead of trying them. */
export interface Condition {
  readonly ready: Ready;
  /** `column = value`, either way round. */
  readonly equals: readonly Equal[];
  /** `columns in (values)` */
  readonly oneOf: OneOf | undefined;
}

export interface Equal {
  readonly slot: number;
  readonly column: string;
  readonly value: Ready;
  /** It leaves many rows: a boolean, or a value that stands in the statement. */
  readonly isWeak: boolean;
  /** A boolean that is to be true. */
  readonly isFlag: boolean;
}

export interface OneOf {
  readonly slot: number;
  readonly columns: readonly string[];
  /** Each once. */
  readonly values: (run: Run) => Iterable<readonly Value[]>;
  readonly slots: ReadonlySet<number>;
}

/** The parts of a condition that must all hold. */
export const partsOf = (expr: Expr | undefined): Expr[] =>
  expr === undefined ? [] : expr.is === 'and' ? [...partsOf(expr.left), ...partsOf(expr.right)] : [expr];

export function conditionOf(expr: Expr, scope: Scope): Condition {
  const ready = compileExpression(expr, scope);
  return { ready, equals: equalsOf(expr, scope), oneOf: oneOf(expr, scope) };
}

function equalsOf(expr: Expr, scope: Scope): Equal[] {
  const isBare = expr.is === 'column' || (expr.is === 'not' && expr.of.is === 'column');
  if (isBare) {
    const own = scope.ownColumn(expr.is === 'not' ? expr.of : expr);
    const value: Ready = { evaluate: () => expr.is !== 'not', type: 'boolean', slots: new Set() };
    return own === undefined
      ? []
      : [{ slot: own.slot, column: own.name, value, isWeak: true, isFlag: expr.is === 'column' }];
  }
  if (expr.is !== 'binary' || expr.op !== '=') return [];
  const sides: [Expr, Expr][] = [
    [expr.left, expr.right],
    [expr.right, expr.left],
  ];
  return sides.flatMap(([of, other]) => {
    const own = scope.ownColumn(of);
    if (own === undefined) return [];
    const column: Ready = { evaluate: () => null, type: own.type, slots: new Set() };
    const [, value] = alike(column, compileExpression(other, scope));
    if (value.slots.has(own.slot)) return [];
    return [{ slot: own.slot, column: own.name, value, isWeak: other.is === 'value', isFlag: false }];
  });
}

function oneOf(expr: Expr, scope: Scope): OneOf | undefined {
  if (expr.is === 'any' && expr.op === '=') {
    const own = scope.ownColumn(expr.of);
    if (own === undefined) return undefined;
    const given = compileExpression(expr.array, scope);
    const array = given.type === undefined && own.type !== undefined ? as(`${own.type}[]`, given) : given;
    const values = (run: Run) => once(((array.evaluate(run) ?? []) as Value[]).map((value) => [value]));
    return { slot: own.slot, columns: [own.name], values, slots: array.slots };
  }
  if (expr.is !== 'inQuery' || expr.not) return undefined;
  const columns = (expr.of.is === 'row' ? expr.of.items : [expr.of]).map((item) => scope.ownColumn(item));
  const [first] = columns;
  if (first === undefined || columns.some((own) => own?.slot !== first.slot)) return undefined;
  const query = scope.compiler.compileQuery(expr.query, scope);
  if (query.slots.has(first.slot)) return undefined;
  return {
    slot: first.slot,
    columns: columns.flatMap((own) => own?.name ?? []),
    slots: query.slots,
    values: (run) => once(all(query, run)),
  };
}

function all(query: ReadyQuery, run: Run): Value[][] {
  const found: Value[][] = [];
  query.run(run, (row) => {
    found.push(Object.values(row));
    return false;
  });
  return found;
}

function once(values: readonly Value[][]): Iterable<readonly Value[]> {
  if (values.length < 2) return values;
  return new Map(values.map((value) => [value.map(keyOf).join('\u0000'), value])).values();
}
