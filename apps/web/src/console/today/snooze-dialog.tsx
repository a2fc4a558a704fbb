import type { Need } from '@counterfoil/contract/operator/running/today.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { snooze } from './queries.ts';
import { morningOf, type SnoozeUntil, snoozeUntil } from './snooze-until.ts';
import { whatOf } from './words.ts';

interface SnoozeDialogProps {
  readonly need: Need;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Puts a thing off for oneself, until a morning. */
export function SnoozeDialog({ need, onDone, onClose }: SnoozeDialogProps) {
  const client = useQueryClient();
  const [until, setUntil] = useState<SnoozeUntil>('tomorrow');
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={t('snooze.title')}
      discard={common('action.cancel')}
      act={t('snooze')}
      busyAct={t('snooze.busy')}
      onClose={onClose}
      onSubmit={async () => {
        await snooze(need, morningOf(until, new Date()), note.trim());
        await client.invalidateQueries({ queryKey: ['today'] });
        onDone();
      }}
    >
      <p dir="auto">{whatOf(need)}</p>
      <Select
        label={t('snooze.until')}
        hint={t('snooze.hint')}
        value={until}
        onChange={({ currentTarget }) =>
          setUntil(snoozeUntil.find((one) => one === currentTarget.value) ?? 'tomorrow')
        }
      >
        {snoozeUntil.map((one) => (
          <option key={one} value={one}>
            {t(`snooze.${one}`)}
          </option>
        ))}
      </Select>
      <TextInput
        label={t('snooze.note')}
        optional={t('snooze.optional')}
        type="text"
        autoComplete="off"
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </FormDialog>
  );
}
