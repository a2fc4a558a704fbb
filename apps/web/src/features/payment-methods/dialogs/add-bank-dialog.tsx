import type { PaymentDetails, SetupAnswer } from '@counterfoil/contract/payment-methods.ts';
import { useId } from 'react';
import { BankFields } from '../../../paying/bank/bank-fields.tsx';
import type { BankDraft } from '../../../paying/bank/bank-form-model.ts';
import { tokeniseAccount } from '../../../paying/bank/tokenise-account.ts';
import { useBankForm } from '../../../paying/bank/use-bank-form.ts';
import { ErrorSummary, type FormProblem } from '../../../ui/fields/error-summary.tsx';
import { methodCalls } from '../calls.ts';
import { accountFailure } from '../failure-words.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { leaveTo } from './leave-to.ts';
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
  const onSend = (typed: BankDraft) =>
    save(details, bank, typed, onAnswer).catch((error: unknown) => ({ text: accountFailure(error) }));
  const form = useBankForm({ bank, initial: { email }, agreeText: t('bank.agree'), onSend });
  return (
    <SendDialog title={t('add.bank')} formId={id} busy={form.busy} missing={form.missing} onClose={onClose}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <form id={id} className={styles.form} method="dialog" onSubmit={form.onSubmit} noValidate>
        {bank.fields.length === 0 && <p>{t('add.leaving')}</p>}
        <BankFields bank={bank} form={form} />
      </form>
    </SendDialog>
  );
}

/**
 * Opens a set-up, has the provider's script make a token of what was typed, and saves it with the agreement to the
 * mandate; or leaves for the gateway's own page where it has one.
 * @returns what the account was refused with before it was sent
 */
async function save(
  { entry, companyName }: PaymentDetails,
  bank: BankDetails,
  typed: BankDraft,
  onAnswer: (answer: SetupAnswer) => Promise<void>,
): Promise<FormProblem | undefined> {
  const setup = await methodCalls.openSetup(bank.scheme);
  if (setup.redirectToUrl !== undefined) {
    await leaveTo(setup.redirectToUrl);
    return undefined;
  }
  const noFields = t('add.noFields', { company: companyName });
  const made = await tokeniseAccount(entry, bank.scheme, typed, setup.config, noFields);
  if ('problem' in made) return made.problem;
  const answer = await methodCalls.addAccount({
    paymentMethodId: made.token,
    paymentMethodType: bank.scheme,
    email: typed['email']?.trim() ?? '',
    ...(bank.mandate !== null && { mandateAccepted: true, mandateVersion: bank.mandate.version }),
  });
  await onAnswer(answer);
  return undefined;
}
