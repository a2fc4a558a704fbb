import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { readerLocale } from '../../../text/catalogue.ts';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { classNames } from '../../../ui/class-names.ts';
import { type Bar, BarChart, ChartPlace, ChartSkeleton, useTableTwin } from '../../../ui/data/bar-chart.tsx';
import { chartScale } from '../../../ui/data/chart-scale.ts';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { Tile } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { otherCurrencies } from '../due.ts';
import { groupInvoices, isBill } from '../invoice-groups.ts';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';

/** Given by the specification (portal §9). */
const LATEST = 5;

/** The latest five in one currency, oldest first: amounts of two currencies have no common height. */
export const lastBars = (invoices: readonly Invoice[], currency: string): readonly Bar[] =>
  groupInvoices(invoices)
    .filter((group) => isBill(group) && group.newest.currency === currency)
    .slice(0, LATEST)
    .toReversed()
    .map(({ newest, amount }) => ({
      id: newest.id,
      name: formatDay(newest.dateInvoice),
      figure: formatMoney(amount, { currency }),
      value: Number(amount),
    }));

/** Amounts of the last five invoices. */
export function InvoiceChartTile({
  list,
  overview,
}: {
  readonly list: UseQueryResult<readonly Invoice[]>;
  readonly overview: InvoiceOverview | undefined;
}) {
  const { brand, settings } = usePortal();
  const title = t('chart.title', { count: LATEST, label: settings.invoiceLabelPlural });
  const twin = useTableTwin(title);
  const bars = list.data ? lastBars(list.data, brand.currency) : [];
  const others = overview ? otherCurrencies(overview, brand.currency) : [];
  const scale = chartScale(Math.max(0, ...bars.map(({ value }) => value)));
  return (
    <Tile title={title} span={7} aside={bars.length > 0 && twin.button}>
      <Loaded query={list} waiting={<ChartSkeleton />}>
        {() =>
          bars.length === 0 ? (
            <ChartPlace>
              <EmptyState icon="chart" title={t('chart.empty')}>
                {t('chart.emptyWhy')}
              </EmptyState>
            </ChartPlace>
          ) : (
            <BarChart
              id={twin.id}
              label={title}
              heads={[t('chart.date', { label: settings.invoiceLabelSingular }), t('chart.amount')]}
              bars={bars}
              scale={scale}
              line={(value) => lineText(value, brand.currencySymbol.symbol)}
              asTable={twin.asTable}
            />
          )
        }
      </Loaded>
      {/* Its line is there before it is known whether it is needed: nothing below moves. */}
      <p className={classNames(styles.small, styles.note)}>
        {others.length > 0 && t('chart.others', { currency: brand.currency, others: others.join(', ') })}
      </p>
    </Tile>
  );
}

/** A round figure beside a gridline: '$1,200', '$0.25', '$1.5M' for what would not fit. */
export const lineText = (value: number, symbol: string): string =>
  `${symbol}${new Intl.NumberFormat(readerLocale(), {
    notation: value >= 1_000_000 ? 'compact' : 'standard',
    maximumFractionDigits: 3,
  }).format(value)}`;
