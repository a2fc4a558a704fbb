import type {
  QuarantinedEntry,
  QuarantineRetried,
} from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { retryEntry } from './queries.ts';

interface CorrectDialogProps {
  readonly entry: QuarantinedEntry;
  readonly onDone: (retried: QuarantineRetried) => Promise<void>;
  readonly onClose: () => void;
}

/** Other values for a row, or a customer who takes it; then it is tried again by itself. */
export function CorrectDialog({ entry, onDone, onClose }: CorrectDialogProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [customer, setCustomer] = useState('');
  const isRow = entry.kind === 'usage';
  // What is wrong stands first.
  const cells = isRow ? entry.values.toSorted((a, b) => Number(b.isWrong) - Number(a.isWrong)) : [];
  const values = Object.fromEntries(
    cells.flatMap(({ name, value }) => {
      const now = typed[name] ?? value;
      return now === value ? [] : [[name, now] as const];
    }),
  );
  const isOwned = customer.trim() !== '';
  return (
    <FormDialog
      title={t('correct.title', { where: entry.line ?? entry.fileName })}
      discard={common('action.cancel')}
      act={t('retry')}
      busyAct={t('retry.busy')}
      disabled={!isOwned && Object.keys(values).length === 0}
      onClose={onClose}
      onSubmit={async () =>
        onDone(await retryEntry(entry.id, { values, ...(isOwned && { customer: customer.trim() }) }))
      }
    >
      <p>{entry.reason}</p>
      {cells.map(({ name, value, isWrong }) => (
        <TextInput
          key={name}
          label={name}
          type="text"
          autoComplete="off"
          spellCheck="false"
          maxLength={4_000}
          value={typed[name] ?? value}
          error={isWrong && (typed[name] ?? value) === value ? t('correct.wrong') : undefined}
          onChange={(event) => {
            const { value: next } = event.currentTarget;
            setTyped((before) => ({ ...before, [name]: next }));
          }}
        />
      ))}
      <TextInput
        label={t('correct.customer')}
        hint={t('correct.customerHint')}
        type="text"
        autoComplete="off"
        spellCheck="false"
        maxLength={200}
        value={customer}
        onChange={(event) => setCustomer(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
