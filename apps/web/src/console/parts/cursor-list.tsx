import type { ReactNode } from 'react';
import type { CursorPage } from '../../lib/api/console-api.ts';
import { Button } from '../../ui/fields/button.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Box } from './box.tsx';
import { Failed, whyOf } from './failed.tsx';
import { t } from './messages.ts';

/** A list that is read page by page, as the query cache holds it. */
interface CursorQuery<Row> {
  readonly data: { readonly pages: readonly CursorPage<Row>[] } | undefined;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly hasNextPage: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
  readonly fetchNextPage: () => Promise<unknown>;
}

interface CursorListProps<Row> {
  readonly list: CursorQuery<Row>;
  readonly title: string;
  /** Stands where there is nothing. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The rows read so far. */
export const rowsOf = <Row,>({ data }: Pick<CursorQuery<Row>, 'data'>): readonly Row[] =>
  data?.pages.flatMap((page) => page.data) ?? [];

/** A whole list of a page: while it loads, where it fails, where it is empty, and what there is with a way to more. */
export function CursorList<Row>({ list, title, empty, children }: CursorListProps<Row>) {
  const rows = rowsOf(list);
  if (list.isPending)
    return (
      <>
        <LoadingNote />
        <Skeleton width="100%" height="20rem" />
      </>
    );
  if (list.isError && rows.length === 0) return <Failed query={list} level={2} />;
  if (rows.length === 0) return empty;
  return (
    <Box
      title={title}
      hideTitle
      flush
      foot={
        list.hasNextPage && (
          <>
            <Button
              busy={list.isFetchingNextPage}
              busyLabel={t('more.busy')}
              onClick={() => void list.fetchNextPage()}
            >
              {t('more')}
            </Button>
            {list.isError && <p role="alert">{whyOf(list.error)}</p>}
          </>
        )
      }
    >
      {children(rows)}
    </Box>
  );
}
