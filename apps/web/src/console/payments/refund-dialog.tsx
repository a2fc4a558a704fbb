import type {
  AdminPayment,
  AdminPaymentStory,
} from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { formatDecimal, type Money } from '@counterfoil/domain/money/money.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { formatMoney } from '../../text/format.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useGatewayNames } from '../gateways/gateway-name.tsx';
import { t } from './messages.ts';
import { refund } from './queries.ts';
import { feeIn, typedRefund } from './refundable.ts';

interface RefundDialogProps {
  readonly payment: AdminPaymentStory;
  /** What can still go back. */
  readonly left: Money;
  readonly onDone: (made: AdminPayment) => Promise<void>;
  readonly onClose: () => void;
}

/** Gives a payment back, whole or in part; the button says how much. */
export function RefundDialog({ payment, left, onDone, onClose }: RefundDialogProps) {
  const { currency } = payment;
  const nameOf = useGatewayNames();
  const most = formatMoney(formatDecimal(left), { currency });
  const [typed, setTyped] = useState(formatDecimal(left));
  const [note, setNote] = useState('');
  // One order: sent again after an answer that was lost, it moves no money twice.
  const [key] = useState(newIdempotencyKey);
  const amount = typedRefund(typed, left);
  const fee = feeIn(amount, payment);
  const hint = t('refund.left', { amount: most });
  return (
    <FormDialog
      title={t('refund.title', { method: payment.method ?? nameOf(payment.gateway) })}
      discard={common('action.cancel')}
      act={t('refund.act', { amount: amount === null ? '' : formatMoney(amount, { currency }) })}
      busyAct={t('refund.busy')}
      disabled={amount === null || note.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        if (amount === null || note.trim() === '') return;
        await onDone(await refund(payment.id, { amount, note: note.trim() }, key));
      }}
    >
      <TextInput
        label={t('refund.amount', { currency })}
        hint={fee === null ? hint : `${t('refund.fee', { fee: formatMoney(fee, { currency }) })} ${hint}`}
        type="text"
        inputMode="decimal"
        name="amount"
        autoComplete="off"
        maxLength={17}
        required
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={amount === null && typed.trim() !== '' ? t('refund.wrongAmount', { amount: most }) : undefined}
      />
      <TextInput
        label={t('refund.note')}
        hint={t('refund.noteHint')}
        type="text"
        name="note"
        autoComplete="off"
        maxLength={500}
        required
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
