import {
  type AdminImportDetail,
  isDocumentFormat,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { undoImport } from './queries.ts';

interface UndoDialogProps {
  readonly run: AdminImportDetail;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Takes out again what an import made; the button says how much that is. */
export function UndoDialog({ run, onDone, onClose }: UndoDialogProps) {
  const [note, setNote] = useState('');
  const made = { rows: run.created, kind: isDocumentFormat(run.format) ? 'invoice' : 'record' };
  return (
    <FormDialog
      title={t('undo.title', { name: run.fileName })}
      discard={common('action.cancel')}
      act={t('undo.act', made)}
      busyAct={t('undo.busy')}
      disabled={note.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        if (note.trim() === '') return;
        await undoImport(run.id, note.trim());
        await onDone();
      }}
    >
      <p>{t('undo.text')}</p>
      <TextInput
        label={t('undo.note')}
        type="text"
        autoComplete="off"
        maxLength={500}
        required
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
