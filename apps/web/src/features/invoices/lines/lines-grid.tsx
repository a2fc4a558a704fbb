import type { InvoiceDetail, InvoiceLine } from '@counterfoil/contract/invoices.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listPage } from '../../../lib/lists/list-page.ts';
import { usePagedList } from '../../../lib/lists/use-paged-list.ts';
import { formatQuantity } from '../../../lib/values/quantity.ts';
import { invoiceQueries } from '../../../shared/invoices/invoice-queries.ts';
import { formatMoney } from '../../../text/format.ts';
import { Grid } from '../../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../../ui/data/grid/use-grid-url-state.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import { useUrlParameters } from '../../../ui/layout/use-url-parameters.ts';
import { detailsText, priceText } from '../invoice-figures.ts';
import styles from '../invoices.module.css';
import { t } from '../messages.ts';
import { LineUsageDialog } from './line-usage-dialog.tsx';
import { LineUsageLink } from './line-usage-link.tsx';

/** In the URL, so that a record of the usage page can lead to the line that billed it: the id of the open line. */
const openNames = ['records'] as const;
/** Most invoices fit on one page; one of 500 lines has ten. */
const paging = { mode: 'client', size: 50 } as const;

const paper = { where: t('lines.rest') };

type ShowRecords = (line: InvoiceLine) => void;

/** The lines are read in the order the provider gave them, so no column sorts. */
const lineColumns = (currency: string, show: ShowRecords): readonly GridColumn<InvoiceLine>[] => [
  {
    id: 'product',
    label: t('lines.product'),
    type: 'text',
    value: (line) => line.product,
    cell: (line) => <span className={styles.product}>{line.product}</span>,
    cellState: 'none',
    shortens: true,
    sortable: false,
    card: 'lead',
  },
  {
    id: 'details',
    label: t('lines.details'),
    type: 'text',
    value: detailsText,
    cell: (line) => <DetailsCell line={line} show={show} />,
    cellState: 'none',
    sortable: false,
    muted: true,
    shortens: true,
    card: 'full',
  },
  {
    id: 'quantity',
    label: t('lines.quantity'),
    type: 'number',
    value: (line) => line.quantity,
    cell: (line) => formatQuantity(line.quantity, line.quantityUnit ?? line.unit),
    width: '8rem',
    sortable: false,
    card: 'rest',
    cardLabel: t('lines.quantity'),
  },
  {
    id: 'price',
    label: t('lines.price'),
    type: 'money',
    value: (line) => line.price,
    cell: (line) => priceText(line, currency),
    width: '9rem',
    sortable: false,
    card: 'rest',
    cardLabel: t('lines.price'),
  },
  {
    id: 'amount',
    label: t('lines.amount'),
    type: 'money',
    value: (line) => line.amount,
    cell: (line) => formatMoney(line.amount, { currency }),
    width: '10rem',
    sortable: false,
    card: 'figure',
  },
];

function DetailsCell({ line, show }: { readonly line: InvoiceLine; readonly show: ShowRecords }) {
  const text = detailsText(line);
  return (
    <span className={styles.details}>
      <span className={styles.detailsText}>{text}</span>
      {line.usageRecords > 0 && (
        <Button
          variant="quiet"
          size="small"
          aria-haspopup="dialog"
          aria-label={t('lines.recordsOf', { count: line.usageRecords, product: line.product })}
          onClick={() => show(line)}
        >
          {t('lines.records', { count: line.usageRecords })}
        </Button>
      )}
    </span>
  );
}

/** The lines as they came with the invoice, or by the page. */
function useLines({ id, lines, linesLeftOut }: InvoiceDetail, state: GridState, records: string | undefined) {
  const isByPage = linesLeftOut === true;
  const source = useMemo(() => invoiceQueries.lines(id), [id]);
  const page = usePagedList<InvoiceLine>({ source, state, size: paging.size, enabled: isByPage });
  const here = (isByPage ? page.rows : lines)?.find((line) => line.id === records);
  // A line that the address names may stand on another page.
  const named = useQuery({
    ...listPage<InvoiceLine>(source, { ids: records, limit: 1 }),
    enabled: isByPage && records !== undefined && page.rows !== undefined && here === undefined,
  });
  const open = here ?? named.data?.data[0];
  const { onPaper } = page;
  const paperByPage = useMemo(() => ({ ...paper, rows: onPaper }), [onPaper]);
  if (!isByPage) return { open, grid: { rows: lines, paging, paper } };
  const { rows, paging: byPage, stale, error } = page;
  return { open, grid: { rows, paging: byPage, stale, error, paper: paperByPage } };
}

/** What was charged, line by line, with the subtotal below; usage lines open their records. */
export function LinesGrid({ invoice }: { readonly invoice: InvoiceDetail }) {
  const [state, setState] = useGridUrlState({ prefix: 'lines' });
  const [{ records }, choose] = useUrlParameters(openNames);
  const { open, grid } = useLines(invoice, state, records);
  const columns = useMemo(
    () => lineColumns(invoice.currency, (line) => choose({ records: line.id })),
    [invoice.currency, choose],
  );
  return (
    <>
      <Grid
        label={t('lines.label', { number: invoice.number })}
        columns={columns}
        {...grid}
        rowId={(line) => line.id}
        state={state}
        onState={setState}
        foot={{
          label: t('card.subtotal'),
          figure: formatMoney(invoice.subtotal, { currency: invoice.currency }),
        }}
        empty={<EmptyState level={2} title={t('lines.empty')} />}
      />
      {open && (
        <LineUsageDialog
          line={open}
          currency={invoice.currency}
          more={<LineUsageLink line={open} />}
          onClose={() => choose({ records: undefined })}
        />
      )}
    </>
  );
}
