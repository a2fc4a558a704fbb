import { compileSelect, type Tables } from './compile-select.ts';
import { compileDelete, compileInsert, compileUpdate } from './compile-write.ts';
import { parseStatement } from './parse-statement.ts';
import { type Compiler, type Run, Scope } from './scope.ts';
import type { Statement } from './syntax.ts';
import type { Undo } from './table.ts';
import type { Row, Value } from './values.ts';

export interface Answer {
  readonly rows: Row[];
  /** Rows changed, or read. */
  readonly count: number;
}

/** A statement ready to run, with values, again and again. */
export type ReadyStatement = (params: readonly Value[], undo: Undo[]) => Answer;

interface Part {
  readonly columns: ReadonlyMap<string, string | undefined>;
  readonly run: (run: Run) => Answer;
}

/** @throws {Error} with the statement, for one that is not known here: nothing is ever guessed */
export function compileStatement(text: string, tables: Tables): ReadyStatement {
  try {
    return compile(parseStatement(text), tables);
  } catch (error) {
    throw new Error(`the memory database cannot read: ${text}`, { cause: error });
  }
}

function compile(statement: Statement, tables: Tables): ReadyStatement {
  let slots = 0;
  const compiler: Compiler = {
    newSlot() {
      slots += 1;
      return slots - 1;
    },
    compileQuery: (query, scope) => {
      if (query.ctes.length > 0) throw new SyntaxError('with, inside of a query');
      return compileSelect(query, compiler, tables, scope);
    },
  };
  const scope = new Scope(compiler);
  const before: { slot: number; part: Part }[] = [];
  for (const { name, statement: one } of statement.ctes) {
    const part = compilePart(one, compiler, tables, scope, false);
    const slot = before.length;
    scope.ctes.set(name, { columns: part.columns, slot });
    before.push({ slot, part });
  }
  const main = compilePart(statement, compiler, tables, scope, true);
  return (params, undo) => {
    const run: Run = {
      rows: new Array(slots).fill(null),
      places: new Array(slots),
      params,
      undo,
      atEnd: [],
      results: [],
    };
    for (const { slot, part } of before) run.results[slot] = part.run(run).rows;
    const answer = main.run(run);
    for (const check of run.atEnd) check();
    return answer;
  };
}

function compilePart(
  statement: Statement,
  compiler: Compiler,
  tables: Tables,
  scope: Scope,
  isAnswer: boolean,
): Part {
  switch (statement.is) {
    case 'insert':
      return compileInsert(statement, compiler, tables, scope);
    case 'update':
      return compileUpdate(statement, compiler, tables, scope);
    case 'delete':
      return compileDelete(statement, compiler, tables, scope);
    case 'select': {
      const query = compileSelect(statement, compiler, tables, scope, isAnswer);
      return {
        columns: query.columns,
        run(run) {
          const rows: Row[] = [];
          query.run(run, (row) => {
            rows.push(row);
            return false;
          });
          return { rows, count: rows.length };
        },
      };
    }
  }
}
