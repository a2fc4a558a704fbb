import type { AdminInvoice } from '@counterfoil/contract/operator/admin-invoices.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import { type Due, dueOf, isOverdue } from './due.ts';
import { t } from './messages.ts';
import { customerQueries } from './queries.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

/** What is owed, first of all: why they call. Nothing where nothing is open. */
export function AmountsDue({ customerId }: { readonly customerId: string }) {
  const open = useQuery(customerQueries.openInvoices(customerId));
  // More than one page: a sum of some would be a wrong one.
  if (open.data === undefined || open.data.nextCursor !== null || open.data.data.length === 0) return null;
  return (
    <dl className={parts.figures}>
      {dueOf(open.data.data, today()).map((due) => (
        <Figures key={due.currency} due={due} />
      ))}
    </dl>
  );
}

function Figures({ due: { currency, due, overdue, open, since } }: { readonly due: Due }) {
  return (
    <>
      <div>
        <dt>{t('due.title')}</dt>
        <dd className={parts.amount}>{formatMoney(due, { currency })}</dd>
        <dd className={parts.muted}>{t('due.open', { open })}</dd>
      </div>
      <div>
        <dt>{t('due.overdue')}</dt>
        <dd className={since === null ? parts.amount : `${parts['amount']} ${parts['bad']}`}>
          {formatMoney(overdue, { currency })}
        </dd>
        <dd className={parts.muted}>
          {since === null ? t('due.none') : t('due.since', { day: formatDay(since) })}
        </dd>
      </div>
    </>
  );
}

const columns: readonly LedgerColumn<AdminInvoice>[] = [
  { id: 'number', label: t('invoice.number'), kind: 'strong', cell: ({ number }) => number },
  { id: 'issued', label: t('invoice.issued'), kind: 'whole', cell: ({ issuedOn }) => formatDay(issuedOn) },
  { id: 'due', label: t('invoice.due'), kind: 'whole', cell: ({ dueOn }) => formatDay(dueOn) },
  {
    id: 'status',
    label: t('invoice.status'),
    kind: 'whole',
    cell: (invoice) =>
      isOverdue(invoice, today()) ? (
        <StatusPill tone="danger" icon="alert">
          {t('invoice.overdue')}
        </StatusPill>
      ) : (
        <StatusPill tone="neutral" icon="clock">
          {t('invoice.open')}
        </StatusPill>
      ),
  },
  {
    id: 'payable',
    label: t('invoice.amount'),
    kind: 'figure',
    cell: ({ payable, currency }) => formatMoney(payable, { currency }),
  },
  {
    id: 'left',
    label: t('invoice.left'),
    kind: 'figure',
    cell: ({ due, currency }) => <b className={parts.strong}>{formatMoney(due, { currency })}</b>,
  },
];

/** What is not paid yet. */
export function OpenInvoices({ customerId }: { readonly customerId: string }) {
  const open = useQuery(customerQueries.openInvoices(customerId));
  return (
    <Box
      title={t('invoices.title')}
      flush
      foot={open.data !== undefined && open.data.nextCursor !== null && t('invoices.more')}
    >
      <Loaded query={open}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t('invoices.none')}</Nothing>
          ) : (
            <Ledger
              label={t('invoices.title')}
              columns={columns}
              rows={data.slice(0, 20)}
              rowId={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Box>
  );
}
