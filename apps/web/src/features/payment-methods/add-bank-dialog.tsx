import type { PaymentDetails, SavingAnswer } from '@counterfoil/contract/payment-methods.ts';
import { Fragment, useId } from 'react';
import { TickBox } from '../../ui/checkbox.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BankField } from './bank-field.tsx';
import { type BankDetails, MANDATE } from './bank-form-model.ts';
import { t } from './messages.ts';
import styles from './payment-methods.module.css';
import { SendDialog } from './send-dialog.tsx';
import { type BankForm, controlId, useBankForm } from './use-bank-form.ts';

interface AddBankDialogProps {
  readonly details: PaymentDetails;
  readonly bank: BankDetails;
  /** What the form begins with. */
  readonly email: string;
  readonly onAnswer: (answer: SavingAnswer) => Promise<void>;
  readonly onClose: () => void;
}

/** A new bank account: the form of its kind, and the mandate its holder agrees to. */
export function AddBankDialog({ details, bank, email, onAnswer, onClose }: AddBankDialogProps) {
  const id = useId();
  const form = useBankForm({ details, bank, initial: { email }, onAnswer });
  return (
    <SendDialog title={t('add.bank')} formId={id} busy={form.busy} missing={form.missing} onClose={onClose}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <form id={id} className={styles.form} method="dialog" onSubmit={form.onSubmit} noValidate>
        {bank.fields.length === 0 && <p>{t('add.leaving')}</p>}
        {bank.fields.map((field) => (
          <BankField key={field.name} field={field} currency={bank.currency} form={form} />
        ))}
        {bank.mandate && <MandateBox mandate={bank.mandate} form={form} />}
      </form>
    </SendDialog>
  );
}

/** The words of the mandate, and the box that agrees to them. */
function MandateBox({
  mandate: { text, terms },
  form,
}: {
  readonly mandate: NonNullable<BankDetails['mandate']>;
  readonly form: BankForm;
}) {
  const error = form.errorOf(MANDATE);
  const id = controlId(MANDATE);
  const parts = terms === null ? [text] : text.split(terms.words);
  return (
    <fieldset className={styles.form}>
      <legend className={styles.legend}>{t('bank.mandate')}</legend>
      <div className={styles.mandate} data-invalid={error === undefined ? undefined : true}>
        <TickBox
          id={id}
          checked={form.isAgreed}
          required
          invalid={error !== undefined}
          describedBy={error === undefined ? undefined : `${id}-error`}
          onChange={form.onAgree}
        />
        <label htmlFor={id}>
          {parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text neither move nor change
            <Fragment key={at}>
              {at > 0 && terms && (
                <a href={terms.url} target="_blank" rel="noreferrer">
                  {terms.words}
                </a>
              )}
              {part}
            </Fragment>
          ))}
        </label>
        {error && (
          <p className={styles.error} id={`${id}-error`}>
            <Icon name="alert" />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}
