import { compileExpression } from './compile-expression.ts';
import type { Ready, Scope } from './scope.ts';
import type { Expr, Order } from './syntax.ts';
import { compare, type Value } from './values.ts';

/** Output columns: what each is called and comes to. */
export interface Output {
  readonly name: string;
  readonly ready: Ready;
  /** Where it is a column as it stands. */
  readonly slot: number | undefined;
}

export interface Sort {
  readonly ready: Ready | undefined;
  /** The place of an output column, where one is named. */
  readonly column: string | undefined;
  readonly sign: number;
  readonly nullsFirst: boolean;
}

export function compileOrder(orderBy: readonly Order[], outputs: readonly Output[], scope: Scope): Sort[] {
  return orderBy.map(({ by, isDescending, nullsFirst }) => {
    const column = nameOfOutput(by, outputs);
    return {
      column,
      ready: column === undefined ? compileExpression(by, scope) : undefined,
      sign: isDescending ? -1 : 1,
      nullsFirst: nullsFirst ?? isDescending,
    };
  });
}

/** The output column that an expression names, by its name or its place. */
export function nameOfOutput(by: Expr, outputs: readonly Output[]): string | undefined {
  if (by.is === 'value' && typeof by.value === 'number') return outputs[by.value - 1]?.name;
  if (by.is !== 'column' || by.table !== undefined) return undefined;
  return outputs.find(({ name }) => name === by.name)?.name;
}

/** Orders rows by the values they are sorted by. */
export function compareBy(sorts: readonly Sort[]) {
  return (a: { keys: Value[] }, b: { keys: Value[] }): number => {
    for (const [n, { sign, nullsFirst }] of sorts.entries()) {
      const [x, y] = [a.keys[n] ?? null, b.keys[n] ?? null];
      if (x === null || y === null) {
        if (x !== y) return (x === null) === nullsFirst ? -1 : 1;
        continue;
      }
      const found = compare(x, y);
      if (found !== 0) return found * sign;
    }
    return 0;
  };
}
