import { payLinkStates } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useMay } from '../operator.ts';
import { Done } from '../parts/done.tsx';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { Narrowing } from '../parts/narrowing.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { LinkDialog } from './link-dialog.tsx';
import { t } from './messages.ts';
import { NewLink } from './new-link.tsx';
import { type ListedLink, type PayLinkFilter, payLinkQueries } from './queries.ts';

const ofCustomer = ({ customerId }: ListedLink): string => `/admin/customers/${customerId}`;

const became: Readonly<
  Record<ListedLink['invoiceStatus'], readonly ['success' | 'neutral' | 'warning', IconName]>
> = {
  open: ['neutral', 'clock'],
  paid: ['success', 'check'],
  credited: ['success', 'check'],
  void: ['neutral', 'minus'],
  disputed: ['warning', 'alert'],
};

function Became({ link: { invoiceStatus, payment } }: { readonly link: ListedLink }) {
  const mayFollow = useMay('payments:read');
  const [tone, icon] = became[invoiceStatus];
  const words = payment && t('became.payment', { day: formatMoment(payment.at, 'UTC').day });
  return (
    <>
      <StatusPill tone={tone} icon={icon}>
        {t(`became.${invoiceStatus}`)}
      </StatusPill>
      <span className={parts.more}>
        {payment !== null && mayFollow ? (
          <Link to={`/admin/payments/${payment.id}` as never}>{words}</Link>
        ) : (
          words
        )}
      </span>
    </>
  );
}

const columnsOf = (onShow: (link: ListedLink) => void): readonly LedgerColumn<ListedLink>[] => [
  {
    id: 'customer',
    label: t('column.customer'),
    kind: 'strong',
    cell: (link) => (
      <Link to={ofCustomer(link) as never} dir="auto">
        {link.customer}
      </Link>
    ),
  },
  {
    id: 'invoice',
    label: t('column.invoice'),
    cell: ({ invoiceId, invoice }) => <Link to={`/admin/invoices/${invoiceId}` as never}>{invoice}</Link>,
  },
  {
    id: 'state',
    label: t('column.state'),
    kind: 'whole',
    cell: ({ state }) => (
      <StatusPill
        tone={state === 'active' ? 'success' : 'neutral'}
        icon={state === 'active' ? 'check' : 'clock'}
      >
        {t(`state.${state}`)}
      </StatusPill>
    ),
  },
  {
    id: 'expires',
    label: t('column.expires'),
    kind: 'whole',
    cell: ({ expiresAt }) => formatMoment(expiresAt, 'UTC').day,
  },
  { id: 'became', label: t('column.became'), cell: (link) => <Became link={link} /> },
  {
    id: 'due',
    label: t('column.due'),
    kind: 'figure',
    cell: ({ due, currency }) => formatMoney(due, { currency }),
  },
  {
    id: 'act',
    label: t('column.act'),
    kind: 'figure',
    cell: (link) => (
      <Button size="small" aria-label={t('show.of', { invoice: link.invoice })} onClick={() => onShow(link)}>
        {t('show')}
      </Button>
    ),
  },
];

function useFilter(): PayLinkFilter {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const state = payLinkStates.find((one) => one === search['state']);
  const text = (name: 'customer' | 'invoice') =>
    search[name] === undefined || search[name] === '' ? {} : { [name]: String(search[name]) };
  return { ...text('customer'), ...text('invoice'), ...(state === undefined ? {} : { state }) };
}

/** The links by which invoices are paid without a sign-in, and what became of each. */
export default function PayLinksPage() {
  const filter = useFilter();
  const navigate = useNavigate();
  const mayChange = useMay('invoices:write');
  const { state: _state, invoice: _invoice, ...rest } = filter;
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<Parameters<typeof LinkDialog>[0]['link']>();
  const [done, setDone] = useState<string>();
  const list = useInfiniteQuery(payLinkQueries.list(filter));
  useTitle(t('title'), consoleName);
  const show = (search: PayLinkFilter) =>
    void navigate({ to: '/admin/pay-links' as never, search: search as never, replace: true });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          <>
            <Narrowing
              value={{ state: filter.state, text: filter.invoice }}
              onNarrow={({ state, text }) =>
                show({ ...rest, ...(state && { state }), ...(text && { invoice: text }) })
              }
              states={payLinkStates}
              stateWords={(state) => t(state === undefined ? 'filter.all' : `state.${state}`)}
              labels={{
                state: t('filter.show'),
                text: t('filter.invoice'),
                hint: t('filter.invoice.hint'),
                find: t('filter.find'),
              }}
              maxLength={100}
            />
            {mayChange && (
              <Button variant="primary" onClick={() => setMaking(true)}>
                {t('new')}
              </Button>
            )}
          </>
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <LinkedList
        list={list}
        title={t('title')}
        columns={columnsOf(setShown)}
        pathOf={ofCustomer}
        nameOf={({ customer, invoice }) => `${customer}, ${invoice}`}
        empty={
          <EmptyState level={2} icon="card" title={t('none')}>
            {t(isNarrowed ? 'none.narrowed' : 'noneWhy')}
          </EmptyState>
        }
      />
      {isMaking && (
        <NewLink
          onClose={() => setMaking(false)}
          onMade={(link) => {
            setMaking(false);
            setShown(link);
          }}
        />
      )}
      {shown !== undefined && (
        <LinkDialog link={shown} onDone={setDone} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}
