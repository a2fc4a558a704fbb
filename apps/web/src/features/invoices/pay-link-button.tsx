import type { Invoice } from '@counterfoil/contract/invoices.ts';
import type { RotatedLink } from '@counterfoil/contract/paying/pay-links.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { payAddress } from '../../shared/invoices/invoice-state.ts';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './invoices.module.css';
import { t } from './messages.ts';

interface PayLinkButtonProps {
  readonly invoice: Pick<Invoice, 'id' | 'number'> & { readonly payToken: string };
}

type Shown = 'nothing' | 'link' | 'confirmation';

/** Shows the link with which anybody can pay this invoice, and gives it a new one on request. */
export function PayLinkButton({ invoice }: PayLinkButtonProps) {
  const [shown, setShown] = useState<Shown>('nothing');
  const [made, setMade] = useState<string>();
  const known = useQueryClient();
  const title = t('link.title', { number: invoice.number });
  const close = () => setShown('nothing');
  const rotate = async () => {
    const path = `/v1/ec/invoice/${encodeURIComponent(invoice.id)}/pay-link`;
    setMade((await api.post<RotatedLink>(path)).payToken);
    setShown('link');
    void known.invalidateQueries({ queryKey: invoiceQueries.all });
  };
  const address = payAddress({ payToken: made ?? invoice.payToken });
  return (
    <>
      <Button variant="quiet" size="tall" className={styles.payLinkOpen} onClick={() => setShown('link')}>
        {t('link.open')}
      </Button>
      {shown === 'link' && (
        <Dialog
          title={title}
          open
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{common('action.close')}</Button>
              <Button onClick={() => setShown('confirmation')}>{t('link.new')}</Button>
            </>
          }
        >
          <div className={styles.payLink}>
            <p role="status">{t(made === undefined ? 'link.text' : 'link.made')}</p>
            <TextInput
              label={t('link.label')}
              readOnly
              dir="ltr"
              value={new URL(address, globalThis.location.origin).href}
              onFocus={(event) => event.currentTarget.select()}
            />
            <div>
              <CopyButton
                key={address}
                text={new URL(address, globalThis.location.origin).href}
                label={t('link.copy')}
                copied={t('link.copied')}
              />
            </div>
          </div>
        </Dialog>
      )}
      {shown === 'confirmation' && (
        <ConfirmDialog
          title={title}
          act={t('link.new')}
          busyAct={t('link.making')}
          onConfirm={rotate}
          onClose={() => setShown('link')}
        >
          <p>{t('link.newText')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
