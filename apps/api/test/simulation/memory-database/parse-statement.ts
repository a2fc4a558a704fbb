import { readExpression, readOrder } from './parse-expression.ts';
import { Reader } from './reader.ts';
import type {
  Assignment,
  Column,
  Cte,
  Delete,
  Expr,
  FromItem,
  Insert,
  Select,
  Source,
  Statement,
  Update,
} from './syntax.ts';

/** @throws {SyntaxError} for what is not known here, with the statement */
export function parseStatement(text: string): Statement {
  const r = new Reader(text);
  const statement = readStatement(r);
  r.takes(';');
  if (r.peek().is !== 'end') throw r.fault('the end');
  return statement;
}

/** An expression by itself, as the catalogue has them for checks, defaults and indexes. */
export function parseExpression(text: string): Expr {
  const r = new Reader(text);
  const found = readExpression(r, readSelect);
  if (r.peek().is !== 'end') throw r.fault('the end');
  return found;
}

/** Whether a query says in what order its rows come. */
export function orderIsGiven(text: string): boolean {
  const statement = parseStatement(text);
  return statement.is === 'select' && statement.orderBy.length > 0;
}

const expression = (r: Reader) => readExpression(r, readSelect);

function readStatement(r: Reader): Statement {
  const ctes = readCtes(r);
  if (r.takes('insert')) return readInsert(r, ctes);
  if (r.takes('update')) return readUpdate(r, ctes);
  if (r.takes('delete')) return readDelete(r, ctes);
  return readBody(r, ctes);
}

const readSelect = (r: Reader): Select => readBody(r, readCtes(r));

function readCtes(r: Reader): Cte[] {
  if (!r.takes('with')) return [];
  return r.list(() => {
    const name = r.name();
    r.expect('as');
    r.takes('materialized');
    return { name, statement: r.bracketed(() => readStatement(r)) };
  });
}

function readBody(r: Reader, ctes: readonly Cte[]): Select {
  const first = readSimple(r);
  const union = r.takes('union') ? { all: r.takes('all'), query: readUnited(r) } : undefined;
  const orderBy = r.takes('order', 'by') ? readOrder(r, readSelect) : [];
  const limit = r.takes('limit') ? expression(r) : undefined;
  if (r.takes('for')) readLocks(r);
  return { ...first, ctes, union, orderBy, limit };
}

function readUnited(r: Reader): Select {
  const first = readSimple(r);
  const union = r.takes('union') ? { all: r.takes('all'), query: readUnited(r) } : undefined;
  return { ...first, union };
}

/** One transaction runs at a time: a row lock is had by asking for it. */
function readLocks(r: Reader): void {
  r.takes('no', 'key');
  if (!r.takes('update')) r.expect('share');
  if (r.takes('of')) r.list(() => r.name());
  if (!r.takes('skip', 'locked')) r.takes('nowait');
}

function readSimple(r: Reader): Select {
  r.expect('select');
  const isDistinct = r.takes('distinct');
  const columns = r.sees('from') || r.sees(')') ? [] : readColumns(r);
  const from = r.takes('from') ? readFrom(r) : [];
  const where = r.takes('where') ? expression(r) : undefined;
  const groupBy = r.takes('group', 'by') ? r.list(() => expression(r)) : [];
  const having = r.takes('having') ? expression(r) : undefined;
  return {
    is: 'select',
    ctes: [],
    isDistinct,
    columns,
    from,
    where,
    groupBy,
    having,
    orderBy: [],
    limit: undefined,
    union: undefined,
  };
}

const readColumns = (r: Reader): Column[] =>
  r.list(() => {
    if (r.takes('*')) return { expr: undefined, name: '*' };
    if (r.peek(1).text === '.' && r.peek(2).text === '*') {
      const name = r.name();
      r.expect('.', '*');
      return { expr: undefined, name };
    }
    const expr = expression(r);
    return { expr, name: r.takes('as') ? r.name() : nameOf(expr) };
  });

function nameOf(expr: Expr): string {
  if (expr.is === 'column' || expr.is === 'field') return expr.name;
  if (expr.is === 'call') return expr.name;
  if (expr.is === 'cast') return nameOf(expr.of);
  return expr.is === 'case' ? 'case' : '?column?';
}

