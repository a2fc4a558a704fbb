import { type AdminInvoice, invoiceStates } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatDay, formatMoney } from '../../text/format.ts';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { Narrowing } from '../parts/narrowing.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { InvoiceState } from './invoice-state.tsx';
import { t } from './messages.ts';
import { type InvoiceFilter, invoiceQueries } from './queries.ts';

const pathOf = ({ id }: AdminInvoice): string => `/admin/invoices/${id}`;

const columns: readonly LedgerColumn<AdminInvoice>[] = [
  {
    id: 'number',
    label: t('column.number'),
    kind: 'strong',
    cell: (row) => <Link to={pathOf(row) as never}>{row.number}</Link>,
  },
  {
    id: 'customer',
    label: t('column.customer'),
    cell: ({ customer, customerId }) => (
      <Link to={`/admin/customers/${customerId}` as never} dir="auto">
        {customer}
      </Link>
    ),
  },
  { id: 'issued', label: t('column.issued'), kind: 'whole', cell: ({ issuedOn }) => formatDay(issuedOn) },
  { id: 'due', label: t('column.due'), kind: 'whole', cell: ({ dueOn }) => formatDay(dueOn) },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: (invoice) => <InvoiceState invoice={invoice} />,
  },
  {
    id: 'payable',
    label: t('column.payable'),
    kind: 'figure',
    cell: ({ payable, currency }) => formatMoney(payable, { currency }),
  },
  {
    id: 'left',
    label: t('column.left'),
    kind: 'figure',
    cell: ({ due, currency }) => <b className={parts.strong}>{formatMoney(due, { currency })}</b>,
  },
];

function filterOf(search: Readonly<Record<string, unknown>>): InvoiceFilter {
  const { customer, number, status } = search;
  const known = invoiceStates.find((state) => state === status);
  return {
    ...(typeof customer === 'string' && { customer }),
    // A number of digits only is read as one.
    ...((typeof number === 'string' || typeof number === 'number') && { number: String(number) }),
    ...(known !== undefined && { status: known }),
  };
}

/** Every invoice and credit note, or those of a state or number. */
export default function InvoicesPage() {
  const filter = filterOf(useSearch({ strict: false }) as Readonly<Record<string, unknown>>);
  const navigate = useNavigate();
  const list = useInfiniteQuery(invoiceQueries.list(filter));
  useTitle(t('title'), consoleName);
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <>
      <PageTop title={t('title')} facts={[t('about')]} />
      <Narrowing
        value={{ state: filter.status, text: filter.number }}
        onNarrow={({ state, text }) => {
          const { customer } = filter;
          const search = {
            ...(customer !== undefined && { customer }),
            ...(text !== undefined && { number: text }),
            ...(state !== undefined && { status: state }),
          };
          void navigate({ to: '/admin/invoices' as never, search: search as never, replace: true });
        }}
        states={invoiceStates}
        stateWords={(state) => (state === undefined ? t('filter.all') : t(`state.${state}`))}
        labels={{
          state: t('filter.state'),
          text: t('filter.number'),
          hint: t('filter.number.hint'),
          find: t('find'),
        }}
        maxLength={200}
      />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ number }) => number}
        empty={
          <EmptyState level={2} title={t(isNarrowed ? 'none.narrowed' : 'none')}>
            {t(isNarrowed ? 'none.narrowedWhy' : 'noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
