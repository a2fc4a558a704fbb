import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { MAX_BULK_INVOICES } from '@counterfoil/contract/paying/bulk-pay.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useBulkPay } from '../../paying/bulk/use-bulk-pay.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { formatMoney } from '../../text/format.ts';
import { SelectionBar } from '../../ui/data/selection-bar.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';
import { isForeign, type Selection } from './selection.ts';

interface InvoiceSelectionProps {
  /** Undefined while it is on its way. */
  readonly overview: InvoiceOverview | undefined;
  /** Those of the page shown that can be paid. */
  readonly onPage: readonly Invoice[];
  /** Another page is on its way: the one shown is not the one that is meant. */
  readonly isStale: boolean;
  readonly selection: Selection;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/** What choosing is good for, or why there is nothing to choose. What waits for its payer has a Pay of its own. */
function hintFor(overview: InvoiceOverview | undefined) {
  if (overview === undefined || overview.count === 0 || overview.payable > 0) return 'select.hint';
  if (overview.offersPay > 0) return 'select.waiting';
  if (overview.owed === 0) return 'select.settled';
  return overview.owed === overview.confirming ? 'select.confirming' : 'select.nothing';
}

/** '3 selected, $123.45', Deselect all and Pay; with nothing chosen, what is overdue at once. */
export function InvoiceSelection({ overview, onPage, isStale, selection, onChange }: InvoiceSelectionProps) {
  const { settings } = usePortal();
  const pay = useBulkPay();
  const { invoices, ids, currency, total } = selection;
  const label = settings.invoiceLabelPlural.toLocaleLowerCase();
  const isTooMany = invoices.length > MAX_BULK_INVOICES;
  const sums = overview?.currencies ?? [];
  const foreign = sums.filter((one) => one.payable > 0 && isForeign(one, selection));
  const currencies = new Intl.ListFormat(readerLocale()).format(foreign.map((one) => one.currency));
  return (
    <SelectionBar
      count={invoices.length}
      hint={t(hintFor(overview), { label })}
      note={
        isTooMany
          ? t('select.tooMany', { max: MAX_BULK_INVOICES })
          : foreign.length > 0 &&
            t('select.otherCurrency', { label: settings.invoiceLabelPlural, currencies })
      }
      idle={sums
        .filter(({ payableOverdue }) => payableOverdue.count > 0)
        .map(({ currency: of, payableOverdue, payableOverdueIds, payableOverdueTogether: together }) => (
          <Button key={of} size="small" onClick={() => pay(payableOverdueIds)}>
            {t(together.count < payableOverdue.count ? 'select.payOldest' : 'select.payOverdue', {
              count: together.count,
              amount: formatMoney(together.amount, { currency: of }),
            })}
          </Button>
        ))}
      selectAll={
        onPage.length > 0 && (
          <Button
            size="small"
            aria-disabled={isStale || undefined}
            onClick={() => isStale || onChange(new Set([...ids, ...onPage.map(({ id }) => id)]))}
          >
            {t('select.page')}
          </Button>
        )
      }
      actions={
        <>
          <Button variant="quiet" onClick={() => onChange(new Set())}>
            {t('select.none')}
          </Button>
          <Button variant="primary" disabled={isTooMany} onClick={() => pay([...ids])}>
            {t('pay')}
          </Button>
        </>
      }
    >
      {t('select.count', { count: invoices.length, amount: formatMoney(total, { currency }) })}
    </SelectionBar>
  );
}
