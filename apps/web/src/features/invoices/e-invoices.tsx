import type { InvoiceDetail } from '@counterfoil/contract/invoices.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { type EInvoiceForm, fetchEInvoice, invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { Button } from '../../ui/fields/button.tsx';
import styles from './invoices.module.css';
import { t } from './messages.ts';

const endings: Readonly<Record<EInvoiceForm, string>> = { ubl: '.xml', facturX: '_factur-x.pdf' };

/** The invoice as data, in the forms in which it can be had; nothing where it cannot. */
export function EInvoices({ invoice }: { readonly invoice: Pick<InvoiceDetail, 'id' | 'number'> }) {
  const forms = useQuery(invoiceQueries.eInvoices(invoice.id)).data ?? [];
  const [busy, setBusy] = useState<EInvoiceForm>();
  const running = useRef(false);

  const save = async (form: EInvoiceForm): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(form);
    try {
      saveFile(
        await fetchEInvoice(invoice.id, form),
        safeFileName(`invoice_${invoice.number}${endings[form]}`),
      );
    } catch (error) {
      reportFailure(error);
    } finally {
      running.current = false;
      setBusy(undefined);
    }
  };

  if (forms.length === 0) return null;
  return (
    <section className={styles.asData} aria-label={t('eInvoice.label')}>
      <span>{t('eInvoice.label')}</span>
      {forms.map((form) => (
        <Button
          key={form}
          variant="quiet"
          size="small"
          busy={busy === form}
          busyLabel={t('eInvoice.saving')}
          onClick={() => void save(form)}
        >
          {t(`eInvoice.${form}`)}
        </Button>
      ))}
    </section>
  );
}
