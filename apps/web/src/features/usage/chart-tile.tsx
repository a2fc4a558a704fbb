import type { Period } from '@counterfoil/domain/time/period.ts';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTableTwin } from '../../ui/data/bar-chart.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { Tile, Tiles } from '../../ui/layout/tile.tsx';
import { type UsageBars, wayBack } from './day-bars.ts';
import { barName, type Counted, DayChart, DayTable } from './day-chart.tsx';
import { t } from './messages.ts';
import styles from './usage.module.css';
import type { UsageChoice } from './usage-filter.ts';

interface ChartTileProps {
  /** Undefined: still loading. */
  readonly chart: UsageBars | undefined;
  readonly range: Period;
  readonly choice: UsageChoice;
  readonly choose: (change: UsageChoice) => void;
  /** Absent: different units. */
  readonly counted: Counted | undefined;
  readonly stale: boolean;
  /** Shown instead of a chart. */
  readonly failure: ReactNode;
}

/** Records by day, or by month where the timeframe is long; one of them can be chosen, and given up again. */
export function ChartTile({ chart, range, choice, choose, counted, stale, failure }: ChartTileProps) {
  const title = t(chart?.unit === 'month' ? 'chart.months' : 'chart.days');
  const twin = useTableTwin(title);
  const back = wayBack(choice, range);
  const onChoose = (only: string) => {
    // A second press on the chosen one gives it up.
    const next = only === choice.only ? back?.only : only;
    choose({ only: next ?? undefined });
  };
  const Drawing = twin.asTable ? DayTable : DayChart;
  const action = back && (
    <Button variant="quiet" size="small" onClick={() => choose({ only: back.only ?? undefined })}>
      <Icon name="undo" />
      {back.only === null ? t('chart.whole') : t('chart.month', { month: barName(back.only) })}
    </Button>
  );
  return (
    <Tiles>
      <Tile title={title} span={12} aside={chart && chart.bars.length > 0 && twin.button}>
        <div className={classNames(styles.chartPlace, stale && styles.stale)} id={twin.id}>
          {failure ||
            (chart === undefined ? (
              <Waiting />
            ) : (
              <Drawing label={title} {...{ chart, onChoose, counted, action }} />
            ))}
        </div>
      </Tile>
    </Tiles>
  );
}

const heights = ['62%', '54%', '70%', '48%', '66%', '58%', '74%', '40%', '66%', '52%', '60%', '70%'];

const Waiting = () => (
  <div className={styles.waitingBars} aria-hidden="true">
    {heights.map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: fixed bars
      <Skeleton key={index} width="6%" height={height} />
    ))}
  </div>
);
