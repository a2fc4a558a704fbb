import { autoPayOutcomes } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { formatDay, formatMoney, formatNumber } from '../../text/format.ts';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Box } from '../parts/box.tsx';
import { Failed, isMissing } from '../parts/failed.tsx';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { StateSelect } from '../parts/state-select.tsx';
import { consoleName } from '../shell/messages.ts';
import { BrandFilter, useAddress, useBrand } from './brand-filter.tsx';
import { t } from './messages.ts';
import { OutcomePill } from './outcome.tsx';
import { autoPayQueries, type ListedRow, type RowFilter } from './queries.ts';
import { reasonWords } from './reasons.ts';

const ofCustomer = ({ customerId }: ListedRow): string => `/admin/customers/${customerId}`;
const pathOf = (row: ListedRow): string =>
  row.paymentId === null ? ofCustomer(row) : `/admin/payments/${row.paymentId}`;

const columns: readonly LedgerColumn<ListedRow>[] = [
  {
    id: 'customer',
    label: t('column.customer'),
    kind: 'strong',
    cell: (row) => (
      <Link to={ofCustomer(row) as never} dir="auto">
        {row.customer}
      </Link>
    ),
  },
  {
    id: 'invoice',
    label: t('column.invoice'),
    cell: (row) =>
      row.paymentId === null ? (
        row.invoice
      ) : (
        <Link to={pathOf(row) as never} aria-label={t('one.payment', { invoice: row.invoice })}>
          {row.invoice}
        </Link>
      ),
  },
  { id: 'at', label: t('column.at'), kind: 'whole', cell: ({ at }) => dayAndTimeOnly(at) },
  {
    id: 'outcome',
    label: t('column.outcome'),
    cell: ({ outcome, reason }) => (
      <>
        <OutcomePill outcome={outcome} />
        <span className={parts.more}>{reasonWords(reason)}</span>
      </>
    ),
  },
  {
    id: 'amount',
    label: t('column.amount'),
    kind: 'figure',
    cell: ({ amount, currency }) => amount !== null && formatMoney(amount, { currency }),
  },
];

/** One day's run: its sums, and each invoice with what became of it. */
export default function AutoPayRunPage() {
  const { day = '' } = useParams({ strict: false }) as { readonly day?: string };
  const brand = useBrand();
  const named = useAddress()['outcome'];
  const outcome = autoPayOutcomes.find((one) => one === named);
  const filter: RowFilter = {
    ...(brand === undefined ? {} : { brand }),
    ...(outcome === undefined ? {} : { outcome }),
  };
  const navigate = useNavigate();
  const list = useInfiniteQuery(autoPayQueries.rows(day, filter));
  const title = t('one.title', { day: formatDay(day) });
  useTitle(title, consoleName);
  const show = (search: RowFilter) =>
    void navigate({ to: `/admin/auto-pay/${day}` as never, search: search as never, replace: true });
  return (
    <>
      <PageTop
        title={title}
        facts={[
          <Link key="all" to={'/admin/auto-pay' as never}>
            {t('one.all')}
          </Link>,
          t('about'),
        ]}
        acts={
          <>
            <BrandFilter
              value={brand}
              onChange={(chosen) => {
                const { brand: _before, ...rest } = filter;
                show(chosen === undefined ? rest : { ...rest, brand: chosen });
              }}
            />
            <StateSelect
              label={t('filter.outcome')}
              value={outcome}
              states={autoPayOutcomes}
              words={(one) => (one === undefined ? t('filter.outcome.all') : t(`outcome.${one}`))}
              onChange={(chosen) => {
                const { outcome: _before, ...rest } = filter;
                show(chosen === undefined ? rest : { ...rest, outcome: chosen });
              }}
            />
          </>
        }
      />
      <Sums day={day} brand={brand} />
      <LinkedList
        list={list}
        title={t('one.invoices')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ customer }) => customer}
        empty={
          <EmptyState level={2} icon="card" title={t('one.none')}>
            {t('one.noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

/** What the whole run came to; nothing where there was none. */
function Sums({ day, brand }: { readonly day: string; readonly brand: number | undefined }) {
  const query = useQuery(autoPayQueries.run(day, brand));
  const { data: run } = query;
  if (query.isError && !isMissing(query.error)) return <Failed query={query} level={2} />;
  if (run == null) return null;
  return (
    <>
      <dl className={parts.figures}>
        <div>
          <dt>{t('column.taken')}</dt>
          {run.taken.length === 0 && <dd className={parts.amount}>{formatNumber(0)}</dd>}
          {run.taken.map(({ amount, currency }) => (
            <dd key={currency} className={parts.amount}>
              {formatMoney(amount, { currency })}
            </dd>
          ))}
          <dd className={parts.muted}>{t('figure.invoices', { invoices: run.charged })}</dd>
        </div>
        {(['declined', 'failed', 'underWay', 'skipped'] as const).map((outcome) => (
          <div key={outcome}>
            <dt>{t(`outcome.${outcome}`)}</dt>
            <dd className={parts.amount}>{formatNumber(run[outcome])}</dd>
          </div>
        ))}
      </dl>
      {run.reasons.length > 0 && (
        <Box title={t('one.reasons')}>
          <dl className={parts.sums}>
            {run.reasons.map(({ reason, invoices }) => (
              <div key={reason}>
                <dt>{reasonWords(reason)}</dt>
                <dd>{formatNumber(invoices)}</dd>
              </div>
            ))}
          </dl>
        </Box>
      )}
    </>
  );
}
