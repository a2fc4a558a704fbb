import { functionNamed, typeOfAggregate } from './functions.ts';
import { AGGREGATES, type Evaluate, type Ready, type Run, type Scope } from './scope.ts';
import type { Call, Expr } from './syntax.ts';
import { calculate, coerce, compare, type Value } from './values.ts';

const NONE: ReadonlySet<number> = new Set();
const together = (...all: readonly Ready[]): ReadonlySet<number> =>
  new Set(all.flatMap(({ slots }) => [...slots]));

/** Makes an expression ready; what is unknown here is an error now, not when it is evaluated. */
export function compileExpression(expr: Expr, scope: Scope): Ready {
  const sub = (one: Expr) => compileExpression(one, scope);
  switch (expr.is) {
    case 'value':
      return { evaluate: () => expr.value, type: undefined, slots: NONE };
    case 'param':
      return { evaluate: ({ params }) => params[expr.n] ?? null, type: undefined, slots: NONE };
    case 'column':
      return compileColumn(expr.table, expr.name, scope);
    case 'not': {
      const of = sub(expr.of);
      return truth([of], (run) => {
        const value = of.evaluate(run);
        return value === null ? null : value !== true;
      });
    }
    case 'negate': {
      const of = sub(expr.of);
      const evaluate: Evaluate = (run) => {
        const value = of.evaluate(run);
        return value === null ? null : calculate('-', 0, value);
      };
      return { ...of, evaluate };
    }
    case 'and':
    case 'or':
      return compileLogic(expr.is, sub(expr.left), sub(expr.right));
    case 'binary':
      return compileBinary(expr.op, sub(expr.left), sub(expr.right));
    case 'isNull': {
      const of = sub(expr.of);
      return truth([of], (run) => (of.evaluate(run) === null) !== expr.not);
    }
    case 'isBool': {
      const of = sub(expr.of);
      return truth([of], (run) => (of.evaluate(run) === expr.value) !== expr.not);
    }
    case 'distinct': {
      const [left, right] = alike(sub(expr.left), sub(expr.right));
      return truth([left, right], (run) => {
        const [a, b] = [left.evaluate(run), right.evaluate(run)];
        const differs = a === null || b === null ? a !== b : compare(a, b) !== 0;
        return differs !== expr.not;
      });
    }
    case 'inList':
      return compileList(sub(expr.of), expr.list.map(sub), expr.not);
    case 'inQuery':
      return compileInQuery(expr, scope);
    case 'any':
      return compileAny(expr.op, sub(expr.of), sub(expr.array));
    case 'case':
      return compileCase(expr, sub);
    case 'cast': {
      const of = sub(expr.of);
      const { type } = expr;
      return { evaluate: (run) => coerce(type, of.evaluate(run)), type, slots: of.slots };
    }
    case 'call':
      return AGGREGATES.has(expr.name) ? compileAggregate(expr, scope) : compileCall(expr, sub);
    case 'exists': {
      const query = scope.compiler.compileQuery(expr.query, scope);
      const evaluate = (run: Run) => {
        let isThere = false;
        query.run(run, () => {
          isThere = true;
          return true;
        });
        return isThere;
      };
      return { evaluate, type: 'boolean', slots: query.slots };
    }
    case 'scalar':
      return compileScalar(expr.query, scope);
    case 'row':
    case 'array': {
      const items = expr.items.map(sub);
      const type = expr.is === 'array' ? `${items[0]?.type ?? 'text'}[]` : undefined;
      return {
        evaluate: (run) => items.map(({ evaluate }) => evaluate(run)),
        type,
        slots: together(...items),
      };
    }
    case 'field': {
      const of = sub(expr.of);
      const evaluate = (run: Run) => (of.evaluate(run) as Record<string, Value> | null)?.[expr.name] ?? null;
      return { evaluate, type: undefined, slots: of.slots };
    }
  }
}

const truth = (of: readonly Ready[], evaluate: Evaluate): Ready => ({
  evaluate,
  type: 'boolean',
  slots: together(...of),
});

function compileColumn(table: string | undefined, name: string, scope: Scope): Ready {
  const { item, type } = scope.resolve(table, name);
  const { slot } = item;
  return { evaluate: ({ rows }) => rows[slot]?.[name] ?? null, type, slots: new Set([slot]) };
}

/** What has no type of its own takes that of the other side, as the server does. */
export function alike(left: Ready, right: Ready): [Ready, Ready] {
  if (left.type === undefined && right.type !== undefined) return [as(right.type, left), right];
  if (right.type === undefined && left.type !== undefined) return [left, as(left.type, right)];
  return [left, right];
}

export function as(type: string, of: Ready): Ready {
  // A day moved by a number of days stays a number's business.
  return { evaluate: (run) => coerce(type, of.evaluate(run)), type, slots: of.slots };
}

function compileLogic(op: 'and' | 'or', left: Ready, right: Ready): Ready {
  const decisive = op === 'or';
  return truth([left, right], (run) => {
    const first = left.evaluate(run);
    if (first === decisive) return decisive;
    const second = right.evaluate(run);
    if (second === decisive) return decisive;
    return first === null || second === null ? null : !decisive;
  });
}

const TESTS: Readonly<Record<string, (found: number) => boolean>> = {
  '=': (found) => found === 0,
  '<>': (found) => found !== 0,
  '<': (found) => found < 0,
  '<=': (found) => found <= 0,
  '>': (found) => found > 0,
  '>=': (found) => found >= 0,
};

