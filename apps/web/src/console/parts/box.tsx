import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Failed } from './failed.tsx';
import styles from './parts.module.css';

interface BoxProps {
  readonly title: string;
  /** The page's own title says it already: for screen readers only. */
  readonly hideTitle?: boolean;
  /** At the end of the heading's line: a count, a state, a quiet act. */
  readonly aside?: ReactNode;
  /** The content touches the edges: a table. */
  readonly flush?: boolean;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Of the heading of what could not be loaded: below that of its box, where that has one. */
const FailedLevel = createContext<2 | 3>(2);

/** One part of a page, under a heading of its own. */
export function Box({ title, hideTitle, aside, flush, foot, children }: BoxProps) {
  const id = useId();
  return (
    <section className={styles.box} {...(hideTitle ? { 'aria-label': title } : { 'aria-labelledby': id })}>
      {!hideTitle && (
        <div className={styles.boxHead}>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        </div>
      )}
      <FailedLevel value={hideTitle ? 2 : 3}>
        {flush ? children : <div className={styles.boxBody}>{children}</div>}
      </FailedLevel>
      {foot && <div className={styles.boxFoot}>{foot}</div>}
    </section>
  );
}

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'isFetching' | 'error' | 'refetch'>;
  /** About how high it will be. */
  readonly height?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a box shows once it is loaded; it loads and fails by itself. */
export function Loaded<Data>({ query, height = '6rem', children }: LoadedProps<Data>) {
  const level = useContext(FailedLevel);
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed query={query} level={level} />;
  return (
    <div className={styles.boxBody}>
      <LoadingNote />
      <Skeleton width="100%" height={height} />
    </div>
  );
}

/** Where a box has nothing: one line that says so, and why. */
export const Nothing = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);
