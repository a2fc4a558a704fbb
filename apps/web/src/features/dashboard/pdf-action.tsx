import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { pdfName, saveInvoicePdf } from '../../shared/invoices/invoice-pdf.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './dashboard.module.css';
import { t } from './messages.ts';

interface PdfActionProps {
  readonly invoice: Pick<Invoice, 'id' | 'number'>;
  /** `word`: outlined, with the word PDF. `icon` (default): the drawing alone. `grid`: with the word on cards. */
  readonly look?: 'word' | 'icon' | 'grid';
}

const looks = {
  word: {},
  icon: { variant: 'quiet', iconOnly: true },
  grid: { variant: 'quiet', className: styles.gridAction },
} as const;

/** Saves the invoice as a PDF. */
export function PdfAction({ invoice, look = 'icon' }: PdfActionProps) {
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void saveInvoicePdf(invoice)
      .catch(reportFailure)
      .finally(() => setBusy(false));
  };
  const act = t('pdf.download', { name: pdfName(invoice.number) });
  return (
    <Button
      {...looks[look]}
      aria-label={look === 'icon' ? act : `${t('pdf.short')}: ${act}`}
      busy={busy}
      busyLabel={look === 'word' ? t('pdf.short') : ''}
      onClick={save}
    >
      <Icon name="download" />
      {look !== 'icon' && <span className={styles.word}>{t('pdf.short')}</span>}
    </Button>
  );
}
