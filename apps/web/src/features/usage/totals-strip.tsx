import type { ReactNode } from 'react';
import { formatQuantity } from '../../lib/values/quantity.ts';
import { formatNumber, formatPrice } from '../../text/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import type { UnitSum, UsageSums } from './day-bars.ts';
import { t } from './messages.ts';
import styles from './usage.module.css';

interface TotalsStripProps {
  /** Undefined: still loading. Null: that failed. */
  readonly sums: UsageSums | undefined | null;
  readonly unitsLabel: string;
  /** The units, apart by what they are: seconds and bytes make no sum. Undefined: still loading. Null: that failed. */
  readonly units: readonly UnitSum[] | undefined | null;
  /** Of several services: what nobody has said the unit of is no sum either. */
  readonly isMixed: boolean;
  /** The figures are those of what was asked for before. */
  readonly stale: boolean;
  /** Beside the price. */
  readonly action: ReactNode;
}

/** What all records of the filter come to, whatever page is shown. */
export function TotalsStrip({ sums, unitsLabel, units, isMixed, stale, action }: TotalsStripProps) {
  const figure = (text: (sums: UsageSums) => ReactNode) =>
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
            {figure(() =>
              units === null ? (
                '–'
              ) : units === undefined ? (
                <Skeleton width="7rem" height="1.25rem" />
              ) : (
                <UnitSums units={units} isMixed={isMixed} />
              ),
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

const UnitSums = ({ units, isMixed }: Pick<TotalsStripProps, 'isMixed'> & { units: readonly UnitSum[] }) => {
  const isUnknown = isMixed && units.some(({ unit }) => unit === null);
  const known = units.filter(({ unit }) => unit !== null || !isMixed);
  return (
    <>
      {known.length > 0 && (
        <span className={styles.sums}>
          {known.map(({ unit, units: sum }) => (
            <span key={unit}>{formatQuantity(sum, unit)}</span>
          ))}
        </span>
      )}
      {isUnknown && <span className={styles.note}>{t('total.mixedUnits')}</span>}
      {units.length === 0 && '0'}
    </>
  );
};
