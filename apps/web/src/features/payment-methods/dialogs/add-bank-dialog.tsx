import {
  type PaymentDetails,
  type SetupAnswer,
  SHARED_METHOD_PATHS,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { useId } from 'react';
import { BankFields } from '../../../paying/bank/bank-fields.tsx';
import type { BankDraft } from '../../../paying/bank/bank-form-model.ts';
import { useBankForm } from '../../../paying/bank/use-bank-form.ts';
import { saveMembers } from '../../../paying/entry/sent-members.ts';
import type { SentMethod } from '../../../paying/entry/use-entry-form.ts';
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx';
import { methodCalls } from '../calls.ts';
import { accountFailure } from '../failure-words.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { leaveForEntry } from './leave-for-entry.ts';
import { SendDialog } from './send-dialog.tsx';

export type BankDetails = NonNullable<PaymentDetails['bank']>;

interface AddBankDialogProps {
  readonly details: PaymentDetails;
  readonly bank: BankDetails;
  /** What the form begins with. */
  readonly email: string;
  readonly onAnswer: (answer: SetupAnswer) => Promise<void>;
  readonly onClose: () => void;
}

/** A new bank account: the form of its kind, and the mandate its holder agrees to. */
export function AddBankDialog({ details, bank, email, onAnswer, onClose }: AddBankDialogProps) {
  const id = useId();
  const onAccount = (sent: SentMethod, typed: BankDraft) =>
    save(details, bank, sent, typed)
      .then((answer) => answer && onAnswer(answer))
      .then(() => undefined)
      .catch((error: unknown) => ({ text: accountFailure(error) }));
  const prepare = () => methodCalls.prepare('bank', bank.scheme);
  const form = useBankForm({ bank, prepare, initial: { email }, agreeText: t('bank.agree'), onAccount });
  return (
    <SendDialog
      title={t('add.bank')}
      formId={id}
      busy={form.busy}
      missing={form.missing}
      {...(bank.entry.how === 'redirect' && { act: t('add.continue') })}
      onClose={onClose}
    >
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <form id={id} className={styles.form} method="dialog" onSubmit={form.onSubmit} noValidate>
        <BankFields bank={bank} form={form} />
      </form>
    </SendDialog>
  );
}

/** Saves the account with the agreement to the mandate, or leaves for the gateway's own page where it has one. */
async function save(
  { paymentType, paths }: PaymentDetails,
  { scheme, entry, mandate }: BankDetails,
  sent: SentMethod,
  typed: BankDraft,
): Promise<SetupAnswer | undefined> {
  if (entry.how === 'redirect') {
    await leaveForEntry('bank', scheme, entry.isPrepared);
    return undefined;
  }
  const agreed = mandate !== null && ({ mandateAccepted: true, mandateVersion: mandate.version } as const);
  const { entered } = sent;
  if ('token' in entered && sent.entryId === undefined && paths?.accounts === SHARED_METHOD_PATHS.accounts)
    return methodCalls.addAccount({
      paymentMethodId: entered.token,
      paymentMethodType: scheme,
      email: typed['email']?.trim() ?? '',
      ...agreed,
    });
  if (paths === null) return undefined;
  return methodCalls.addAccountAt(paths, {
    ...typed,
    ...saveMembers(sent),
    ...agreed,
    paymentMethodType: scheme,
    type: paymentType,
  });
}
