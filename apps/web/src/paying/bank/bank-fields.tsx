import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import type { FormField } from '@counterfoil/contract/paying/entry-config.ts';
import type { ReactNode } from 'react';
import { TickBox } from '../../ui/fields/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EntryFields } from '../entry/entry-fields.tsx';
import { endsForm } from '../entry/use-entry-form.ts';
import { BankField } from './bank-field.tsx';
import styles from './bank-form.module.css';
import { bankFieldsOf, controlId, MANDATE } from './bank-form-model.ts';
import { t } from './messages.ts';
import type { BankForm } from './use-bank-form.ts';

interface BankFieldsProps {
  readonly bank: DebitForm;
  readonly form: BankForm;
  /** Before the words of the mandate, and agreed to with them. */
  readonly preface?: ReactNode;
}

/** The inputs of a kind of bank account, and the mandate its holder agrees to. */
export const BankFields = ({ bank, form, preface }: BankFieldsProps) => (
  <div className={styles.fields}>
    <OwnerFields fields={bankFieldsOf(bank.entry.formFields).before} form={form} />
    {!endsForm(bank.entry) && <EntryFields form={form} />}
    <OwnerFields fields={bankFieldsOf(bank.entry.formFields).after} form={form} />
    {bank.mandate && <MandateBox mandate={bank.mandate} form={form} preface={preface} />}
    {endsForm(bank.entry) && <EntryFields form={form} />}
  </div>
);

const OwnerFields = ({ fields, form }: { readonly fields: readonly FormField[]; readonly form: BankForm }) =>
  fields.map((field) => <BankField key={field.name} field={field} form={form} />);

/** The words of the mandate, and the box that agrees to them. */
function MandateBox({
  mandate: { text, terms },
  form,
  preface,
}: {
  readonly mandate: NonNullable<DebitForm['mandate']>;
  readonly form: BankForm;
  readonly preface: ReactNode;
}) {
  const error = form.errorOf(controlId(MANDATE));
  const id = controlId(MANDATE);
  const [before = text] = terms === null ? [] : text.split(terms.words);
  const after = text.slice(before.length + (terms?.words.length ?? 0));
  return (
    <fieldset className={styles.fields}>
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
          {preface && <strong className={styles.preface}>{preface}</strong>}
          {before}
          {terms && (
            <a href={terms.url} target="_blank" rel="noreferrer">
              {terms.words}
            </a>
          )}
          {after}
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
