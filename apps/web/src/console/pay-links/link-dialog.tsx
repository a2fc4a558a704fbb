import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useMay } from '../operator.ts';
import { NoteDialog } from '../parts/note-dialog.tsx';
import parts from '../parts/parts.module.css';
import { t } from './messages.ts';
import { endPayLink, replacePayLink } from './queries.ts';

interface LinkDialogProps {
  readonly link: AdminPayLink;
  /** Something was done; the words say what. */
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/** A pay link to be copied, replaced or ended. */
export function LinkDialog({ link, onDone, onClose }: LinkDialogProps) {
  const client = useQueryClient();
  const mayChange = useMay('invoices:write');
  const [shown, setShown] = useState(link);
  const [asked, setAsked] = useState<'replace' | 'end'>();
  const { invoiceId, invoice, url, state, expiresAt, invoiceStatus } = shown;
  const refresh = () => client.invalidateQueries({ queryKey: ['pay-links'] });
  if (asked === 'replace')
    return (
      <NoteDialog
        title={t('replace.title', { invoice })}
        text={t('replace.text')}
        label={t('replace.note')}
        act={t('replace')}
        busyAct={t('replace.busy')}
        onClose={() => setAsked(undefined)}
        onSubmit={async (note) => {
          setShown(await replacePayLink(invoiceId, note));
          await refresh();
          setAsked(undefined);
          onDone(t('replace.done', { invoice }));
        }}
      />
    );
  if (asked === 'end')
    return (
      <ConfirmDialog
        title={t('end.title', { invoice })}
        act={t('end.act')}
        busyAct={t('end.busy')}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          await endPayLink(invoiceId);
          await refresh();
          onClose();
          onDone(t('end.done', { invoice }));
        }}
      >
        {t('end.text')}
      </ConfirmDialog>
    );
  const { day } = formatMoment(expiresAt, 'UTC');
  const canReplace = mayChange && invoiceStatus !== 'void';
  return (
    <Dialog
      title={t('link.title', { invoice })}
      open
      onClose={onClose}
      actions={
        <>
          {mayChange && <Button onClick={() => setAsked('end')}>{t('end')}</Button>}
          {canReplace && <Button onClick={() => setAsked('replace')}>{t('replace')}</Button>}
          <Button onClick={onClose}>{t('close')}</Button>
        </>
      }
    >
      <div className={parts.secret}>
        <p>{t(state === 'active' ? 'link.works' : 'link.expired', { day })}</p>
        <code>{url}</code>
        <CopyButton text={url} label={t('copy')} copied={t('copied')} />
      </div>
    </Dialog>
  );
}
