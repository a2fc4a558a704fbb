import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, requestIdOf } from '../../lib/api/api-error.ts';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';

/** Whether a page is about something that is not there, or not for who asks: an answer, and no fault. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

interface OnePageProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'isFetching' | 'error' | 'refetch'>;
  /** The list that it would stand in. */
  readonly list: { readonly to: string; readonly label: string };
  readonly children: (data: Data) => ReactNode;
}

/** A page about one thing: while it loads, where there is none, where that failed, and the thing. */
export function OnePage<Data>({ query, list, children }: OnePageProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error instanceof ApiError && isMissing(query.error))
    return (
      <EmptyState level={2} title={query.error.message}>
        <Link to={list.to as never}>{list.label}</Link>
      </EmptyState>
    );
  if (query.isError)
    return (
      <SectionError
        level={2}
        requestId={requestIdOf(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  return (
    <>
      <LoadingNote />
      <Skeleton width="20rem" height="2.5rem" />
      <Skeleton width="100%" height="16rem" />
    </>
  );
}
