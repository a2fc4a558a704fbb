import type { InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { formatMoney } from '../../../text/format.ts';
import { SumRows } from '../../../ui/data/sum-rows.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { Tile, type TileSpan } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { otherCurrencies, summaryOf } from '../due.ts';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';

interface SummaryTileProps {
  readonly overview: UseQueryResult<InvoiceOverview>;
  readonly span: TileSpan;
}

/** All invoices in a few sums: what is due adds up, then what is not asked for. */
export function SummaryTile({ overview, span }: SummaryTileProps) {
  const { brand } = usePortal();
  const { currency } = brand;
  return (
    <Tile title={t('summary.title')} span={span}>
      <Loaded query={overview} waiting={<RowsSkeleton rows={5} />}>
        {(sums) => {
          const rows = summaryOf(sums, currency).map(({ id, count, amount }) => ({
            id,
            label: t(`summary.${id}`, { count }),
            value: formatMoney(amount, { currency }),
            total: id === 'due',
          }));
          const others = otherCurrencies(sums, currency);
          return (
            <div className={styles.rows}>
              <SumRows rows={rows.slice(0, 3)} />
              {rows.length > 3 && <SumRows rows={rows.slice(3)} />}
              {others.length > 0 && (
                <p className={styles.small}>{t('chart.others', { currency, others: others.join(', ') })}</p>
              )}
            </div>
          );
        }}
      </Loaded>
    </Tile>
  );
}

/** Rows of label and figure that are on their way. */
export const RowsSkeleton = ({ rows }: { readonly rows: number }) => (
  <div className={styles.rowsWaiting} aria-hidden="true">
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows alike
      <div key={row}>
        <Skeleton width="8rem" />
        <Skeleton width="5rem" />
      </div>
    ))}
  </div>
);
