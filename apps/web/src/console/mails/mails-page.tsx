import type { SentMail } from '@counterfoil/contract/operator/running/mails.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { dayAndTimeOnly } from '../parts/moments.ts';
import { Narrowing } from '../parts/narrowing.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { MailState } from './mail-state.tsx';
import { t } from './messages.ts';
import { type MailFilter, mailQueries } from './queries.ts';

const pathOf = ({ id }: SentMail): string => `/admin/mails/${id}`;
const states = ['sent', 'failing', 'refused', 'givenUp', 'waiting', 'closed'] as const;

const columns: readonly LedgerColumn<SentMail>[] = [
  {
    id: 'subject',
    label: t('column.subject'),
    kind: 'strong',
    cell: (row) => (
      <>
        <Link to={pathOf(row) as never} dir="auto">
          {row.subject}
        </Link>
        <span className={parts.more}>{[t(`kind.${row.kind}`), row.problem].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { id: 'address', label: t('column.address'), cell: ({ address }) => address },
  {
    id: 'customer',
    label: t('column.customer'),
    cell: ({ customer, customerId }) =>
      customerId !== null && (
        <Link to={`/admin/customers/${customerId}` as never} dir="auto">
          {customer}
        </Link>
      ),
  },
  {
    id: 'at',
    label: t('column.at'),
    kind: 'whole',
    cell: ({ createdAt }) => dayAndTimeOnly(createdAt),
  },
  { id: 'state', label: t('column.state'), kind: 'whole', cell: ({ state }) => <MailState state={state} /> },
];

function useFilter(): MailFilter {
  const { customer, address, state } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const known = states.find((one) => one === state);
  return {
    ...(typeof customer === 'string' && customer !== '' ? { customer } : {}),
    ...(typeof address === 'string' && address !== '' ? { address } : {}),
    ...(known === undefined ? {} : { state: known }),
  };
}

/** What was mailed to whom, and whether it went out. */
export default function MailsPage() {
  const filter = useFilter();
  const navigate = useNavigate();
  const { state: _state, address: _address, ...rest } = filter;
  const list = useInfiniteQuery(mailQueries.list(filter));
  useTitle(t('title'), consoleName);
  const show = (search: MailFilter) =>
    void navigate({ to: '/admin/mails' as never, search: search as never, replace: true });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          <Narrowing
            value={{ state: filter.state, text: filter.address }}
            onNarrow={({ state, text }) =>
              show({ ...rest, ...(state && { state }), ...(text && { address: text }) })
            }
            states={states}
            stateWords={(state) => t(state === undefined ? 'filter.all' : `state.${state}`)}
            labels={{
              state: t('filter.show'),
              text: t('filter.address'),
              hint: t('filter.address.hint'),
              find: t('filter.find'),
            }}
            maxLength={320}
            inputMode="email"
          />
        }
      />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ subject }) => subject}
        empty={
          <EmptyState level={2} icon="file" title={t('none')}>
            {t(isNarrowed ? 'none.narrowed' : 'noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
