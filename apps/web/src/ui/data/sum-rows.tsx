import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './sum-rows.module.css';

export interface SumRow {
  readonly id: string;
  readonly label: ReactNode;
  /** Formatted already; the caller pads decimals where prices of 2 and 4 digits meet in one column. */
  readonly value: ReactNode;
  /** Bold, under a strong line. */
  readonly total?: boolean;
  /** One of what there may be many of, such as an invoice; not a fact of the whole. */
  readonly isItem?: boolean;
}

interface SumRowsProps {
  readonly rows: readonly SumRow[];
  /** `sum` (default): figures that add up. `ruled`: facts with hairlines between. `tight`: the pay slip. */
  readonly look?: 'sum' | 'ruled' | 'tight';
}

/** Letters of an amount with its sign and currency: a minus is not torn off. */
const LONGEST_FIGURE = 20;
const isFigure = (value: ReactNode): boolean => typeof value === 'string' && value.length <= LONGEST_FIGURE;

/** Label left, figure right, read down like a statement. */
export const SumRows = ({ rows, look = 'sum' }: SumRowsProps) => (
  <dl className={classNames(styles.rows, look === 'ruled' && styles.ruled, look === 'tight' && styles.tight)}>
    {rows.map((row) => (
      <div key={row.id} className={classNames(styles.row, row.total && styles.total)}>
        <dt>{row.label}</dt>
        <dd className={isFigure(row.value) ? styles.figure : undefined}>{row.value}</dd>
      </div>
    ))}
  </dl>
);
