import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { t as common } from '../../text/common.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../ui/data/grid/grid-types.ts';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import { refusalOf, usageQueries } from './queries.ts';
import type { UsageRow } from './usage-columns.tsx';
import type { UsageFilter } from './usage-filter.ts';

const COUNT = 10;
const paging = { mode: 'client', size: COUNT } as const;
const unsorted: GridState = { sort: null, page: 1 };
const shown = new Set(['date', 'serviceItemName', 'serviceItem2', 'recordType', 'units', 'price', 'invoice']);
const figures = new Set(['units', 'price']);

/** In the order of reading: when, who, whom, what, then the figures. */
const columnsOf = (columns: readonly GridColumn<UsageRow>[]): readonly GridColumn<UsageRow>[] => {
  const own = columns
    .filter(({ id }) => shown.has(id))
    .map((column): GridColumn<UsageRow> => ({ ...column, sortable: false, gap: false }));
  return [...own.filter(({ id }) => !figures.has(id)), ...own.filter(({ id }) => figures.has(id))];
};

interface TopDialogProps {
  readonly filter: UsageFilter;
  /** Those of the page. */
  readonly columns: readonly GridColumn<UsageRow>[];
  readonly onClose: () => void;
}

/** The dearest records of the filter. */
export function TopDialog({ filter, columns, onClose }: TopDialogProps) {
  const query = useQuery(
    usageQueries.page({
      ...filter,
      order: 'price',
      orderDirection: 'desc',
      pageNumber: 1,
      pageSize: COUNT,
    }),
  );
  const { data, isError, error, refetch } = query;
  const [state, setState] = useState(unsorted);
  const own = useMemo(() => columnsOf(columns), [columns]);
  const rows = useMemo(
    () =>
      data?.endUsageDetails
        .filter(({ price }) => price !== null && price !== 0)
        .map((record, index) => ({ ...record, place: index + 1 })),
    [data],
  );
  return (
    <Dialog
      title={t('top.title')}
      open
      wide
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('action.close')}</Button>}
    >
      <Grid
        label={t('top.title')}
        columns={own}
        rows={rows}
        rowId={({ id }) => id}
        state={state}
        onState={setState}
        paging={paging}
        dense
        error={
          isError && data === undefined
            ? {
                requestId: requestIdOf(error),
                retry: () => void refetch(),
                message: refusalOf(error),
              }
            : undefined
        }
        empty={<EmptyState level={2} icon="chart" title={t('top.none')} />}
      />
    </Dialog>
  );
}
