import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { useMay } from '../operator.ts';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import { LinkDialog } from '../pay-links/link-dialog.tsx';
import { makePayLink } from '../pay-links/queries.ts';
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

interface AboutInvoices {
  readonly customerId: string;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => void;
}

const columns: readonly LedgerColumn<AdminInvoice>[] = [
  {
    id: 'number',
    label: t('invoice.number'),
    kind: 'strong',
    cell: ({ id, number }) => <Link to={`/admin/invoices/${id}` as never}>{number}</Link>,
  },
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

/** What is not paid yet; each can be paid by its link. */
export function OpenInvoices({ customerId, onDone }: AboutInvoices) {
  const open = useQuery(customerQueries.openInvoices(customerId));
  const mayMake = useMay('invoices:write');
  const [making, setMaking] = useState<string>();
  const [link, setLink] = useState<AdminPayLink>();
  const show = async ({ id }: AdminInvoice) => {
    if (making !== undefined) return;
    setMaking(id);
    await makePayLink(id).then(setLink, reportFailure);
    setMaking(undefined);
  };
  const act: LedgerColumn<AdminInvoice> = {
    id: 'link',
    label: t('invoice.link'),
    kind: 'figure',
    screenOnly: true,
    cell: (invoice) => (
      <Button
        size="small"
        aria-label={t('invoice.link.of', { invoice: invoice.number })}
        busy={making === invoice.id}
        busyLabel={t('invoice.link.busy')}
        onClick={() => void show(invoice)}
      >
        {t('invoice.link')}
      </Button>
    ),
  };
  return (
    <Box
      title={t('invoices.title')}
      flush
      aside={
        <Link to={'/admin/invoices' as never} search={{ customer: customerId } as never}>
          {t('invoices.all')}
        </Link>
      }
      foot={open.data !== undefined && open.data.nextCursor !== null && t('invoices.more')}
    >
      <Loaded query={open}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t('invoices.none')}</Nothing>
          ) : (
            <Ledger
              label={t('invoices.title')}
              columns={mayMake ? [...columns, act] : columns}
              rows={data.slice(0, 20)}
              rowId={({ id }) => id}
            />
          )
        }
      </Loaded>
      {link !== undefined && <LinkDialog link={link} onDone={onDone} onClose={() => setLink(undefined)} />}
    </Box>
  );
}
