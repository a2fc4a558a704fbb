import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  /** How many rows are chosen. */
  readonly count: number;
  /** '3 selected', or what choosing is good for while nothing is. */
  readonly children: ReactNode;
  /** Buttons while something is chosen. */
  readonly actions: ReactNode;
  /** Chooses all rows where the grid has no head to do it; only drawn there, while nothing is chosen. */
  readonly selectAll: ReactNode;
}

/** What is chosen in a grid and what can be done with it: the grid's `toolbar`. On a phone it sticks to the bottom. */
export const SelectionBar = ({ count, children, actions, selectAll }: SelectionBarProps) => (
  <div className={classNames(styles.bar, count > 0 && styles.chosen)}>
    <p role="status">{children}</p>
    {count > 0 ? (
      <div className={styles.actions}>{actions}</div>
    ) : (
      <span className={styles.all}>{selectAll}</span>
    )}
  </div>
);
