import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  /** How many rows are chosen. */
  readonly count: number;
  /** What choosing is good for. */
  readonly hint: ReactNode;
  /** '3 selected': said by screen readers as it changes. */
  readonly children: ReactNode;
  /** More about the selection, below it and not said again with it. */
  readonly note?: ReactNode;
  /** Buttons while something is chosen. */
  readonly actions: ReactNode;
  /** Buttons while nothing is chosen. */
  readonly idle?: ReactNode;
  /** Chooses all rows where the grid has no head to do it; only drawn there. */
  readonly selectAll?: ReactNode;
}

/**
 * What is chosen in a grid and what can be done with it: the grid's `toolbar`. On a phone it is fixed to the bottom
 * edge, and its place above the grid stays as it was.
 */
export const SelectionBar = (props: SelectionBarProps) => {
  const { count, hint, children, note, actions, idle, selectAll } = props;
  return (
    <div className={classNames(styles.bar, count > 0 && styles.chosen)}>
      <div className={styles.place}>
        <p>{hint}</p>
        <div className={styles.actions}>
          {idle}
          {selectAll && <span className={styles.all}>{selectAll}</span>}
        </div>
      </div>
      <div className={styles.what}>
        <div className={styles.words}>
          <p role="status">{count > 0 && children}</p>
          {count > 0 && note && <p className={styles.note}>{note}</p>}
        </div>
        {count > 0 && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
};
