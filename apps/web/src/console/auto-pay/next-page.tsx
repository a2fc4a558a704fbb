import type { ForeseenCharge } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatDay, formatMoney, formatNumber } from '../../text/format.ts';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { rowsOf } from '../parts/cursor-list.tsx';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTime } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { figuresOf } from './figures.ts';
import { t } from './messages.ts';
import { WouldPill } from './outcome.tsx';
import { autoPayQueries } from './queries.ts';
import { reasonWords } from './reasons.ts';

const pathOf = ({ customerId }: ForeseenCharge): string => `/admin/customers/${customerId}`;

const columns: readonly LedgerColumn<ForeseenCharge & { readonly id: string }>[] = [
  {
    id: 'customer',
    label: t('column.customer'),
    kind: 'strong',
    cell: (row) => (
      <Link to={pathOf(row) as never} dir="auto">
        {row.customer}
      </Link>
    ),
  },
  { id: 'invoice', label: t('column.invoice'), cell: ({ invoice }) => invoice },
  { id: 'due', label: t('column.due'), kind: 'whole', cell: ({ dueOn }) => formatDay(dueOn) },
  {
    id: 'would',
    label: t('column.would'),
    cell: ({ would, reason }) => (
      <>
        <WouldPill would={would} />
        <span className={parts.more}>{reasonWords(reason)}</span>
      </>
    ),
  },
  {
    id: 'chargeOn',
    label: t('column.chargeOn'),
    kind: 'whole',
    cell: ({ chargeOn }) => chargeOn !== null && formatDay(chargeOn),
  },
  {
    id: 'amount',
    label: t('column.amount'),
    kind: 'figure',
    cell: ({ amount, currency }) => formatMoney(amount, { currency }),
  },
];

/** A dry run: who would be charged what by the next run, and who would not and why. */
export default function NextRunPage() {
  const list = useInfiniteQuery(autoPayQueries.preview());
  const at = list.data?.pages[0]?.at;
  const rows = rowsOf(list);
  useTitle(t('next.title'), consoleName);
  return (
    <>
      <PageTop
        title={t('next.title')}
        facts={[
          <Link key="all" to={'/admin/auto-pay' as never}>
            {t('one.all')}
          </Link>,
          ...(at === undefined ? [] : [t('next.at', { at: dayAndTime(at) })]),
          t('next.dry'),
        ]}
      />
      {/* Of a part of the invoices a sum would be a wrong one. */}
      {!list.hasNextPage && rows.length > 0 && <Figures rows={rows} />}
      <LinkedList
        list={list}
        title={t('next.invoices')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ customer }) => customer}
        empty={
          <EmptyState level={2} icon="check" title={t('next.none')}>
            {t('next.noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

function Figures({ rows }: { readonly rows: readonly ForeseenCharge[] }) {
  const { charged, sums, announced, withoutMethod, left } = figuresOf(rows);
  return (
    <dl className={parts.figures}>
      <div>
        <dt>{t('figure.charge')}</dt>
        {sums.length === 0 && <dd className={parts.amount}>{formatNumber(0)}</dd>}
        {sums.map(({ currency, amount }) => (
          <dd key={currency} className={parts.amount}>
            {formatMoney(amount, { currency })}
          </dd>
        ))}
        <dd className={parts.muted}>{t('figure.invoices', { invoices: charged })}</dd>
      </div>
      <div>
        <dt>{t('figure.announce')}</dt>
        <dd className={parts.amount}>{formatNumber(announced)}</dd>
        <dd className={parts.muted}>{t('figure.mails', { invoices: announced })}</dd>
      </div>
      <div>
        <dt>{t('figure.tellNoMethod')}</dt>
        <dd className={parts.amount}>{formatNumber(withoutMethod)}</dd>
        <dd className={parts.muted}>{t('figure.mails', { invoices: withoutMethod })}</dd>
      </div>
      <div>
        <dt>{t('figure.left')}</dt>
        <dd className={parts.amount}>{formatNumber(left)}</dd>
        <dd className={parts.muted}>{t('figure.skipped')}</dd>
      </div>
    </dl>
  );
}
