import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { Link } from '@tanstack/react-router';
import { PayButton } from '../../paying/pay-button.tsx';
import { isOwed, offersPay, signedAmount, stateText } from '../../shared/invoices/invoice-state.ts';
import { InvoiceStatePill } from '../../shared/invoices/invoice-state-pill.tsx';
import { formatMoney } from '../../text/format.ts';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { t } from './messages.ts';

/** The number names the invoice; the Pay beside it is described by it. */
const numberId = (invoice: Invoice): string => `invoice-${invoice.id}`;

/** Characters of a number that are always shown. */
const LONGEST_NUMBER = 26;

/** 'Pay' for what can be paid, and the state in an icon and a word. */
const StatusCell = ({ invoice }: { readonly invoice: Invoice }) => (
  <>
    <PayButton size="small" invoice={invoice} describedBy={numberId(invoice)}>
      {t('pay')}
    </PayButton>
    <InvoiceStatePill invoice={invoice} />
  </>
);

/**
 * The columns of the specification, in its order (portal §2).
 * @param label the brand's word for an invoice
 */
export const invoiceColumns = (label: string): readonly GridColumn<Invoice>[] => [
  {
    id: 'number',
    label: t('column.number'),
    type: 'text',
    value: (invoice) => invoice.number,
    cell: (invoice) => (
      <Link
        id={numberId(invoice)}
        to={`/invoices/${invoice.id}`}
        title={invoice.number.length > LONGEST_NUMBER ? invoice.number : undefined}
      >
        {invoice.number}
      </Link>
    ),
    cellState: 'none',
    shortens: LONGEST_NUMBER,
    card: 'lead',
  },
  {
    id: 'amount',
    label: t('column.amount'),
    type: 'money',
    value: signedAmount,
    cell: (invoice) => formatMoney(signedAmount(invoice), { currency: invoice.currency }),
    width: '9rem',
    // An open one says on its card what is due, and what it was of where a part of it is paid.
    card: (invoice) =>
      !isOwed(invoice) ? 'figure' : signedAmount(invoice) === invoice.amountDue ? 'none' : 'rest',
    cardLabel: t('column.amount'),
  },
  {
    id: 'amountDue',
    label: t('column.amountDue'),
    type: 'money',
    value: (invoice) => invoice.amountDue,
    cell: (invoice) => formatMoney(invoice.amountDue, { currency: invoice.currency }),
    width: '9rem',
    strong: offersPay,
    muted: (invoice) => !isOwed(invoice),
    card: (invoice) => (isOwed(invoice) ? 'figure' : 'none'),
  },
  {
    id: 'dateInvoice',
    label: t('column.date', { label }),
    type: 'date',
    value: (invoice) => invoice.dateInvoice,
    width: '10rem',
    gap: true,
    card: 'rest',
    cardLabel: t('card.invoiced'),
  },
  {
    id: 'dateDue',
    label: t('column.due'),
    type: 'date',
    value: (invoice) => invoice.dateDue,
    width: '8rem',
    // A card says only what there is.
    card: (invoice) => (invoice.dateDue === null ? 'none' : 'when'),
    cardLabel: t('column.due'),
  },
  {
    id: 'status',
    label: t('column.status'),
    type: 'text',
    value: (invoice) => stateText(invoice),
    cell: (invoice) => <StatusCell invoice={invoice} />,
    width: '14rem',
    card: 'state',
  },
];
