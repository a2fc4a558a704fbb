import type { Statement } from '@counterfoil/contract/statement.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { useId, useMemo } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { SumRows } from '../../ui/data/sum-rows.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { AgeingTile } from './ageing-tile.tsx';
import { t } from './messages.ts';
import styles from './statement.module.css';
import { entryColumns, rowsOf } from './statement-rows.tsx';

/** The PDF has every entry. */
const onPaper = { where: t('paper.rest') };
const paging = { mode: 'client', size: 25 } as const;

interface AccountProps {
  /** Undefined while the first one is loading. */
  readonly statement: Statement | undefined;
  /** The days that were asked for. */
  readonly span: Period;
  /** Another span is on its way; this is the one before. */
  readonly isWaiting: boolean;
}

/** Balance, what is open by age, and every entry. */
export function Account({ statement, span, isWaiting }: AccountProps) {
  const { brand, settings } = usePortal();
  const [state, setState] = useGridUrlState();
  const balanceTitle = useId();
  const currency = statement?.currency ?? brand.currency;
  const { dateFrom = span.start, dateTo = span.end } = statement ?? {};
  const label = settings.invoiceLabelSingular;
  const columns = useMemo(() => entryColumns(currency, label), [currency, label]);
  const rows = useMemo(() => statement && rowsOf(statement), [statement]);
  const sum = (name: 'opening' | 'billed' | 'paidAndCredited' | 'closing') =>
    statement ? formatMoney(statement[name], { currency }) : <Skeleton width="5rem" height="1.25rem" />;
  const closing = t('balance.closing', { day: formatDay(dateTo) });
  return (
    <div className={styles.account} aria-busy={isWaiting || undefined}>
      <div className={styles.tiles}>
        <section className={styles.tile} aria-labelledby={balanceTitle}>
          <h2 id={balanceTitle}>{t('balance.title')}</h2>
          <SumRows
            rows={[
              {
                id: 'opening',
                label: t('balance.opening', { day: formatDay(dateFrom) }),
                value: sum('opening'),
              },
              { id: 'billed', label: t('balance.billed'), value: sum('billed') },
              { id: 'paid', label: t('balance.paid'), value: sum('paidAndCredited') },
              { id: 'closing', label: closing, value: sum('closing'), total: true },
            ]}
          />
        </section>
        <AgeingTile ageing={statement?.ageing} currency={currency} />
      </div>
      <section className={styles.entries} aria-labelledby={`${balanceTitle}-entries`}>
        <h2 id={`${balanceTitle}-entries`}>{t('entries.title')}</h2>
        <Grid
          label={t('entries.title')}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.place)}
          state={state}
          onState={setState}
          paging={paging}
          paper={onPaper}
          foot={statement && { label: closing, figure: formatMoney(statement.closing, { currency }) }}
          empty={
            <EmptyState level={3} title={t('empty.title')}>
              {t('empty.why')}
            </EmptyState>
          }
        />
      </section>
    </div>
  );
}
