import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import styles from './customers.module.css';
import { t } from './messages.ts';
import { inviteUser } from './queries.ts';

interface InviteDialogProps {
  readonly customerId: string;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Lets a person sign in for the customer; who is new gets a mail. */
export function InviteDialog({ customerId, onDone, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const isWhole = isMailAddress(email.trim()) && name.trim() !== '';
  return (
    <FormDialog
      title={t('invite.title')}
      discard={common('action.cancel')}
      act={t('invite.act')}
      busyAct={t('invite.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (!isWhole) return;
        await inviteUser(customerId, email.trim(), name.trim());
        await onDone(t('invite.done', { name: name.trim() }));
      }}
    >
      <div className={styles.fields}>
        <TextInput
          label={t('invite.email')}
          type="email"
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          maxLength={254}
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label={t('invite.name')}
          type="text"
          name="name"
          autoComplete="off"
          maxLength={200}
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <p className={styles.muted}>{t('invite.hint')}</p>
      </div>
    </FormDialog>
  );
}
