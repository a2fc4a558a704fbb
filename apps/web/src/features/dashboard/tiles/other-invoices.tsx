import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useId } from 'react';
import { signedAmount } from '../../../shared/invoices/invoice-state.ts';
import { InvoiceStatePill } from '../../../shared/invoices/invoice-state-pill.tsx';
import { formatDay, formatMoney } from '../../../text/format.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { placePopover } from '../../../ui/overlays/place-popover.ts';
import styles from '../dashboard.module.css';
import { InvoiceLink } from '../invoice-link.tsx';
import { t } from '../messages.ts';
import { PdfAction } from '../pdf-action.tsx';

interface OtherInvoicesProps {
  readonly number: string;
  readonly invoices: readonly Invoice[];
}

/** The menu of an aggregated row: the older invoices of the same number, each to open or to save. */
export function OtherInvoices({ number, invoices }: OtherInvoicesProps) {
  const id = useId();
  const label = t('list.othersOf', { count: invoices.length, number });
  return (
    <>
      <Button variant="quiet" size="small" aria-label={label} popoverTarget={id}>
        {t('list.others', { count: invoices.length })}
        <Icon name="down" />
      </Button>
      <div
        id={id}
        popover="auto"
        className={styles.menu}
        onToggle={(event) => placePopover(event.currentTarget, 'left')}
      >
        <ul aria-label={label}>
          {invoices.map((invoice) => (
            <li key={invoice.id} className={styles.menuRow}>
              <span className={styles.itemName}>
                <InvoiceLink invoice={invoice} />
                <span className={styles.small}>
                  {formatDay(invoice.dateInvoice)} <InvoiceStatePill invoice={invoice} always />
                </span>
              </span>
              <span className={styles.number}>
                {formatMoney(signedAmount(invoice), { currency: invoice.currency })}
              </span>
              <PdfAction invoice={invoice} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
