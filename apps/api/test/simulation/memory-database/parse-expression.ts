import type { Reader } from './reader.ts';
import type { Expr, Order, Select } from './syntax.ts';

/** What an expression needs of the parser of statements. */
export type ReadQuery = (reader: Reader) => Select;

const COMPARISONS = ['=', '<>', '!=', '<=', '>=', '<', '>'];
const OTHERS = ['||', '->>', '->', '~', '!~'];

/** Reads one expression, by precedence from the weakest to the strongest. */
export function readExpression(r: Reader, query: ReadQuery): Expr {
  let left = readAnd(r, query);
  while (r.takes('or')) left = { is: 'or', left, right: readAnd(r, query) };
  return left;
}

function readAnd(r: Reader, query: ReadQuery): Expr {
  let left = readNot(r, query);
  while (r.takes('and')) left = { is: 'and', left, right: readNot(r, query) };
  return left;
}

const readNot = (r: Reader, query: ReadQuery): Expr =>
  r.takes('not') ? { is: 'not', of: readNot(r, query) } : readIs(r, query);

function readIs(r: Reader, query: ReadQuery): Expr {
  let of = readComparison(r, query);
  while (r.takes('is')) {
    const not = r.takes('not');
    if (r.takes('null')) of = { is: 'isNull', of, not };
    else if (r.takes('true')) of = { is: 'isBool', of, value: true, not };
    else if (r.takes('false')) of = { is: 'isBool', of, value: false, not };
    else {
      r.expect('distinct', 'from');
      of = { is: 'distinct', left: of, right: readComparison(r, query), not };
    }
  }
  return of;
}

function readComparison(r: Reader, query: ReadQuery): Expr {
  let left = readIn(r, query);
  for (;;) {
    const op = COMPARISONS.find((one) => r.sees(one));
    if (op === undefined) return left;
    r.next();
    if (r.takes('any')) {
      r.expect('(');
      if (r.sees('select')) {
        left = { is: 'inQuery', of: left, query: query(r), not: false };
      } else {
        left = { is: 'any', of: left, op, array: readExpression(r, query) };
      }
      r.expect(')');
    } else {
      left = { is: 'binary', op: op === '!=' ? '<>' : op, left, right: readIn(r, query) };
    }
  }
}

function readIn(r: Reader, query: ReadQuery): Expr {
  const of = readOther(r, query);
  const not = r.sees('not', 'in') || r.sees('not', 'between');
  if (not) r.next();
  if (r.takes('in')) {
    r.expect('(');
    const found: Expr = r.sees('select')
      ? { is: 'inQuery', of, query: query(r), not }
      : { is: 'inList', of, list: r.list(() => readExpression(r, query)), not };
    r.expect(')');
    return found;
  }
  if (!r.takes('between')) return of;
  const low = readOther(r, query);
  r.expect('and');
  const high = readOther(r, query);
  const within: Expr = {
    is: 'and',
    left: { is: 'binary', op: '>=', left: of, right: low },
    right: { is: 'binary', op: '<=', left: of, right: high },
  };
  return not ? { is: 'not', of: within } : within;
}

function readOther(r: Reader, query: ReadQuery): Expr {
  return readLeft(r, OTHERS, () =>
    readLeft(r, ['+', '-'], () => readLeft(r, ['*', '/', '%'], () => readNegative(r, query))),
  );
}

function readLeft(r: Reader, ops: readonly string[], read: () => Expr): Expr {
  let left = read();
  for (;;) {
    const op = ops.find((one) => r.sees(one));
    if (op === undefined) return left;
    r.next();
    left = { is: 'binary', op, left, right: read() };
  }
}

const readNegative = (r: Reader, query: ReadQuery): Expr =>
  r.takes('-') ? { is: 'negate', of: readNegative(r, query) } : readCast(r, query);

function readCast(r: Reader, query: ReadQuery): Expr {
  let of = readAtom(r, query);
  for (;;) {
    if (r.takes('::')) of = { is: 'cast', of, type: readType(r) };
    else if (of.is !== 'column' && r.takes('.')) of = { is: 'field', of, name: r.name() };
    else return of;
  }
}

