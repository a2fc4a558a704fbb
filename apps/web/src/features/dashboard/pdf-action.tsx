import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { pdfName, saveInvoicePdf } from '../../lib/invoices/invoice-pdf.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './messages.ts';

interface PdfActionProps {
  readonly invoice: Pick<Invoice, 'id' | 'number'>;
  /** With the word PDF, outlined; otherwise the drawing alone. */
  readonly withWord?: boolean;
}

/** Saves the invoice as a PDF. */
export function PdfAction({ invoice, withWord = false }: PdfActionProps) {
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void saveInvoicePdf(invoice)
      .catch(reportFailure)
      .finally(() => setBusy(false));
  };
  return (
    <Button
      {...(withWord ? {} : { variant: 'quiet', iconOnly: true })}
      aria-label={`${withWord ? `${t('pdf.short')}: ` : ''}${t('pdf.download', { name: pdfName(invoice.number) })}`}
      busy={busy}
      busyLabel={withWord ? t('pdf.short') : ''}
      onClick={save}
    >
      <Icon name="download" />
      {withWord && t('pdf.short')}
    </Button>
  );
}
