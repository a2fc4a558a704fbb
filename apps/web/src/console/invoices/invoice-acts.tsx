import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { useMay } from '../operator.ts';
import { NoteDialog } from '../parts/note-dialog.tsx';
import { LinkDialog } from '../pay-links/link-dialog.tsx';
import { makePayLink } from '../pay-links/queries.ts';
import { t } from './messages.ts';
import { actOnInvoice, fetchPdf, type InvoiceAct } from './queries.ts';

/** What can be done where an invoice stands; money that came for it keeps it from being voided. */
function actsFor({ kind, status, paid, credited }: AdminInvoice): readonly InvoiceAct[] {
  if (kind === 'creditNote') return [];
  if (status === 'void' || status === 'disputed') return ['reopen'];
  if (status !== 'open') return [];
  return Number(paid) === 0 && Number(credited) === 0 ? ['dispute', 'void'] : ['dispute'];
}

interface InvoiceActsProps {
  readonly invoice: AdminInvoice;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => void;
}

/** The buttons of an invoice, and the dialogs behind them. */
export function InvoiceActs({ invoice, onDone }: InvoiceActsProps) {
  const { id, number, kind, status } = invoice;
  const client = useQueryClient();
  const mayChange = useMay('invoices:write');
  const [busy, setBusy] = useState<'pdf' | 'link'>();
  const [asked, setAsked] = useState<InvoiceAct>();
  const [link, setLink] = useState<AdminPayLink>();
  const run = async (what: 'pdf' | 'link', work: () => Promise<void>) => {
    if (busy !== undefined) return;
    setBusy(what);
    await work().catch(reportFailure);
    setBusy(undefined);
  };
  return (
    <>
      <Button
        busy={busy === 'pdf'}
        busyLabel={t('pdf.busy')}
        onClick={() =>
          void run('pdf', async () => saveFile(await fetchPdf(id), safeFileName(`invoice_${number}.pdf`)))
        }
      >
        {t('pdf')}
      </Button>
      {mayChange && kind === 'invoice' && status !== 'void' && (
        <Button
          busy={busy === 'link'}
          busyLabel={t('payLink.busy')}
          onClick={() => void run('link', async () => setLink(await makePayLink(id)))}
        >
          {t('payLink')}
        </Button>
      )}
      {mayChange &&
        actsFor(invoice).map((act) => (
          <Button key={act} onClick={() => setAsked(act)}>
            {t(act)}
          </Button>
        ))}
      {link !== undefined && <LinkDialog link={link} onDone={onDone} onClose={() => setLink(undefined)} />}
      {asked !== undefined && (
        <NoteDialog
          title={t(`${asked}.title`, { number })}
          text={t(`${asked}.text`)}
          label={t('note')}
          act={t(asked)}
          busyAct={t(`${asked}.busy`)}
          onClose={() => setAsked(undefined)}
          onSubmit={async (note) => {
            await actOnInvoice(id, asked, note);
            await client.invalidateQueries({ queryKey: ['invoice', id] });
            setAsked(undefined);
            onDone(t(`${asked}.done`, { number }));
          }}
        />
      )}
    </>
  );
}
