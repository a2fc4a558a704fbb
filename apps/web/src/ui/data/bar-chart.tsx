import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Button } from '../fields/button.tsx';
import { Skeleton } from '../layout/skeleton.tsx';
import styles from './bar-chart.module.css';
import { barShare, type ChartScale } from './chart-scale.ts';
import { t } from './record-messages.ts';

export interface Bar {
  readonly id: string;
  /** Below the bar. */
  readonly name: string;
  /** Above the bar, formatted. */
  readonly figure: string;
  readonly value: number;
}

interface BarChartProps {
  /** What is shown; its accessible name goes on with every bar's name and figure. */
  readonly label: string;
  /** Heads of the table's columns: what a bar is, and what its figure is. */
  readonly heads: readonly [name: string, figure: string];
  /** Oldest first; the last one's name stands out. */
  readonly bars: readonly Bar[];
  readonly scale: ChartScale;
  /** Text of a gridline. */
  readonly line: (value: number) => string;
  readonly asTable: boolean;
  readonly id?: string;
}

/**
 * Upright bars with their figures on them over five hairlines; rows of name, bar and figure on a phone. The same
 * numbers as a table take the same place. Elements rather than a drawing, so that one markup serves both layouts,
 * larger type and writing from right to left.
 */
export function BarChart({ label, heads, bars, scale, line, asTable, id }: BarChartProps) {
  if (asTable) {
    return (
      <div id={id} className={styles.place}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.id}>
                <th scope="row">{bar.name}</th>
                <td>{bar.figure}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  const spoken = bars.map(({ name, figure }) => `${name}: ${figure}`).join(', ');
  return (
    <div id={id} className={styles.place}>
      <div className={styles.chart} role="img" aria-label={`${label}. ${spoken}`}>
        <div className={styles.lines}>
          {scale.lines.map((value) => (
            <span key={value}>
              <i>{line(value)}</i>
            </span>
          ))}
        </div>
        <div className={styles.bars}>
          {bars.map((bar, index) => (
            <div key={bar.id} className={classNames(styles.bar, index === bars.length - 1 && styles.last)}>
              <div className={styles.plot}>
                <div
                  className={styles.column}
                  style={{ '--share': `${barShare(bar.value, scale)}%` } as CSSProperties}
                >
                  <span className={styles.figure}>{bar.figure}</span>
                </div>
              </div>
              <span className={styles.name}>{bar.name}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Whether a chart is shown as a table, and the button that changes it. */
export function useTableTwin(label: string): {
  readonly asTable: boolean;
  readonly id: string;
  readonly button: ReactNode;
} {
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const words = asTable ? 'chart.asChart' : 'chart.asTable';
  const button = (
    <Button
      variant="quiet"
      size="small"
      aria-controls={id}
      aria-label={t('chart.of', { words: t(words), label })}
      onClick={() => setAsTable(!asTable)}
    >
      {t(words)}
    </Button>
  );
  return { asTable, id, button };
}

/** As high as a chart, for what says why there is none. */
export const ChartPlace = ({ children }: { readonly children: ReactNode }) => (
  <div className={classNames(styles.place, styles.empty)}>{children}</div>
);

/** Holds a chart's place while its numbers are loading. */
export const ChartSkeleton = () => (
  <div className={classNames(styles.place, styles.waiting)} aria-hidden="true">
    {['62%', '54%', '70%', '48%', '66%'].map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: five fixed bars
      <Skeleton key={index} width="3.25rem" height={height} />
    ))}
  </div>
);
