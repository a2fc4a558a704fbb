import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Failed, isMissing } from './failed.tsx';
import { t } from './messages.ts';
import { PageTop } from './page-top.tsx';

interface OnePageProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'isFetching' | 'error' | 'refetch'>;
  /** The list that it would stand in. */
  readonly list: { readonly to: string; readonly label: string };
  readonly children: (data: Data) => ReactNode;
}

/** A page about one thing: while it loads, where there is none, where that failed, and the thing. */
export function OnePage<Data>({ query, list, children }: OnePageProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (isMissing(query.error))
    return (
      <>
        <PageTop title={list.label} />
        <EmptyState level={2} title={query.error.message}>
          <Link to={list.to as never}>{t('one.list', { list: list.label })}</Link>
        </EmptyState>
      </>
    );
  if (query.isError)
    return (
      <>
        <PageTop title={list.label} />
        <Failed query={query} level={2} />
      </>
    );
  return (
    <>
      <LoadingNote />
      <Skeleton width="20rem" height="2.5rem" />
      <Skeleton width="100%" height="16rem" />
    </>
  );
}
