import type { CostCentreCost, CostCentreSummary } from '@counterfoil/contract/cost-centres.ts';
import { type CSSProperties, useMemo } from 'react';
import { formatMoney } from '../../text/format.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { SumRows } from '../../ui/data/sum-rows.tsx';
import styles from './cost-centres.module.css';
import { allocatedTotal, shareOf } from './cost-shares.ts';
import { t } from './messages.ts';

type Part = CostCentreSummary['currencies'][number];

const paging = { mode: 'client', size: 25 } as const;
/** The dearest first. */
const initial: Pick<GridState, 'sort'> = { sort: { column: 'total', direction: 'desc' } };

const columnsOf = ({
  currency,
  costCentres,
}: Pick<Part, 'currency' | 'costCentres'>): readonly GridColumn<CostCentreCost>[] => {
  const money = (id: 'amount' | 'tax' | 'total'): GridColumn<CostCentreCost> => ({
    id,
    label: t(`summary.${id}`),
    type: 'money',
    value: (row) => row[id],
    cell: (row) => formatMoney(row[id], { currency }),
    width: '8.5rem',
    strong: id === 'total',
    card: id === 'total' ? 'figure' : 'rest',
    cardLabel: t(`summary.${id}`),
  });
  return [
    {
      id: 'costCentre',
      label: t('summary.costCentre'),
      type: 'text',
      value: (row) => row.costCentre,
      cell: (row) => row.costCentre ?? t('summary.none'),
      muted: (row) => row.costCentre === null,
      card: 'lead',
    },
    {
      id: 'share',
      label: t('summary.share'),
      type: 'number',
      value: (row) => shareOf(row, costCentres),
      cell: (row) => <Bar share={shareOf(row, costCentres)} />,
      align: 'start',
      sortable: false,
      card: 'full',
    },
    {
      id: 'serviceItems',
      label: t('summary.items'),
      type: 'number',
      value: (row) => row.serviceItems,
      width: '9rem',
      card: 'when',
      cardLabel: t('summary.items'),
    },
    money('amount'),
    money('tax'),
    money('total'),
  ];
};

const Bar = ({ share }: { readonly share: number }) => (
  <span className={styles.share}>
    <span className={styles.track}>
      <span className={styles.bar} style={{ '--share': `${share}%` } as CSSProperties} />
    </span>
    <span className={styles.percent}>{`${share.toFixed(1)} %`}</span>
  </span>
);

/** The same while it is loading. @param currency the likely one */
export function SummaryGridWaiting({ currency }: { readonly currency: string }) {
  const columns = useMemo(() => columnsOf({ currency, costCentres: [] }), [currency]);
  return (
    <Grid
      label={t('summary.label', { currency })}
      columns={columns}
      rows={undefined}
      rowId={(row) => row.costCentre ?? ''}
      state={{ ...initial, page: 1 }}
      onState={() => undefined}
      paging={paging}
    />
  );
}

/** The cost centres of one currency, and how they make the invoices' total. */
export function SummaryGrid({ part }: { readonly part: Part }) {
  const [state, setState] = useGridUrlState({ initial, prefix: part.currency });
  const columns = useMemo(() => columnsOf(part), [part]);
  const money = (figure: number | string) => formatMoney(figure, { currency: part.currency });
  return (
    <div className={styles.part}>
      <Grid
        label={t('summary.label', { currency: part.currency })}
        columns={columns}
        rows={part.costCentres}
        rowId={(row) => row.costCentre ?? ''}
        state={state}
        onState={setState}
        paging={paging}
      />
      <div className={styles.sum}>
        <SumRows
          rows={[
            { id: 'allocated', label: t('summary.allocated'), value: money(allocatedTotal(part)) },
            { id: 'difference', label: t('summary.difference'), value: money(part.difference.total) },
            {
              id: 'total',
              label: t('summary.invoices', { count: part.invoices }),
              value: money(part.total.total),
              total: true,
            },
          ]}
        />
      </div>
    </div>
  );
}
