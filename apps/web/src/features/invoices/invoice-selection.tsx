import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { MAX_BULK_INVOICES } from '@counterfoil/contract/paying/bulk-pay.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useBulkPay } from '../../paying/bulk/use-bulk-pay.ts';
import { isOwed, isPayable, offersPay } from '../../shared/invoices/invoice-state.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { formatMoney } from '../../text/format.ts';
import { SelectionBar } from '../../ui/data/selection-bar.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';
import { isForeign, overdueOf, type Selection } from './selection.ts';

interface InvoiceSelectionProps {
  readonly all: readonly Invoice[];
  /** Those of the page shown that can be paid. */
  readonly onPage: readonly Invoice[];
  readonly selection: Selection;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/** What choosing is good for, or why there is nothing to choose. What waits for its payer has a Pay of its own. */
function hintFor(all: readonly Invoice[]) {
  if (all.length === 0 || all.some(isPayable)) return 'select.hint';
  if (all.some(offersPay)) return 'select.waiting';
  const owed = all.filter((invoice) => isOwed(invoice) && invoice.state !== 'void');
  if (owed.length === 0) return 'select.settled';
  return owed.every(({ state }) => state === 'beingConfirmed') ? 'select.confirming' : 'select.nothing';
}

/** '3 selected, $123.45', Deselect all and Pay; with nothing chosen, what is overdue at once. */
export function InvoiceSelection({ all, onPage, selection, onChange }: InvoiceSelectionProps) {
  const { brand, settings } = usePortal();
  const pay = useBulkPay();
  const { invoices, ids, currency, total } = selection;
  const label = settings.invoiceLabelPlural.toLocaleLowerCase();
  const isTooMany = invoices.length > MAX_BULK_INVOICES;
  const foreign = new Set(
    all.filter((invoice) => isPayable(invoice) && isForeign(invoice, selection)).map((one) => one.currency),
  );
  const currencies = new Intl.ListFormat(readerLocale()).format(foreign);
  return (
    <SelectionBar
      count={invoices.length}
      hint={t(hintFor(all), { label })}
      note={
        isTooMany
          ? t('select.tooMany', { max: MAX_BULK_INVOICES })
          : foreign.size > 0 && t('select.otherCurrency', { label: settings.invoiceLabelPlural, currencies })
      }
      idle={overdueOf(all, brand.currency).map((overdue) => (
        <Button
          key={overdue.currency}
          size="small"
          onClick={() => pay(overdue.ids.slice(0, MAX_BULK_INVOICES))}
        >
          {t('select.payOverdue', { amount: formatMoney(overdue.total, { currency: overdue.currency }) })}
        </Button>
      ))}
      selectAll={
        onPage.length > 0 && (
          <Button size="small" onClick={() => onChange(new Set([...ids, ...onPage.map(({ id }) => id)]))}>
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
