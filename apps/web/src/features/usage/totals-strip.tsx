import type { ReactNode } from 'react';
import { formatNumber, formatPrice } from '../../lib/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { LoadingNote, Skeleton } from '../../ui/skeleton.tsx';
import type { UsageSums } from './day-bars.ts';
import { t } from './messages.ts';
import styles from './usage.module.css';

interface TotalsStripProps {
  /** Undefined: still loading. Null: that failed. */
  readonly sums: UsageSums | undefined | null;
  readonly unitsLabel: string;
  /** Units of several services are no sum. */
  readonly isMixed: boolean;
  /** The figures are those of what was asked for before. */
  readonly stale: boolean;
  /** Beside the price. */
  readonly action: ReactNode;
}

/** What all records of the filter come to, whatever page is shown. */
export function TotalsStrip({ sums, unitsLabel, isMixed, stale, action }: TotalsStripProps) {
  const figure = (text: (sums: UsageSums) => string) =>
    sums === null ? '–' : sums === undefined ? <Skeleton width="7rem" height="1.25rem" /> : text(sums);
  return (
    <section aria-label={t('total.label')} aria-busy={sums === undefined || stale || undefined}>
      {sums === undefined && <LoadingNote />}
      <dl className={classNames(styles.strip, stale && styles.stale)}>
        <div>
          <dt>{t('total.records')}</dt>
          <dd>{figure(({ records }) => formatNumber(records))}</dd>
        </div>
        <div>
          <dt>{unitsLabel}</dt>
          <dd>
            {isMixed ? (
              <span className={styles.note}>{t('total.mixedUnits')}</span>
            ) : (
              figure(({ units }) => formatNumber(units))
            )}
          </dd>
        </div>
        <div>
          <dt>{t('total.price')}</dt>
          <dd>
            {figure(({ price }) => formatPrice(price))}
            {action}
          </dd>
        </div>
      </dl>
    </section>
  );
}
