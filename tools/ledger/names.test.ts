import { describe, expect, it } from 'vitest';
import { readTitle, rowsNamed } from './names.ts';
import { field, rule, section } from './row.ts';

describe('readTitle', () => {
  it.each([
    ['adds up', 'adds up', []],
    ['adds up [a.total]', 'adds up', ['a.total']],
    ['adds up @external [a.total, a.{b,c.d}.e,x.*]', 'adds up @external', ['a.total', 'a.{b,c.d}.e', 'x.*']],
    ['takes [1] and [2] [a.total]', 'takes [1] and [2]', ['a.total']],
    ['[a.total] adds up', '[a.total] adds up', []],
    ['takes []', 'takes []', []],
    ['takes list[0]', 'takes list[0]', []],
  ])('reads %j', (title, says, names) => {
    expect(readTitle(title)).toEqual({ says, names });
  });
});

describe('rowsNamed', () => {
  const rows = new Map(
    section({ prefix: 'a.b', source: 'a §1' }, [
      field('c.one', 'One.'),
      field('c.two', 'Two.'),
      field('d.one', 'Another.'),
      rule('e', 'A rule.'),
    ]).map((row) => [row.id, row]),
  );
  const named = (name: string) => {
    const found = rowsNamed(name, rows);
    return [...found.rows.map(({ id }) => id), ...found.faults];
  };

  it('is the row of that id, never one that only begins so', () => {
    expect(named('a.b.e')).toEqual(['a.b.e']);
    expect(named('a.b.field.c')).toEqual(['names a.b.field.c, which is no row']);
  });

  it('offers each of what stands in braces, wherever they stand', () => {
    expect(named('a.b.{field.c.two, e}')).toEqual(['a.b.field.c.two', 'a.b.e']);
    expect(named('a.b.field.{c,d}.one')).toEqual(['a.b.field.c.one', 'a.b.field.d.one']);
    expect(named('a.b.{e,f}')).toEqual(['a.b.e', 'names a.b.f, which is no row']);
  });

  it('takes all rows of one kind that begin so for a star', () => {
    expect(named('a.b.field.c.*')).toEqual(['a.b.field.c.one', 'a.b.field.c.two']);
    expect(named('a.b.field.{c,d}.*')).toEqual(['a.b.field.c.one', 'a.b.field.c.two', 'a.b.field.d.one']);
    expect(named('a.b.*')).toEqual(['names a.b.*, which are rows of several kinds: name each']);
    expect(named('a.b.field.x.*')).toEqual(['names a.b.field.x.*, which is no row']);
  });
});