/** A type's name, in one word where PostgreSQL has several. */
export function readType(r: Reader): string {
  let type = r.name();
  if (type === 'timestamp' && r.takes('with')) {
    r.expect('time', 'zone');
    type = 'timestamptz';
  }
  if (type === 'character' && r.takes('varying')) type = 'text';
  if (type === 'double' && r.takes('precision')) type = 'numeric';
  if (r.takes('(')) while (!r.takes(')')) r.next();
  return r.takes('[', ']') ? `${type}[]` : type;
}

function readAtom(r: Reader, query: ReadQuery): Expr {
  const token = r.next();
  switch (token.is) {
    case 'text':
      return { is: 'value', value: token.text };
    case 'number':
      return { is: 'value', value: Number(token.text) };
    case 'param':
      return { is: 'param', n: Number(token.text) - 1 };
    case 'name':
      return readColumn(r, query, token.text);
    case 'sign':
      if (token.text === '(') return readBracket(r, query);
      throw r.fault('an expression');
    case 'word':
      return readWord(r, query, token.text);
    default:
      throw r.fault('an expression');
  }
}

function readBracket(r: Reader, query: ReadQuery): Expr {
  if (r.sees('select') || r.sees('with')) {
    const found: Expr = { is: 'scalar', query: query(r) };
    r.expect(')');
    return found;
  }
  const [first, ...rest] = r.list(() => readExpression(r, query));
  r.expect(')');
  if (first === undefined) throw r.fault('an expression');
  return rest.length === 0 ? first : { is: 'row', items: [first, ...rest] };
}

function readWord(r: Reader, query: ReadQuery, word: string): Expr {
  switch (word) {
    case 'null':
      return { is: 'value', value: null };
    case 'true':
    case 'false':
      return { is: 'value', value: word === 'true' };
    case 'exists':
      return { is: 'exists', query: r.bracketed(() => query(r)) };
    case 'case':
      return readCase(r, query);
    case 'row':
      if (r.sees('(')) return { is: 'row', items: r.bracketed(() => r.list(() => readExpression(r, query))) };
      return readColumn(r, query, word);
    case 'array': {
      r.expect('[');
      const items = r.sees(']') ? [] : r.list(() => readExpression(r, query));
      r.expect(']');
      return { is: 'array', items };
    }
    default:
      return readColumn(r, query, word);
  }
}

function readCase(r: Reader, query: ReadQuery): Expr {
  const operand = r.sees('when') ? undefined : readExpression(r, query);
  const whens: [Expr, Expr][] = [];
  while (r.takes('when')) {
    const when = readExpression(r, query);
    r.expect('then');
    whens.push([when, readExpression(r, query)]);
  }
  const otherwise = r.takes('else') ? readExpression(r, query) : undefined;
  r.expect('end');
  return { is: 'case', operand, whens, otherwise };
}

function readColumn(r: Reader, query: ReadQuery, first: string): Expr {
  let name = first;
  let table: string | undefined;
  while (r.peek().text === '.' && r.peek(1).text !== '*') {
    r.next();
    table = table === undefined ? name : `${table}.${name}`;
    name = r.name();
  }
  if (!r.takes('(')) return { is: 'column', table, name };
  const called = table === undefined ? name : `${table}.${name}`;
  if (r.takes('*')) {
    r.expect(')');
    return { is: 'call', name: called, args: [], star: true, orderBy: [] };
  }
  const args = r.sees(')') ? [] : r.list(() => readArgument(r, query));
  const orderBy = r.takes('order', 'by') ? readOrder(r, query) : [];
  r.expect(')');
  return { is: 'call', name: called, args, star: false, orderBy };
}

/** Names of arguments do not matter to what is known here. */
function readArgument(r: Reader, query: ReadQuery): Expr {
  if (r.peek(1).text === ':=') {
    r.next();
    r.next();
  }
  return readExpression(r, query);
}

export const readOrder = (r: Reader, query: ReadQuery): Order[] =>
  r.list(() => {
    const by = readExpression(r, query);
    const isDescending = r.takes('desc');
    if (!isDescending) r.takes('asc');
    const nullsFirst = r.takes('nulls', 'first') ? true : r.takes('nulls', 'last') ? false : undefined;
    return { by, isDescending, nullsFirst };
  });
