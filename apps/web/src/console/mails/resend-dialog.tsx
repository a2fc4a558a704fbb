import type { SentMailWhole } from '@counterfoil/contract/operator/running/mails.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { resend } from './queries.ts';

interface ResendDialogProps {
  readonly mail: SentMailWhole;
  /** @param address where it goes */
  readonly onDone: (address: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Sends a mail once more, to another address where it is about money. */
export function ResendDialog({ mail, onDone, onClose }: ResendDialogProps) {
  const [address, setAddress] = useState(mail.address);
  const isFixed = mail.addressIsFixed;
  return (
    <FormDialog
      title={t('resend.title')}
      discard={common('action.cancel')}
      act={t('resend.act')}
      busyAct={t('resend.busy')}
      disabled={address.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        const sent = await resend(mail.id, isFixed ? undefined : address.trim());
        await onDone(sent.address);
      }}
    >
      <p>{t('resend.text')}</p>
      {isFixed ? (
        <p>{t('resend.fixed', { address: mail.address })}</p>
      ) : (
        <TextInput
          label={t('resend.address')}
          type="email"
          autoComplete="off"
          spellCheck="false"
          maxLength={320}
          required
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
