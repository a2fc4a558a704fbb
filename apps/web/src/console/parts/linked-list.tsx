import type { ComponentProps, ReactNode } from 'react';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { CursorList, rowsOf } from './cursor-list.tsx';
import { Ledger, type LedgerColumn } from './ledger.tsx';
import { useRowKeys } from './use-row-keys.ts';

interface LinkedListProps<Row> {
  readonly list: ComponentProps<typeof CursorList<Row>>['list'];
  readonly title: string;
  readonly columns: readonly LedgerColumn<Row>[];
  /** Page of a row. */
  readonly pathOf: (row: Row) => string;
  /** What a row is called when it is chosen by keys. */
  readonly nameOf: (row: Row) => string;
  /** Stands where there is nothing. */
  readonly empty: ReactNode;
}

const idOf = ({ id }: { readonly id: string | number }): string => String(id);

/** A whole list read page by page, each of whose rows has a page: J and K choose one, Enter opens it. */
export function LinkedList<Row extends { readonly id: string | number }>(props: LinkedListProps<Row>) {
  const { list, title, columns, pathOf, nameOf, empty } = props;
  const chosen = useRowKeys(rowsOf(list), idOf, pathOf);
  return (
    <>
      <CursorList list={list} title={title} empty={empty}>
        {(rows) => (
          <Ledger label={title} columns={columns} rows={rows} rowId={idOf} chosen={chosen && idOf(chosen)} />
        )}
      </CursorList>
      <VisuallyHidden role="status">{chosen === undefined ? '' : nameOf(chosen)}</VisuallyHidden>
    </>
  );
}
