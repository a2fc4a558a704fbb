import type { AdminCustomer } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useMay } from '../operator.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { StateSelect } from '../parts/state-select.tsx';
import { consoleName } from '../shell/messages.ts';
import { CustomerStatus } from './customer-status.tsx';
import styles from './customers.module.css';
import { t } from './messages.ts';
import { NewCustomer } from './new-customer.tsx';
import { type CustomerFilter, customerQueries } from './queries.ts';

const states = ['active', 'disabled'] as const satisfies readonly AdminCustomer['status'][];

const pathOf = ({ id }: AdminCustomer): string => `/admin/customers/${id}`;

const columns: readonly LedgerColumn<AdminCustomer>[] = [
  {
    id: 'label',
    label: t('column.label'),
    kind: 'strong',
    cell: (row) => (
      <Link to={pathOf(row) as never} dir="auto">
        {row.label}
      </Link>
    ),
  },
  { id: 'reference', label: t('column.reference'), kind: 'whole', cell: ({ reference }) => reference },
  { id: 'email', label: t('column.email'), cell: ({ email }) => email },
  {
    id: 'place',
    label: t('column.place'),
    cell: ({ address, country }) => [address.city, country].filter(Boolean).join(', '),
  },
  {
    id: 'status',
    label: t('column.status'),
    kind: 'whole',
    cell: ({ status }) => <CustomerStatus status={status} />,
  },
];

/** The filter as the address of the page holds it. */
function useFilter(): CustomerFilter {
  const { q, status } = useSearch({ strict: false }) as { readonly q?: unknown; readonly status?: unknown };
  const text = q === undefined ? '' : String(q).trim();
  const state = states.find((one) => one === status);
  return { ...(text === '' ? {} : { q: text }), ...(state === undefined ? {} : { status: state }) };
}

/** Every customer of the reseller, or those that were looked for. */
export default function CustomersPage() {
  const filter = useFilter();
  const navigate = useNavigate();
  const mayMake = useMay('customers:write');
  const [isMaking, setMaking] = useState(false);
  useTitle(t('title'), consoleName);
  const said = filter.q === undefined ? t('list.all') : t('list.found', { q: filter.q });
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[said]}
        acts={
          <>
            {mayMake && (
              <Button variant="primary" onClick={() => setMaking(true)}>
                {t('new')}
              </Button>
            )}
            <div className={styles.status}>
              <StateSelect
                label={t('list.state')}
                value={filter.status}
                states={states}
                words={(one) => (one === undefined ? t('list.state.any') : t(`status.${one}`))}
                onChange={(status) => {
                  const { status: _before, ...rest } = filter;
                  void navigate({
                    to: '/admin/customers' as never,
                    search: (status === undefined ? rest : { ...rest, status }) as never,
                    replace: true,
                  });
                }}
              />
            </div>
          </>
        }
      />
      {isMaking && <NewCustomer onClose={() => setMaking(false)} />}
      <CustomerList filter={filter} />
    </>
  );
}

function CustomerList({ filter }: { readonly filter: CustomerFilter }) {
  const list = useInfiniteQuery(customerQueries.list(filter));
  return (
    <LinkedList
      list={list}
      title={t('list.label')}
      columns={columns}
      pathOf={pathOf}
      nameOf={({ label }) => label}
      empty={<NoCustomers filter={filter} />}
    />
  );
}

function NoCustomers({ filter: { q, status } }: { readonly filter: CustomerFilter }) {
  if (q === undefined && status === undefined)
    return (
      <EmptyState level={2} title={t('list.none')}>
        {t('list.noneWhy')}
      </EmptyState>
    );
  return (
    <EmptyState
      level={2}
      icon="search"
      title={t('list.notFound', { q: q ?? t(`status.${status ?? 'active'}`) })}
      action={<Link to={'/admin/customers' as never}>{t('list.showAll')}</Link>}
    >
      {t('list.notFoundWhy')}
    </EmptyState>
  );
}
