import type {
  AdminInvoiceDetail,
  AdminInvoiceLine,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { Box, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';

const SHOWN = 100;

/** '2.500000' as '2.5'. */
const plain = (decimal: string): string => decimal.replace(/\.?0+$/, '');

const spanOf = ({ periodFrom, periodTo }: AdminInvoiceLine): string =>
  [periodFrom, periodTo]
    .filter((day) => day !== null)
    .map((day) => formatDay(day))
    .join(' – ');

const columnsOf = (currency: string): readonly LedgerColumn<AdminInvoiceLine>[] => [
  {
    id: 'what',
    label: t('lines.what'),
    kind: 'strong',
    cell: ({ name, description, serviceItem, site }) => (
      <>
        <span dir="auto">{name}</span>
        <span className={parts.more} dir="auto">
          {[serviceItem, site, description].filter((part) => part !== '').join(' · ')}
        </span>
      </>
    ),
  },
  { id: 'span', label: t('lines.span'), cell: spanOf },
  {
    id: 'quantity',
    label: t('lines.quantity'),
    kind: 'count',
    cell: ({ quantity }) => plain(quantity),
  },
  { id: 'tax', label: t('lines.tax'), kind: 'figure', cell: ({ tax }) => formatMoney(tax, { currency }) },
  {
    id: 'amount',
    label: t('lines.amount'),
    kind: 'figure',
    cell: ({ amount }) => formatMoney(amount, { currency }),
  },
];

/** What an invoice bills. */
export function LinesBox({ invoice: { lines, currency } }: { readonly invoice: AdminInvoiceDetail }) {
  return (
    <Box
      title={t('lines.title')}
      flush
      foot={lines.length > SHOWN && t('lines.more', { shown: SHOWN, count: lines.length })}
    >
      {lines.length === 0 ? (
        <Nothing>{t('lines.none')}</Nothing>
      ) : (
        <Ledger
          label={t('lines.title')}
          columns={columnsOf(currency)}
          rows={lines.slice(0, SHOWN)}
          rowId={({ lineNo }) => String(lineNo)}
        />
      )}
    </Box>
  );
}
