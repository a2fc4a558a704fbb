import type { AdminPayment } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoney } from '../../text/format.ts';
import { buttonClass } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { GatewayName } from '../gateways/gateway-name.tsx';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import { t } from './messages.ts';
import { PaymentState } from './payment-state.tsx';
import { type PaymentFilter, paymentQueries } from './queries.ts';

const pathOf = ({ id }: AdminPayment): string => `/admin/payments/${id}`;

const columns: readonly LedgerColumn<AdminPayment>[] = [
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
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ sentAt }) => dayAndTimeOnly(sentAt),
  },
  { id: 'what', label: t('column.what'), cell: ({ direction }) => t(`direction.${direction}`) },
  { id: 'method', label: t('column.method'), cell: ({ method }) => method },
  { id: 'gateway', label: t('column.gateway'), cell: ({ gateway }) => <GatewayName gateway={gateway} /> },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: ({ state }) => <PaymentState state={state} />,
  },
  {
    id: 'amount',
    label: t('column.amount'),
    kind: 'figure',
    cell: ({ amount, currency }) => formatMoney(amount, { currency }),
  },
];

/** Every try to move money, or those that wait for an end. */
export default function PaymentsPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const filter: PaymentFilter = {
    ...(typeof search['customer'] === 'string' ? { customer: search['customer'] } : {}),
    ...(String(search['waiting']) === 'true' ? { waiting: 'true' } : {}),
  };
  const isWaiting = filter.waiting !== undefined;
  const navigate = useNavigate();
  const list = useInfiniteQuery(paymentQueries.list(filter));
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t(isWaiting ? 'about.waiting' : 'about')]}
        acts={
          <>
            <Link to={'/admin/payments/bank' as never} className={buttonClass({})}>
              {t('bank')}
            </Link>
            <Select
              label={t('filter.show')}
              filter
              value={isWaiting ? 'waiting' : ''}
              onChange={(event) => {
                const { waiting: _before, ...rest } = filter;
                const waiting = event.currentTarget.value === 'waiting';
                void navigate({
                  to: '/admin/payments' as never,
                  search: (waiting ? { ...rest, waiting: true } : rest) as never,
                  replace: true,
                });
              }}
            >
              <option value="">{t('filter.all')}</option>
              <option value="waiting">{t('filter.waiting')}</option>
            </Select>
          </>
        }
      />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ customer }) => customer}
        empty={
          <EmptyState
            level={2}
            icon={isWaiting ? 'check' : 'card'}
            title={t(isWaiting ? 'none.waiting' : 'none')}
          >
            {t(isWaiting ? 'none.waitingWhy' : 'noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
