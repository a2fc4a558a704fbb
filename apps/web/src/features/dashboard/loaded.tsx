import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { SectionError } from '../../ui/layout/section-state.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** Blocks of the size of what comes. */
  readonly waiting: ReactNode;
  /** Above the error, where the content brings its own heading. */
  readonly heading?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** A tile's content when it is there, its place until then, and its own error with a retry if it does not come. */
export function Loaded<T>({ query, waiting, heading, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return waiting;
  return (
    <>
      {heading}
      <SectionError
        requestId={requestIdOf(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    </>
  );
}
