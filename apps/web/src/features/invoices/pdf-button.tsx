import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useRef, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { addressOf, saveFile } from '../../lib/files/save-file.ts';
import { pdfName } from '../../shared/invoices/invoice-pdf.ts';
import { fetchInvoicePdf } from '../../shared/invoices/invoice-queries.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './invoices.module.css';
import { t } from './messages.ts';

interface Opened {
  readonly name: string;
  readonly url: string;
  /** The browser refused a new tab, so the file was saved. */
  readonly saved: boolean;
}

/**
 * Fetches the PDF with the session and shows it in a new tab. The tab is opened within the press, before the file
 * is there: later the browser would take it for a pop-up. A viewer cannot know the file's name, so the page offers
 * to save it under that.
 */
export function PdfButton({ invoice }: { readonly invoice: Pick<Invoice, 'id' | 'number'> }) {
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const running = useRef(false);

  const show = async (): Promise<void> => {
    if (running.current) return;
    running.current = true;
    const tab = globalThis.open('about:blank', '_blank');
    setBusy(true);
    try {
      const file = await fetchInvoicePdf(invoice.id);
      const name = file.fileName ?? pdfName(invoice.number);
      const url = addressOf(file.blob);
      const saved = tab === null || tab.closed;
      if (saved) saveFile(file, name);
      else tab.location.replace(url);
      setOpened({ name, url, saved });
    } catch (error) {
      tab?.close();
      reportFailure(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  return (
    <div className={styles.pdf}>
      <Button size="tall" busy={busy} busyLabel={t('detail.openingPdf')} onClick={() => void show()}>
        <Icon name="file" />
        {t('detail.viewPdf')}
      </Button>
      <p className={styles.pdfNote} role="status">
        {opened && (
          <>
            {t(opened.saved ? 'detail.pdfSaved' : 'detail.pdfOpen', { name: opened.name })}{' '}
            {!opened.saved && (
              <a href={opened.url} download={opened.name}>
                {t('detail.pdfSave')}
              </a>
            )}
          </>
        )}
      </p>
    </div>
  );
}
