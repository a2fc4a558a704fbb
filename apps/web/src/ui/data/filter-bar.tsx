import { Children, type ReactNode, useRef } from 'react';
import { classNames } from '../class-names.ts';
import styles from './filter-bar.module.css';
import { FilterLine } from './filter-line.tsx';

/** The row of filters above a grid; fewer than four do not stretch over the whole width. */
export const FilterBar = ({ children }: { readonly children: ReactNode }) => {
  const count = Children.toArray(children).length;
  const bar = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={bar} className={classNames(styles.bar, count < 4 && styles.few, count < 2 && styles.one)}>
        {children}
      </div>
      <FilterLine filters={bar} />
    </>
  );
};
