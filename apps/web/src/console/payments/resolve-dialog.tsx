import type { AdminPaymentStory } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { resolve } from './queries.ts';

interface ResolveDialogProps {
  readonly payment: AdminPaymentStory;
  readonly onDone: (resolved: AdminPaymentStory) => Promise<void>;
  readonly onClose: () => void;
}

/** Ends a payment of which no look-up can tell what became of it, by what a person found out. */
export function ResolveDialog({ payment, onDone, onClose }: ResolveDialogProps) {
  const [outcome, setOutcome] = useState<'' | 'captured' | 'absent'>('');
  const [gatewayId, setGatewayId] = useState('');
  const [note, setNote] = useState('');
  const isWhole = outcome !== '' && note.trim() !== '';
  return (
    <FormDialog
      title={t('resolve.title')}
      discard={common('action.cancel')}
      act={t('resolve.act')}
      busyAct={t('resolve.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (outcome === '' || !isWhole) return;
        const known = outcome === 'captured' && gatewayId.trim() !== '';
        const said = { outcome, note: note.trim(), ...(known && { gatewayId: gatewayId.trim() }) };
        await onDone(await resolve(payment.id, said));
      }}
    >
      <p>{t('resolve.text')}</p>
      <Select
        label={t('resolve.outcome')}
        required
        value={outcome}
        onChange={(event) => setOutcome(event.currentTarget.value as typeof outcome)}
      >
        <option value="" />
        <option value="captured">{t('resolve.captured')}</option>
        <option value="absent">{t('resolve.absent')}</option>
      </Select>
      {outcome === 'captured' && (
        <TextInput
          label={t('resolve.gatewayId')}
          optional={t('resolve.optional')}
          type="text"
          autoComplete="off"
          maxLength={255}
          value={gatewayId}
          onChange={(event) => setGatewayId(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('resolve.note')}
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
