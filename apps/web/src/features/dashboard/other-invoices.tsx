import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { type ToggleEvent, useId } from 'react';
import { formatDay, formatMoney } from '../../lib/format.ts';
import { signedAmount } from '../../lib/invoices/invoice-state.ts';
import { InvoiceStatePill } from '../../lib/invoices/invoice-state-pill.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './dashboard.module.css';
import { InvoiceLink } from './invoice-link.tsx';
import { t } from './messages.ts';
import { PdfAction } from './pdf-action.tsx';

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
      <div id={id} popover="auto" className={styles.menu} onToggle={place}>
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

/** Below its button and within the window; the browser closes it on Escape and on a press elsewhere. */
function place({ currentTarget: menu }: ToggleEvent<HTMLDivElement>): void {
  const at = menu.previousElementSibling?.getBoundingClientRect();
  if (!at) return;
  const { style, offsetWidth: width, offsetHeight: height } = menu;
  const isLow = at.bottom + 4 + height > innerHeight;
  // From the page's edges, so that the menu stays with its row when the page scrolls.
  style.left = `${scrollX + Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  style.top = `${scrollY + (isLow ? Math.max(8, at.top - 4 - height) : at.bottom + 4)}px`;
}
