import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { type ReactNode, useId } from 'react';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { MethodRow, type RowActs } from './method-row.tsx';
import styles from './payment-methods.module.css';

interface MethodListProps {
  readonly title: string;
  /** The button that adds one. */
  readonly add: ReactNode;
  /** Undefined: still loading. */
  readonly methods: readonly SavedSource[] | undefined;
  readonly none: { readonly title: string; readonly why: string; readonly icon: 'card' | 'bank' };
  readonly acts: RowActs;
}

/** Saved methods of one kind, the oldest first. */
export function MethodList({ title, add, methods, none, acts }: MethodListProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {add}
      </div>
      {methods === undefined ? (
        <Waiting />
      ) : methods.length === 0 ? (
        <div className={styles.box}>
          <EmptyState icon={none.icon} title={none.title}>
            {none.why}
          </EmptyState>
        </div>
      ) : (
        <ul className={styles.box} aria-labelledby={id}>
          {methods.map((source) => (
            <MethodRow key={source.id} source={source} acts={acts} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The place of two rows. */
const Waiting = () => (
  <>
    <LoadingNote />
    <div className={styles.box} aria-hidden="true">
      {['first', 'second'].map((row) => (
        <div key={row} className={styles.row}>
          <span className={styles.network} />
          <div className={styles.waiting}>
            <p>
              <Skeleton width="min(11rem, 100%)" height="1rem" />
            </p>
            <p className={styles.facts}>
              <Skeleton width="min(14rem, 100%)" height="0.8rem" />
            </p>
          </div>
        </div>
      ))}
    </div>
  </>
);
