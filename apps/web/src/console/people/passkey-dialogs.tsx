import type { Passkey } from '@counterfoil/contract/people/passkeys.ts';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useCode } from './fields.tsx';
import { t } from './messages.ts';
import { removePasskey, renamePasskey } from './queries.ts';

interface ProveDialogProps {
  readonly onProof: (code: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the newest code, because the sign-in was a while ago. */
export function ProveDialog({ onProof, onClose }: ProveDialogProps) {
  const { code, field, isWhole } = useCode();
  return (
    <FormDialog
      title={t('passkey.confirm')}
      discard={common('action.cancel')}
      act={t('passkey.confirm.act')}
      busyAct={t('passkey.confirm.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (isWhole) await onProof(code);
      }}
    >
      <p>{t('passkey.confirm.text')}</p>
      {field}
    </FormDialog>
  );
}

interface PasskeyDialogProps {
  readonly row: Passkey;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

const LONGEST_NAME = 60;

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ row, onDone, onClose }: PasskeyDialogProps) {
  const [typed, setTyped] = useState(row.name);
  const name = typed.trim();
  return (
    <FormDialog
      title={t('passkey.rename.name', { name: row.name })}
      discard={common('action.cancel')}
      act={t('passkey.rename.act')}
      busyAct={t('passkey.rename.busy')}
      disabled={name === ''}
      onClose={onClose}
      onSubmit={async () => {
        if (name === '') return;
        await renamePasskey(row.id, name);
        await onDone(t('passkey.rename.done', { name }));
      }}
    >
      <TextInput
        label={t('passkey.rename.label')}
        type="text"
        name="name"
        autoComplete="off"
        maxLength={LONGEST_NAME}
        required
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** Takes a passkey away; the code is asked for once the server says that it is needed. */
export function RemovePasskeyDialog({ row: { id, name }, onDone, onClose }: PasskeyDialogProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const { code, field, isWhole } = useCode();
  return (
    <FormDialog
      title={t('passkey.remove.title', { name })}
      discard={common('action.cancel')}
      act={t('passkey.remove')}
      busyAct={t('passkey.remove.busy')}
      disabled={needsCode && !isWhole}
      onClose={onClose}
      onSubmit={async () => {
        try {
          await removePasskey(id, needsCode ? { code } : {});
        } catch (error) {
          if (error instanceof ApiError && error.code === 'operator.codeNeeded') return setNeedsCode(true);
          throw error;
        }
        await onDone(t('passkey.remove.done', { name }));
      }}
    >
      <p>{t('passkey.remove.text')}</p>
      {needsCode && field}
    </FormDialog>
  );
}
