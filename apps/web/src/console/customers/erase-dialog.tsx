import type { Erasure } from '@counterfoil/contract/operator/customers/privacy.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { eraseData } from './queries.ts';

/** Whose data it is. */
export interface DataOf {
  readonly customerId: string;
  /** Of a user; undefined: the customer is meant. */
  readonly email: string | undefined;
  readonly name: string;
}

interface EraseDialogProps {
  readonly of: DataOf;
  /** What it would do. */
  readonly foreseen: Erasure;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

const rowsOf = ({ tables }: Erasure, becomes: 'deleted' | 'changed'): number =>
  tables.filter((table) => table.becomes === becomes).reduce((sum, { rows }) => sum + rows, 0);

/** Says what is erased, and erases it once the name was typed. */
export function EraseDialog({
  of: { customerId, email, name },
  foreseen,
  onDone,
  onClose,
}: EraseDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={t('data.erase.title', { name })}
      discard={common('action.cancel')}
      act={t('data.erase.act')}
      busyAct={t('data.erase.busy')}
      disabled={typed.trim() !== name}
      onClose={onClose}
      onSubmit={async () => {
        await eraseData(customerId, email, true);
        await onDone();
      }}
    >
      <p>
        {t('data.erase.counts', {
          deleted: rowsOf(foreseen, 'deleted'),
          changed: rowsOf(foreseen, 'changed'),
        })}
      </p>
      <p>{t(email === undefined ? 'data.erase.customer' : 'data.erase.user')}</p>
      <TextInput
        label={t('data.erase.type', { name })}
        type="text"
        autoComplete="off"
        spellCheck="false"
        required
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
