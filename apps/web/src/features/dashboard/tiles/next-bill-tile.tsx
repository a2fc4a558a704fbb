import type { NextBill } from '@counterfoil/contract/dashboard.ts';
import { formatDecimal, sumMoney } from '@counterfoil/domain/money/money.ts';
import { useQuery } from '@tanstack/react-query';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { formatMoment } from '../../../lib/values/moment.ts';
import { moneyOf } from '../../../shared/invoices/invoice-sums.ts';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { StatusPill } from '../../../ui/data/status-pill.tsx';
import { type SumRow, SumRows } from '../../../ui/data/sum-rows.tsx';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { Tile, type TileSpan } from '../../../ui/layout/tile.tsx';
import styles from '../dashboard.module.css';
import { Loaded } from '../loaded.tsx';
import { t } from '../messages.ts';
import { dashboardQueries } from '../queries.ts';
import { RowsSkeleton } from './summary-tile.tsx';

/** Charges named one by one; the rest is one row, so that the sum still adds up. */
const NAMED = 4;

/** What has been charged and used, but not invoiced yet: clearly not final. */
export function NextBillTile({ span }: { readonly span: TileSpan }) {
  const query = useQuery(dashboardQueries.nextBill());
  return (
    <Tile
      title={t('next.title')}
      span={span}
      aside={
        <StatusPill tone="info" icon="clock">
          {t('next.notFinal')}
        </StatusPill>
      }
    >
      <Loaded query={query} waiting={<RowsSkeleton rows={5} />}>
        {(bill) => <SoFar bill={bill} />}
      </Loaded>
    </Tile>
  );
}

function SoFar({ bill }: { readonly bill: NextBill }) {
  const { brand } = usePortal();
  if (bill.currencies.length === 0 && bill.usage.length === 0) {
    return (
      <EmptyState icon="clock" title={t('next.empty')}>
        {t('next.emptyWhy')}
      </EmptyState>
    );
  }
  const further = uncharged(bill);
  return (
    <div className={styles.rows}>
      {bill.currencies.map((part) => (
        <div key={part.currency}>
          {part.dateFrom !== null && part.dateTo !== null && (
            <p className={styles.small}>
              {t('next.period', { from: formatDay(part.dateFrom), to: formatDay(part.dateTo) })}
            </p>
          )}
          <SumRows rows={chargeRows(part, bill.usage)} />
        </div>
      ))}
      {further.length > 0 && (
        <div>
          <h3 className={styles.small}>{t('next.usage')}</h3>
          <SumRows
            rows={further.map(({ service, records, price }) => ({
              id: service,
              label: t('next.records', { service, count: records }),
              value: formatMoney(price),
            }))}
          />
        </div>
      )}
      <p className={styles.small}>{t('next.why', formatMoment(bill.asOf, brand.timeZone))}</p>
    </div>
  );
}

/** Usage that is in no charge yet: what a charge of the same name holds must not look like a second one. */
export function uncharged({ currencies, usage }: NextBill): NextBill['usage'] {
  const charged = new Set(currencies.flatMap(({ charges }) => charges.map(({ name }) => name)));
  return usage.filter(({ service }) => !charged.has(service));
}

/** The largest charges, the others in one row, tax, and the sum of them all. */
export function chargeRows(
  part: NextBill['currencies'][number],
  usage: NextBill['usage'],
): readonly SumRow[] {
  const records = new Map(usage.map((one) => [one.service, one.records]));
  const money = (amount: number | string) => formatMoney(amount, { currency: part.currency });
  const sorted = part.charges.toSorted((a, b) => b.subtotal - a.subtotal);
  // One left over is named too: a row for it would take the same place.
  const cut = sorted.length > NAMED + 1 ? NAMED : sorted.length;
  const rest = sorted.slice(cut);
  return [
    ...sorted.slice(0, cut).map(({ name, subtotal }) => ({
      id: name,
      label: labelOf(name, records.get(name)),
      value: money(subtotal),
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            id: 'rest',
            label: t('next.more', { count: rest.length }),
            value: money(
              formatDecimal(
                sumMoney(
                  rest.map(({ subtotal }) => moneyOf(subtotal, part.currency)),
                  part.currency,
                ),
              ),
            ),
          },
        ]),
    { id: 'tax', label: t('next.tax'), value: money(part.tax) },
    { id: 'total', label: t('next.total'), value: money(part.total), total: true },
  ];
}

const labelOf = (service: string, count: number | undefined): string =>
  count === undefined ? service : t('next.records', { service, count });
