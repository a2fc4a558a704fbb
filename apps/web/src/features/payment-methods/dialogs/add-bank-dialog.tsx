import type { PaymentDetails, SetupAnswer } from '@counterfoil/contract/payment-methods.ts';
import { useId } from 'react';
import { BankFields } from '../../../paying/bank/bank-fields.tsx';
import type { BankDraft } from '../../../paying/bank/bank-form-model.ts';
import { useBankForm } from '../../../paying/bank/use-bank-form.ts';
import type { SentMethod } from '../../../paying/entry/use-entry-form.ts';
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx';
import { methodCalls } from '../calls.ts';
import { accountFailure } from '../failure-words.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { leaveTo } from './leave-to.ts';
import { SendDialog } from './send-dialog.tsx';

export type BankDetails = NonNullable<PaymentDetails['bank']>;

interface AddBankDialogProps {
  readonly bank: BankDetails;
  /** What the form begins with. */
  readonly email: string;
  readonly onAnswer: (answer: SetupAnswer) => Promise<void>;
  readonly onClose: () => void;
}

/** A new bank account: the form of its kind, and the mandate its holder agrees to. */
export function AddBankDialog({ bank, email, onAnswer, onClose }: AddBankDialogProps) {
  const id = useId();
  const onAccount = (sent: SentMethod, typed: BankDraft) =>
    save(bank, sent, typed, onAnswer)
      .then(() => undefined)
      .catch((error: unknown) => ({ text: accountFailure(error) }));
  const form = useBankForm({ bank, initial: { email }, agreeText: t('bank.agree'), onAccount });
  return (
    <SendDialog title={t('add.bank')} formId={id} busy={form.busy} missing={form.missing} onClose={onClose}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <form id={id} className={styles.form} method="dialog" onSubmit={form.onSubmit} noValidate>
        {bank.entry.how === 'redirect' && <p>{t('add.leaving')}</p>}
        <BankFields bank={bank} form={form} />
      </form>
    </SendDialog>
  );
}

/** Saves the account with the agreement to the mandate, or leaves for the gateway's own page where it has one. */
async function save(
  bank: BankDetails,
  sent: SentMethod,
  typed: BankDraft,
  onAnswer: (answer: SetupAnswer) => Promise<void>,
): Promise<void> {
  if (bank.entry.how === 'redirect') {
    const { redirectToUrl } = await methodCalls.openSetup(bank.scheme);
    if (redirectToUrl !== undefined) return leaveTo(redirectToUrl);
  }
  const answer = await methodCalls.addAccount({
    paymentMethodId: 'token' in sent ? sent.token : '',
    paymentMethodType: bank.scheme,
    email: typed['email']?.trim() ?? '',
    ...(bank.mandate !== null && { mandateAccepted: true, mandateVersion: bank.mandate.version }),
  });
  return onAnswer(answer);
}
