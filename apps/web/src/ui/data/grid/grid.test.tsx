import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Grid, type GridProps } from './grid.tsx';
import type { GridColumn } from './grid-types.ts';

interface Row {
  readonly name: string;
  readonly amount: number;
}

const columns: readonly GridColumn<Row>[] = [
  { id: 'name', label: 'Name', type: 'text', value: ({ name }) => name, card: 'lead' },
  { id: 'amount', label: 'Amount', type: 'number', value: ({ amount }) => amount, card: 'amount' },
];
const rows: readonly Row[] = [
  { name: 'b', amount: 2 },
  { name: 'a', amount: 1 },
];
const nothing = () => undefined;

/** The third page of five, two rows each. */
const drawn = (over: Partial<GridProps<Row>> = {}): string =>
  renderToStaticMarkup(
    <Grid
      label="Things"
      columns={columns}
      rows={rows}
      rowId={({ name }) => name}
      state={{ sort: { column: 'name', direction: 'asc' }, page: 3 }}
      onState={nothing}
      paging={{ mode: 'server', size: 2, total: 10, sizes: [2, 4] }}
      {...over}
    />,
  );
const names = (markup: string) =>
  [...markup.matchAll(/<td[^>]*class="[^"]*lead[^"]*"[^>]*>([^<]*)</g)].map(([, name]) => name);
const textOf = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('a page of the server', () => {
  it('is drawn in the order it came in, at its place among all', () => {
    const markup = drawn();
    expect(names(markup)).toEqual(['b', 'a']);
    expect(textOf(markup)).toContain('5–6 of 10');
    expect(markup).toMatch(/aria-sort="ascending"/);
    expect(markup).not.toContain('aria-busy');
  });

  it('stays while the next one is on its way, and says that it is', () => {
    const markup = drawn({ stale: true });
    expect(names(markup)).toEqual(['b', 'a']);
    expect(markup).toContain('aria-busy="true"');
    expect(markup).not.toContain('aria-hidden="true"><tr');
    expect(textOf(markup)).toContain('Loading');
  });

  it('that lies past the end leads to the last one', () => {
    const markup = drawn({ rows: [], state: { sort: null, page: 900 } });
    expect(textOf(markup)).toContain('There is no page 900');
    expect(textOf(markup)).toContain('Go to page 5');
    expect(textOf(drawn({ rows: [], paging: { mode: 'server', size: 2, total: 0 } }))).not.toContain(
      'There is no page',
    );
    expect(textOf(drawn())).not.toContain('There is no page');
  });

  it('that was refused says why', () => {
    const error = { requestId: 'r-1', retry: nothing, message: 'Please narrow the dates.' };
    const text = textOf(drawn({ rows: undefined, error }));
    expect(text).toContain('Please narrow the dates. Request r-1');
    expect(text).not.toContain('The rest of the page');
  });
});
