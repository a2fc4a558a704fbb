import type { CostCentreSummary } from '@counterfoil/contract/cost-centres.ts';
import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import type { CsvValue } from '@counterfoil/domain/text/csv.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { csvMoney } from '../../lib/csv/csv-money.ts';
import { serviceNameOf } from '../../shared/service-items/item-columns.tsx';
import { t as words } from '../../shared/service-items/messages.ts';
import { t } from './messages.ts';

interface Csv {
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

/** Given by the specification (portal §9). */
export const allocationFileName = (service: string): string => `Cost_Centre_${service}.csv`;

/**
 * The allocation as a file.
 * @param rows what is filtered, in the order shown
 * @param services names each item's service, where items of several stand together
 */
export const allocationCsv = (rows: readonly ServiceItem[], services?: readonly Service[]): Csv => ({
  head: [
    t('filter.serviceItem'),
    ...(services ? [words('service')] : []),
    words('description'),
    words('costCentre'),
  ],
  rows: rows.map((item) => [
    item.serviceItem,
    ...(services ? [serviceNameOf(services, item)] : []),
    item.description,
    item.costCentre,
  ]),
});

export const summaryFileName = ({ start, end }: Period): string => `Cost_Summary_${start}_${end}.csv`;

/** The summary as a file: it adds up, since it holds the difference, and has no totals to be added twice. */
export function summaryCsv(summary: CostCentreSummary): Csv {
  const figures = (sums: Record<'amount' | 'tax' | 'total', number>, currency: string) =>
    [sums.amount, sums.tax, sums.total].map((figure) => csvMoney(figure, currency));
  return {
    head: [
      t('summary.costCentre'),
      t('summary.items'),
      t('summary.currency'),
      t('summary.amount'),
      t('summary.tax'),
      t('summary.total'),
    ],
    rows: summary.currencies.flatMap(({ currency, costCentres, difference }) => [
      ...costCentres.map((row): readonly CsvValue[] => [
        row.costCentre ?? t('summary.none'),
        row.serviceItems,
        currency,
        ...figures(row, currency),
      ]),
      [t('summary.difference'), null, currency, ...figures(difference, currency)],
    ]),
  };
}
