import type { Invoice } from '@counterfoil/contract/invoices.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { isCredit, isOwed, stateText } from '../../shared/invoices/invoice-state.ts';
import { InvoiceStatePill } from '../../shared/invoices/invoice-state-pill.tsx';
import { formatMoney } from '../../text/format.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../ui/data/grid/grid-types.ts';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import styles from './dashboard.module.css';
import { groupInvoices, type InvoiceGroup } from './invoice-groups.ts';
import { InvoiceLink } from './invoice-link.tsx';
import { t } from './messages.ts';
import { PdfAction } from './pdf-action.tsx';
import { OtherInvoices } from './tiles/other-invoices.tsx';

const paper = { pageOnly: true };
const paging = { mode: 'client', size: 5 } as const;
const initial: GridState = { sort: { column: 'dateInvoice', direction: 'desc' }, page: 1 };

/** The latest invoices and credits, five a page; those alike are one row. */
export function InvoiceList({
  list,
  count,
}: {
  readonly list: UseQueryResult<readonly Invoice[]>;
  /** Of all of them; undefined while it is not known. */
  readonly count: number | undefined;
}) {
  const { brand, settings } = usePortal();
  const { invoiceLabelSingular: one, invoiceLabelPlural: many } = settings;
  const [state, setState] = useState(initial);
  const rows = useMemo(() => list.data && groupInvoices(list.data), [list.data]);
  const columns = useMemo(() => listColumns(one), [one]);
  return (
    <section className={styles.list} aria-label={many}>
      <Grid
        label={many}
        columns={columns}
        rows={rows}
        rowId={({ newest }) => newest.id}
        state={state}
        onState={setState}
        paging={paging}
        paper={paper}
        expected={paging.size}
        toolbar={
          <div className={styles.listHead}>
            <h2>{many}</h2>
            {brand.endShowInvoices && list.data && list.data.length > 0 && (
              <Link to="/invoices">{t('list.all', { count: count ?? list.data.length, label: many })}</Link>
            )}
          </div>
        }
        error={
          list.isError && list.data === undefined
            ? { requestId: requestIdOf(list.error), retry: () => void list.refetch() }
            : undefined
        }
        empty={<EmptyState title={t('list.empty')}>{t('list.emptyWhy')}</EmptyState>}
      />
    </section>
  );
}

const currencyOf = ({ newest }: InvoiceGroup) => ({ currency: newest.currency });
/** Something is still to be paid of the row as a whole. */
const isOpen = ({ speaking }: InvoiceGroup): boolean => isOwed(speaking);

/** @param label the brand's word for an invoice */
export const listColumns = (label: string): readonly GridColumn<InvoiceGroup>[] => [
  {
    id: 'number',
    label: t('list.number'),
    type: 'text',
    value: ({ newest }) => newest.number,
    cell: ({ newest, others }) => (
      <span className={styles.numberCell}>
        <InvoiceLink invoice={newest} />
        {others.length > 0 && <OtherInvoices number={newest.number} invoices={others} />}
      </span>
    ),
    cellState: 'kept',
    card: 'lead',
  },
  {
    id: 'dateInvoice',
    label: t('list.date', { label }),
    type: 'date',
    value: ({ newest }) => newest.dateInvoice,
    width: '8rem',
    card: ({ speaking }) => (speaking.dateDue === null ? 'when' : 'rest'),
    cardLabel: t('list.invoiced'),
  },
  {
    id: 'dateDue',
    label: t('list.due'),
    type: 'date',
    value: ({ speaking }) => speaking.dateDue,
    width: '7.5rem',
    card: ({ speaking }) => (speaking.dateDue === null ? 'none' : 'when'),
    cardLabel: t('list.due'),
  },
  {
    id: 'status',
    label: t('list.status'),
    type: 'text',
    value: ({ speaking }) => stateText(speaking),
    cell: ({ speaking }) => <InvoiceStatePill invoice={speaking} always />,
    width: '10.5rem',
    card: 'state',
  },
  {
    id: 'amount',
    label: t('list.amount'),
    type: 'money',
    value: ({ amount }) => Number(amount),
    cell: (group) => formatMoney(group.amount, currencyOf(group)),
    width: '9rem',
    card: (group) => (!isOpen(group) ? 'figure' : group.amount === group.amountDue ? 'none' : 'rest'),
    cardLabel: t('list.amount'),
  },
  {
    id: 'amountDue',
    label: t('list.amountDue'),
    type: 'money',
    value: ({ amountDue }) => Number(amountDue),
    cell: (group) => formatMoney(group.amountDue, currencyOf(group)),
    width: '9rem',
    strong: isOpen,
    muted: (group) => !isOpen(group) || isCredit(group.newest),
    card: (group) => (isOpen(group) ? 'figure' : 'none'),
  },
  {
    id: 'pdf',
    label: t('list.pdf'),
    type: 'text',
    value: ({ newest }) => newest.number,
    cell: ({ newest }) => <PdfAction invoice={newest} look="grid" />,
    cellState: 'kept',
    screenOnly: true,
    sortable: false,
    align: 'end',
    width: '5.5rem',
    card: 'rest',
  },
];
