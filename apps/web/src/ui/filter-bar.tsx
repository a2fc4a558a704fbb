import { Children, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './filter-bar.module.css';

/** The row of filters above a grid; fewer than four do not stretch over the whole width. */
export const FilterBar = ({ children }: { readonly children: ReactNode }) => {
  const count = Children.toArray(children).length;
  return (
    <div className={classNames(styles.bar, count < 4 && styles.few, count < 2 && styles.one)}>{children}</div>
  );
};
