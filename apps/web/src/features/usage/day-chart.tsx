import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { formatQuantity } from '../../lib/values/quantity.ts';
import { formatDay, formatMonth, formatNumber, formatPrice } from '../../text/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { barShare, countScale } from '../../ui/data/chart-scale.ts';
import { stepIn } from '../../ui/fields/combo-box-model.ts';
import type { UsageBar, UsageBars } from './day-bars.ts';
import styles from './day-chart.module.css';
import { t } from './messages.ts';

/** How units are called and what they are; null: not known. */
export interface Counted {
  readonly label: string;
  readonly unit: QuantityUnit | null;
}

export interface DayChartProps {
  readonly label: string;
  readonly chart: UsageBars;
  /** Name of a bar. */
  readonly onChoose: (bar: string) => void;
  /** The way back, where something is chosen. */
  readonly action: ReactNode;
  /** Of the table; absent: different units, which are no sum. */
  readonly counted: Counted | undefined;
}

/** A bar's name in words: '11.03.2026', 'March 2026'. */
export const barName = (id: string): string =>
  id.length > 7 ? formatDay(id) : formatMonth(Number(id.slice(0, 4)), Number(id.slice(5)));

const barWords = ({ id, records, price }: UsageBar): string =>
  t('chart.figure', { name: barName(id), count: records, price: formatPrice(price) });

/** Below the bars: '10.23', '03.2026'. */
const tickOf = (id: string): string =>
  id.length > 7 ? `${id.slice(5, 7)}.${id.slice(8)}` : `${id.slice(5)}.${id.slice(0, 4)}`;

/** Bars between two ticks: at most six stand below the plot, whole weeks apart where there are so many days. */
export const tickStep = (bars: number): number => (bars <= 5 ? 1 : bars <= 10 ? 2 : 7 * Math.ceil(bars / 35));

/** Keys as in a list that lies on its side. */
function keyOf(event: KeyboardEvent): string {
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  if (event.key === 'ArrowRight') return isRtl ? 'ArrowUp' : 'ArrowDown';
  if (event.key === 'ArrowLeft') return isRtl ? 'ArrowDown' : 'ArrowUp';
  return event.key;
}

/**
 * Upright bars, one of which can be chosen: by a press anywhere in its column, or by arrow keys and Enter. They are one
 * list box, so that a keyboard passes them in one step; the bar pointed at is said above the plot.
 */
export function DayChart({ label, chart, onChoose, action }: DayChartProps) {
  const id = useId();
  const { bars, chosen, unit } = chart;
  const [pointed, setPointed] = useState<number>();
  const at = pointed ?? bars.findIndex((bar) => bar.id === chosen);
  const active = bars[at];
  const scale = countScale(Math.max(0, ...bars.map(({ records }) => records)));
  const step = tickStep(bars.length);
  const hasTick = (index: number) =>
    index === bars.length - 1 || (index % step === 0 && bars.length - 1 - index >= step / 2);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = stepIn(bars.length, at, keyOf(event));
    if (next !== undefined) setPointed(next);
    else if ((event.key === 'Enter' || event.key === ' ') && active) onChoose(active.id);
    else return;
    event.preventDefault();
  };
  if (bars.length === 0) return <p className={styles.none}>{t('chart.none')}</p>;
  return (
    <>
      <Readout chart={chart} bar={active} action={action} />
      <div className={styles.chart}>
        <div className={styles.axis} aria-hidden="true">
          {scale.lines.toReversed().map((line) => (
            <span key={line}>{formatNumber(line)}</span>
          ))}
        </div>
        <div
          className={styles.plot}
          role="listbox"
          aria-label={`${label}. ${t(`chart.hint.${unit}`)}`}
          aria-orientation="horizontal"
          aria-activedescendant={active ? `${id}-${at}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={() => setPointed(undefined)}
          onPointerLeave={() => setPointed(undefined)}
        >
          {bars.map((bar, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list box has the focus, points here by aria-activedescendant and handles the keys
            <div
              key={bar.id}
              id={`${id}-${index}`}
              className={classNames(styles.column, chosen !== undefined && bar.id !== chosen && styles.other)}
              role="option"
              aria-selected={bar.id === chosen}
              aria-label={barWords(bar)}
              data-active={index === at || undefined}
              onPointerMove={() => index !== pointed && setPointed(index)}
              onClick={() => onChoose(bar.id)}
            >
              <b style={{ '--share': `${barShare(bar.records, scale)}%` } as CSSProperties} />
              {hasTick(index) && <small aria-hidden="true">{tickOf(bar.id)}</small>}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

interface ReadoutProps extends Pick<DayChartProps, 'chart' | 'action'> {
  readonly bar: UsageBar | undefined;
}

/** One line above the plot: what is pointed at or chosen. Screen readers hear it from the bar itself. */
const Readout = ({ chart, bar, action }: ReadoutProps) => (
  <div className={styles.readout}>
    <span aria-hidden="true">
      {bar === undefined
        ? t(chart.bars.some(({ records }) => records > 0) ? `chart.hint.${chart.unit}` : 'chart.none')
        : bar.id === chart.chosen
          ? t('chart.only', { words: barWords(bar) })
          : barWords(bar)}
    </span>
    {action}
  </div>
);

/** The same numbers and more of them as a table; a day's name chooses it. */
export function DayTable({ label, chart, onChoose, counted, action }: DayChartProps) {
  const bar = chart.bars.find(({ id }) => id === chart.chosen);
  return (
    <>
      <Readout chart={chart} bar={bar} action={action} />
      <div className={styles.tableBox}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t(chart.unit === 'day' ? 'chart.day' : 'chart.monthHead')}</th>
              <th scope="col">{t('total.records')}</th>
              {counted !== undefined && <th scope="col">{counted.label}</th>}
              <th scope="col">{t('total.price')}</th>
            </tr>
          </thead>
          <tbody>
            {chart.bars.map((bar) => (
              <tr key={bar.id} className={bar.id === chart.chosen ? styles.chosen : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={bar.id === chart.chosen}
                    onClick={() => onChoose(bar.id)}
                  >
                    {barName(bar.id)}
                  </button>
                </th>
                <td>{formatNumber(bar.records)}</td>
                {counted !== undefined && <td>{formatQuantity(bar.units, counted.unit)}</td>}
                <td>{formatPrice(bar.price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
