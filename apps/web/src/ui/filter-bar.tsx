import { Children, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './filter-bar.module.css';

/** The row of filters above a grid; two or three do not stretch over the whole width. */
export const FilterBar = ({ children }: { readonly children: ReactNode }) => (
  <div className={classNames(styles.bar, Children.count(children) < 4 && styles.few)}>{children}</div>
);