function readFrom(r: Reader): FromItem[] {
  const items = [readItem(r, 'inner')];
  for (;;) {
    if (r.takes(',')) items.push(readItem(r, 'inner'));
    else if (r.takes('cross', 'join')) items.push(readItem(r, 'inner'));
    else if (r.takes('left', 'join') || r.takes('left', 'outer', 'join')) items.push(readJoined(r, 'left'));
    else if (r.takes('full', 'join')) items.push(readJoined(r, 'full'));
    else if (r.takes('join') || r.takes('inner', 'join')) items.push(readJoined(r, 'inner'));
    else return items;
  }
}

function readJoined(r: Reader, join: FromItem['join']): FromItem {
  const item = readItem(r, join);
  if (r.takes('using')) return { ...item, using: r.bracketed(() => r.list(() => r.name())) };
  r.expect('on');
  return { ...item, on: expression(r) };
}

const NOT_ALIASES = new Set(
  'on using join left inner cross full where group order limit for set returning union having values select default'.split(
    ' ',
  ),
);

function readItem(r: Reader, join: FromItem['join']): FromItem {
  r.takes('lateral');
  const { source, name } = readSource(r);
  const hasAlias = r.takes('as') || (r.peek().is === 'word' && !NOT_ALIASES.has(r.peek().text));
  const alias = hasAlias ? r.name() : name;
  const columns = hasAlias && r.sees('(') ? r.bracketed(() => r.list(() => r.name())) : [];
  return { join, source, alias, columns, on: undefined, using: [] };
}

function readSource(r: Reader): { source: Source; name: string } {
  if (r.takes('(')) {
    const query = readSelect(r);
    r.expect(')');
    return { source: { is: 'query', query }, name: '' };
  }
  if (r.takes('unnest')) {
    const args = r.bracketed(() => r.list(() => expression(r)));
    return { source: { is: 'unnest', args, withOrdinality: r.takes('with', 'ordinality') }, name: 'unnest' };
  }
  const name = r.name();
  return { source: { is: 'table', name }, name };
}

function readInsert(r: Reader, ctes: readonly Cte[]): Insert {
  r.expect('into');
  const table = r.name();
  const alias = r.takes('as') ? r.name() : table;
  const columns = r.bracketed(() => r.list(() => r.name()));
  const values = r.takes('values')
    ? r.list(() => r.bracketed(() => r.list(() => (r.takes('default') ? undefined : expression(r)))))
    : undefined;
  const query = values === undefined ? readSelect(r) : undefined;
  const conflict = r.takes('on', 'conflict') ? readConflict(r) : undefined;
  return { is: 'insert', ctes, table, alias, columns, values, query, conflict, returning: readReturning(r) };
}

function readConflict(r: Reader): NonNullable<Insert['conflict']> {
  const columns = r.sees('(') ? r.bracketed(() => r.list(() => r.name())) : [];
  if (r.takes('where')) expression(r);
  r.expect('do');
  if (r.takes('nothing')) return { columns, set: undefined, where: undefined };
  r.expect('update', 'set');
  return { columns, set: readAssignments(r), where: r.takes('where') ? expression(r) : undefined };
}

const readAssignments = (r: Reader): Assignment[] =>
  r.list(() => {
    const column = r.name();
    r.expect('=');
    return { column, expr: expression(r) };
  });

const readReturning = (r: Reader): Column[] => (r.takes('returning') ? readColumns(r) : []);

function readTarget(r: Reader): { table: string; alias: string } {
  const table = r.name();
  const hasAlias = r.takes('as') || (r.peek().is === 'word' && !NOT_ALIASES.has(r.peek().text));
  return { table, alias: hasAlias ? r.name() : table };
}

function readUpdate(r: Reader, ctes: readonly Cte[]): Update {
  const target = readTarget(r);
  r.expect('set');
  const set = readAssignments(r);
  const from = r.takes('from') ? readFrom(r) : [];
  const where = r.takes('where') ? expression(r) : undefined;
  return { is: 'update', ctes, ...target, set, from, where, returning: readReturning(r) };
}

function readDelete(r: Reader, ctes: readonly Cte[]): Delete {
  r.expect('from');
  const table = r.name();
  const hasAlias = r.peek().is === 'word' && !NOT_ALIASES.has(r.peek().text);
  const alias = hasAlias ? r.name() : table;
  const from = r.takes('using') ? readFrom(r) : [];
  const where = r.takes('where') ? expression(r) : undefined;
  return { is: 'delete', ctes, table, alias, from, where, returning: readReturning(r) };
}
