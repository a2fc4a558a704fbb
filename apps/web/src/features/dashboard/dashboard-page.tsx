import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../../lib/api/calls.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { invoiceQueries, latestPage } from '../../shared/invoices/invoice-queries.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { LoadingNote } from '../../ui/layout/skeleton.tsx';
import { Tile, type TileSpan, Tiles } from '../../ui/layout/tile.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Spinner } from '../../ui/overlays/spinner.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { bundleTileHeight, spanOf } from './layout.ts';
import { Loaded } from './loaded.tsx';
import { t } from './messages.ts';
import { dashboardQueries } from './queries.ts';
import { BundleTile } from './tiles/bundle-tile.tsx';
import { DataUsageTile } from './tiles/data-usage-tile.tsx';
import { DueTile } from './tiles/due-tile.tsx';
import { InvoiceChartTile } from './tiles/invoice-chart-tile.tsx';
import { NextBillTile } from './tiles/next-bill-tile.tsx';
import { OpeningBalanceTile } from './tiles/opening-balance-tile.tsx';
import { RecentTile } from './tiles/recent-tile.tsx';
import { RowsSkeleton, SummaryTile } from './tiles/summary-tile.tsx';

const rowsOf = ({ data }: Page<Invoice>) => data;

/** Invoices that are looked at again while a payment is being confirmed are not loading. */
const isLoading = { predicate: ({ state }: { state: { data?: unknown } }) => state.data === undefined };

/** What is due, what came last, what has been used; every tile loads, fails and is asked for again by itself. */
export default function DashboardPage() {
  const { brand } = usePortal();
  const list = useQuery({ ...invoiceQueries.page(latestPage), select: rowsOf });
  const overview = useQuery(invoiceQueries.overview());
  const bundleTiles = useBundleTiles();
  const loading = useIsFetching(isLoading) > 0;
  useTitle(t('title'), brand.name);
  const tiles: readonly ((span: TileSpan) => ReactNode)[] = [
    (span) => <SummaryTile key="summary" overview={overview} span={span} />,
    (span) => <NextBillTile key="next" span={span} />,
    ...(brand.dataUsageChart ? [(span: TileSpan) => <DataUsageTile key="data" span={span} />] : []),
    ...bundleTiles,
  ];
  return (
    <>
      <PageHead title={t('title')} tools={loading && <Loading />} />
      <Tiles>
        <DueTile overview={overview} list={list} span={brand.endShowOpeningBalance ? 9 : 12} />
        {brand.endShowOpeningBalance && <OpeningBalanceTile />}
        <RecentTile list={list} />
        <InvoiceChartTile list={list} overview={overview.data} />
        {tiles.map((tile, place) => tile(spanOf(place, tiles.length)))}
      </Tiles>
      <InvoiceList list={list} count={overview.data?.count} />
    </>
  );
}

const Loading = () => (
  <>
    <Spinner />
    <LoadingNote />
  </>
);

/** A tile for each bundle; one in their place while they are loading or when they failed. */
function useBundleTiles(): readonly ((span: TileSpan) => ReactNode)[] {
  const query = useQuery(dashboardQueries.bundles());
  if (query.data) {
    return query.data.map((bundle) => (span) => (
      <BundleTile key={`bundle ${bundle.bundleName}`} bundle={bundle} span={span} />
    ));
  }
  return [
    (span) => (
      <Tile key="bundles" title={t('bundle.loading')} span={span} minHeight={bundleTileHeight(3)}>
        <Loaded query={query} waiting={<RowsSkeleton rows={3} />}>
          {() => null}
        </Loaded>
      </Tile>
    ),
  ];
}
