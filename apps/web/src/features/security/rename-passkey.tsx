import type { Passkey } from '@counterfoil/contract/people/passkeys.ts';
import { useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './passkey-messages.ts';
import { renamePasskey } from './passkey-queries.ts';

const formId = 'passkey-rename';
const LONGEST_NAME = 60;

interface RenamePasskeyProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onRenamed: () => Promise<unknown>;
}

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onClose, onRenamed }: RenamePasskeyProps) {
  const [name, setName] = useState(passkey.name);
  const isEmpty = name.trim() === '';
  const submit = useSubmit(async () => {
    if (isEmpty) return;
    await renamePasskey(passkey.id, name.trim());
    await onRenamed();
  });
  return (
    <Dialog
      title={t('rename.title')}
      open
      onClose={onClose}
      locked={submit.busy}
      actions={
        <>
          <Button onClick={onClose}>{common('action.cancel')}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={isEmpty}
            busy={submit.busy}
            busyLabel={t('rename.busy')}
          >
            {t('rename.action')}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form id={formId} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <TextInput
          label={t('rename.label')}
          hint={t('rename.hint')}
          id="passkey-name"
          name="name"
          autoComplete="off"
          maxLength={LONGEST_NAME}
          required
          tall
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isEmpty ? t('rename.empty') : undefined}
        />
      </form>
    </Dialog>
  );
}
