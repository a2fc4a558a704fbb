import type { JasperUsage } from '@counterfoil/contract/dashboard.ts';
import { JASPER_PERIODS } from '@counterfoil/contract/dashboard.ts';
import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import { useQuery } from '@tanstack/react-query';
import { type Bar, BarChart, ChartPlace, ChartSkeleton, useTableTwin } from '../../../ui/data/bar-chart.tsx';
import { byteScale } from '../../../ui/data/chart-scale.ts';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { Tile, type TileSpan } from '../../../ui/layout/tile.tsx';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';
import { dashboardQueries } from '../queries.ts';

/** The latest five periods, each labelled with its usage; the API gives the oldest first. */
export const usageBars = (periods: readonly JasperUsage[]): readonly Bar[] =>
  periods.slice(-JASPER_PERIODS).map(({ periodLabel, dataUsage }) => ({
    id: periodLabel,
    name: periodLabel,
    figure: formatBytes(dataUsage),
    value: dataUsage,
  }));

/** Data used by period, up to the current month; only for resellers that ask for it. */
export function DataUsageTile({ span }: { readonly span: TileSpan }) {
  const query = useQuery(dashboardQueries.dataUsage());
  const title = t('data.title');
  const twin = useTableTwin(title);
  const bars = usageBars(query.data ?? []);
  const scale = byteScale(Math.max(0, ...bars.map(({ value }) => value)));
  return (
    <Tile title={title} span={span} aside={bars.length > 0 && twin.button}>
      <Loaded query={query} waiting={<ChartSkeleton />}>
        {() =>
          bars.length === 0 ? (
            <ChartPlace>
              <EmptyState icon="chart" title={t('data.empty')}>
                {t('data.emptyWhy')}
              </EmptyState>
            </ChartPlace>
          ) : (
            <BarChart
              id={twin.id}
              label={title}
              heads={[t('data.period'), t('data.used')]}
              bars={bars}
              scale={scale}
              line={scale.text}
              asTable={twin.asTable}
            />
          )
        }
      </Loaded>
    </Tile>
  );
}
