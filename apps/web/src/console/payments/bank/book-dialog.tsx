import type {
  BankEntryCandidate,
  BankEntryDetail,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { isPositive, isZero } from '@counterfoil/domain/money/money.ts';
import { useState } from 'react';
import { FormDialog } from '../../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../../text/common.ts';
import { TextInput } from '../../../ui/fields/text-input.tsx';
import { signedAmount, sizeOf, surplusOf, whatOf } from './entry-words.tsx';
import { t } from './messages.ts';
import { book } from './queries.ts';

interface BookDialogProps {
  readonly entry: BankEntryDetail;
  readonly candidate: BankEntryCandidate;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before an entry is booked that is not just what is due. */
export function BookDialog({ entry, candidate, onDone, onClose }: BookDialogProps) {
  const [note, setNote] = useState('');
  const surplus = surplusOf(entry, candidate.invoices);
  const isBack = candidate.paymentId !== null;
  return (
    <FormDialog
      title={t('book.confirm', { amount: signedAmount(entry), what: whatOf(candidate) })}
      discard={common('action.cancel')}
      act={t(isBack ? 'book.back' : 'book')}
      busyAct={t('book.busy')}
      onClose={onClose}
      onSubmit={async () => {
        await book(entry.id, Object.assign(bookingOf(candidate), { note: note.trim() }));
        await onDone();
      }}
    >
      {isBack && <p>{t('book.confirmBack')}</p>}
      {!isBack && surplus !== undefined && !isZero(surplus) && (
        <p>{t(isPositive(surplus) ? 'book.confirmMore' : 'book.confirmLess', { amount: sizeOf(surplus) })}</p>
      )}
      <TextInput
        label={t('book.note')}
        type="text"
        autoComplete="off"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** What a candidate is booked by. */
export const bookingOf = ({ customerId, invoices, paymentId }: BankEntryCandidate) =>
  paymentId === null
    ? { customer: customerId, ...(invoices.length > 0 && { invoices: invoices.map(({ number }) => number) }) }
    : { payment: paymentId };
