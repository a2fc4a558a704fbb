import { usagePageSizes } from '@counterfoil/contract/usage.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { formatDay, formatPrice } from '../../text/format.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import { PAPER_ROWS } from '../../ui/data/grid/grid-model.ts';
import type { GridState } from '../../ui/data/grid/grid-types.ts';
import { Button } from '../../ui/fields/button.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { ChartTile } from './chart-tile.tsx';
import { sumsWithin, type UsageSums, usageBars } from './day-bars.ts';
import type { UsageLabels } from './labels.ts';
import { t } from './messages.ts';
import { NoRecords } from './no-records.tsx';
import { type LoadedSummary, type PageRequest, refusalOf, usageQueries } from './queries.ts';
import { TopDialog } from './top-dialog.tsx';
import { TotalsStrip } from './totals-strip.tsx';
import styles from './usage.module.css';
import { usageColumns } from './usage-columns.tsx';
import { ALL_SERVICES, chosenPart, type UsageChoice, type UsageFilter } from './usage-filter.ts';
import { useUnitSums } from './use-unit-sums.ts';
import type { Usage } from './use-usage.ts';

interface RecordsProps {
  readonly usage: Usage;
  readonly labels: UsageLabels;
  readonly range: Period;
  readonly sort: Pick<PageRequest, 'order' | 'orderDirection'>;
  /** Rows a page; undefined: not known yet. */
  readonly size: number | undefined;
  readonly state: GridState;
  readonly onState: (state: GridState) => void;
}

/** Stands for a filter that is not known yet; nothing is asked for with it. */
const none: UsageFilter = { dateFrom: '', dateTo: '' };

/** Totals, chart and list of one filter. */
export function Records({ usage, labels, range, sort, size, state, onState }: RecordsProps) {
  const { brand, settings } = usePortal();
  const { choice, choose, filter, listed } = usage;
  const [isTopOpen, setTopOpen] = useState(false);
  const summary = useQuery({
    ...usageQueries.summary(filter ?? none),
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
  });
  const list = useQuery({
    ...usageQueries.page({ ...(listed ?? none), ...sort, pageNumber: state.page, pageSize: size ?? 0 }),
    enabled: listed !== undefined && size !== undefined,
    placeholderData: keepPreviousData,
  });
  const onPaper = useQuery({ ...usageQueries.paper({ ...(listed ?? none), ...sort }), enabled: false }).data;
  const { endShowUsageCostCentre: hasCostCentre, endShowInvoices: hasInvoices } = brand;
  const invoiceLabel = settings.invoiceLabelSingular;
  const page = list.data;
  const total = page?.totalCount ?? 0;
  const columns = useMemo(
    () => usageColumns({ labels, hasCostCentre, hasInvoices, invoiceLabel }),
    [labels, hasCostCentre, hasInvoices, invoiceLabel],
  );
  const rows = useMemo(
    () => page?.endUsageDetails.map((record, index) => ({ ...record, place: page.first + index })),
    [page],
  );
  const paper = useMemo(
    () => ({
      rows: onPaper?.map((record, index) => ({ ...record, place: 1 + index })),
      where: t('paper.rest', { most: PAPER_ROWS }),
    }),
    [onPaper],
  );
  const { only } = choice;
  const chart = useMemo(
    () => summary.data && usageBars(summary.data.days, summary.data.range, { only }),
    [summary.data, only],
  );
  const isMixed = usage.serviceId === ALL_SERVICES;
  const hasFailed = summary.isError && summary.data === undefined;
  const sums = hasFailed ? null : summary.data && sumsOf(summary.data, choice);
  const { units, counted } = useUnitSums(usage, summary.data, sums, labels.units);
  const preference = usePreference('grid.usage');
  return (
    <>
      <Days range={range} archived={summary.data?.archived ?? null} />
      <TotalsStrip
        sums={sums}
        unitsLabel={labels.units}
        units={units}
        isMixed={isMixed}
        stale={summary.isPlaceholderData}
        action={
          sums?.records !== 0 && (
            <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setTopOpen(true)}>
              {t('top')}
            </Button>
          )
        }
      />
      <ChartTile
        {...{ chart, range, choice, choose }}
        counted={counted}
        stale={summary.isPlaceholderData}
        failure={
          hasFailed && (
            <SectionError
              requestId={requestIdOf(summary.error)}
              onRetry={() => void summary.refetch()}
              retrying={summary.isFetching}
            >
              {refusalOf(summary.error)}
            </SectionError>
          )
        }
      />
      <Grid
        preference={preference}
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        state={{ ...state, sort: { column: sort.order, direction: sort.orderDirection } }}
        // A link to a page means the rows that stand on it, whatever number of them another person likes.
        onState={(next) => onState({ ...next, size: next.size ?? (next.page > 1 ? size : undefined) })}
        paging={{ mode: 'server', size: size ?? 0, total, sizes: usagePageSizes }}
        stale={list.isPlaceholderData}
        dense
        paper={paper}
        expected={25}
        error={
          list.isError && page === undefined
            ? {
                requestId: requestIdOf(list.error),
                retry: () => void list.refetch(),
                message: refusalOf(list.error),
              }
            : undefined
        }
        empty={<NoRecords usage={usage} />}
      />
      {isTopOpen && listed && (
        <TopDialog filter={listed} columns={columns} onClose={() => setTopOpen(false)} />
      )}
    </>
  );
}

interface DaysProps {
  readonly range: Period;
  readonly archived: LoadedSummary['archived'];
}

/** Which days these are, by which clock, and what of them cannot be listed any more. */
const Days = ({ range: { start, end }, archived }: DaysProps) => {
  const [from, to] = [formatDay(start), formatDay(end)];
  return (
    <p className={styles.days}>
      {t('days.utc', { days: from === to ? from : t('days.span', { from, to }) })}{' '}
      {archived && t('days.archived', { count: archived.records, price: formatPrice(archived.price) })}
    </p>
  );
};

/** The sums of what is listed: the server's own for the whole timeframe. */
function sumsOf({ days, range, records, units, price }: LoadedSummary, choice: UsageChoice): UsageSums {
  const part = chosenPart(choice, range);
  return part ? sumsWithin(days, part) : { records, units: String(units), price: String(price) };
}
