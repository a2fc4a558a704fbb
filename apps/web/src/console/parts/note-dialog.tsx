import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';

interface NoteDialogProps {
  readonly title: string;
  /** What follows from it. */
  readonly text: string;
  readonly label: string;
  readonly act: string;
  readonly busyAct: string;
  /** Does it; the note is never empty. */
  readonly onSubmit: (note: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the words that stay with a decision. */
export function NoteDialog({ title, text, label, act, busyAct, onSubmit, onClose }: NoteDialogProps) {
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={title}
      discard={common('action.cancel')}
      act={act}
      busyAct={busyAct}
      disabled={note.trim() === ''}
      onClose={onClose}
      onSubmit={() => onSubmit(note.trim())}
    >
      <p>{text}</p>
      <TextInput
        label={label}
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