function compileBinary(op: string, first: Ready, second: Ready): Ready {
  const test = TESTS[op];
  const [left, right] = test === undefined ? [first, second] : alike(first, second);
  const slots = together(left, right);
  if (test !== undefined)
    return truth([left, right], (run) => {
      const a = left.evaluate(run);
      const b = right.evaluate(run);
      return a === null || b === null ? null : test(compare(a, b));
    });
  const evaluate: Evaluate = (run) => {
    const a = left.evaluate(run);
    const b = right.evaluate(run);
    return a === null || b === null ? null : calculate(op, a, b);
  };
  if (op === '~' || op === '!~') return { evaluate, type: 'boolean', slots };
  if (op === '->>') return { evaluate, type: 'text', slots };
  return { evaluate, type: left.type ?? right.type, slots };
}

function compileList(of: Ready, list: readonly Ready[], not: boolean): Ready {
  const items = list.map((item) => alike(of, item));
  return truth([of, ...list], (run) => {
    let isUnknown = false;
    for (const [left, right] of items) {
      const [a, b] = [left.evaluate(run), right.evaluate(run)];
      if (a === null || b === null) isUnknown = true;
      else if (compare(a, b) === 0) return !not;
    }
    return isUnknown ? null : not;
  });
}

function compileInQuery(expr: Extract<Expr, { is: 'inQuery' }>, scope: Scope): Ready {
  const of = compileExpression(expr.of, scope);
  const query = scope.compiler.compileQuery(expr.query, scope);
  const evaluate: Evaluate = (run) => {
    const wanted = of.evaluate(run);
    let isThere = false;
    query.run(run, (row) => {
      const values = Object.values(row);
      isThere =
        wanted !== null && compare(wanted, Array.isArray(wanted) ? values : (values[0] ?? null)) === 0;
      return isThere;
    });
    return isThere !== expr.not;
  };
  return { evaluate, type: 'boolean', slots: new Set([...of.slots, ...query.slots]) };
}

function compileAny(op: string, of: Ready, array: Ready): Ready {
  const test = TESTS[op];
  if (test === undefined) throw new ReferenceError(`${op} any is not known here`);
  const typed = array.type === undefined && of.type !== undefined ? as(`${of.type}[]`, array) : array;
  return truth([of, typed], (run) => {
    const a = of.evaluate(run);
    const items = typed.evaluate(run) as readonly Value[] | null;
    if (a === null || items === null) return null;
    return items.some((item) => item !== null && test(compare(a, item)));
  });
}

function compileCase(expr: Extract<Expr, { is: 'case' }>, sub: (one: Expr) => Ready): Ready {
  const { operand } = expr;
  const whens = expr.whens.map(([when, then]) => {
    const test: Expr = operand === undefined ? when : { is: 'binary', op: '=', left: operand, right: when };
    return { when: sub(test), come: sub(then) };
  });
  const otherwise = sub(expr.otherwise ?? { is: 'value', value: null });
  const parts = [otherwise, ...whens.flatMap(({ when, come }) => [when, come])];
  const evaluate: Evaluate = (run) =>
    (whens.find(({ when }) => when.evaluate(run) === true)?.come ?? otherwise).evaluate(run);
  const type = whens.find(({ come }) => come.type !== undefined)?.come.type ?? otherwise.type;
  return { evaluate, type, slots: together(...parts) };
}

function compileCall(expr: Call, sub: (one: Expr) => Ready): Ready {
  const { call, type, takesNull, isOfOneType } = functionNamed(expr.name);
  const given = expr.args.map(sub);
  const typeOfArgs = given.find((arg) => arg.type !== undefined)?.type;
  const typed = isOfOneType === true ? typeOfArgs : undefined;
  const args = given.map((arg) => (typed === undefined || arg.type !== undefined ? arg : as(typed, arg)));
  const evaluate: Evaluate = (run) => {
    const values = args.map((arg) => arg.evaluate(run));
    return takesNull !== true && values.includes(null) ? null : call(values);
  };
  return { evaluate, type: type ?? typeOfArgs, slots: together(...args) };
}

function compileAggregate(expr: Call, scope: Scope): Ready {
  const { aggregates } = scope;
  if (aggregates === undefined) throw new ReferenceError(`${expr.name} where nothing is grouped`);
  // Inside of it stand rows, not groups.
  scope.aggregates = undefined;
  const args = expr.args.map((arg) => compileExpression(arg, scope));
  const orderBy = expr.orderBy.map(({ by, isDescending }) => ({
    by: compileExpression(by, scope),
    isDescending,
  }));
  scope.aggregates = aggregates;
  const name = String(aggregates.found.push({ call: expr, args, orderBy }) - 1);
  const { slot } = aggregates;
  const type = typeOfAggregate(expr.name, args[0]?.type);
  return { evaluate: ({ rows }) => rows[slot]?.[name] ?? null, type, slots: new Set([slot]) };
}

function compileScalar(query: Parameters<Scope['compiler']['compileQuery']>[0], scope: Scope): Ready {
  const ready = scope.compiler.compileQuery(query, scope);
  const [column = ''] = ready.columns.keys();
  const evaluate: Evaluate = (run) => {
    let value: Value = null;
    ready.run(run, (row) => {
      value = row[column] ?? null;
      return true;
    });
    return value;
  };
  return { evaluate, type: ready.columns.get(column), slots: ready.slots };
}
