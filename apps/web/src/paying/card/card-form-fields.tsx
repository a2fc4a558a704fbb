import { useEffect } from 'react';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { EntryFields } from '../entry/entry-fields.tsx';
import { endsForm, keepsTyped } from '../entry/use-entry-form.ts';
import { BillingFields, CountryField } from './billing-fields.tsx';
import styles from './card-form.module.css';
import type { MoreField } from './card-form-model.ts';
import { t } from './messages.ts';
import type { CardForm } from './use-card-form.ts';

/** What a browser may fill in. */
const moreInputs = {
  payerFirstName: { autoComplete: 'given-name', maxLength: 100 },
  payerLastName: { autoComplete: 'family-name', maxLength: 100 },
  company: { autoComplete: 'organization', maxLength: 200 },
  phone: { autoComplete: 'tel', type: 'tel', maxLength: 40 },
  shippingAddress: { autoComplete: 'shipping street-address', maxLength: 200 },
} as const;

const isName = (name: MoreField['name']): boolean => name.startsWith('payer');

interface CardFormFieldsProps {
  readonly form: CardForm;
  /** Word of the e-mail field; default: where the receipt goes. */
  readonly emailLabel?: string;
  /** The card holder's field carries a mark that it must be filled in. */
  readonly markRequired?: boolean;
}

/** What is wrong, the card's entry, card holder, billing address and e-mail, as far as they are asked for. */
export function CardFormFields({ form, emailLabel = t('form.email'), markRequired }: CardFormFieldsProps) {
  const { rules, draft, onType, errorOf } = form;
  const isLast = endsForm(form.config);
  const { entry } = form;
  const isOwn = keepsTyped(form.config);
  // A dialog gives the focus to its first input. The card's own inputs stand above that one, and have come after it.
  useEffect(() => {
    const active = document.activeElement;
    if (isOwn && active instanceof HTMLInputElement && active.value === '' && active.closest('dialog'))
      entry?.focus('');
  }, [entry, isOwn]);
  const names = rules.more?.filter(({ name }) => isName(name)) ?? [];
  const more = ({ name, required }: MoreField) => (
    <TextInput
      key={name}
      id={name}
      name={name}
      label={t(`form.${name}`)}
      optional={required ? undefined : t('form.optional')}
      required={required}
      {...moreInputs[name]}
      value={draft[name]}
      onChange={(event) => onType(name, event.currentTarget.value)}
      error={errorOf(name)}
    />
  );
  return (
    <div className={styles.fields}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      {!isLast && <EntryFields form={form} />}
      {!rules.isElsewhere && !rules.isHolderElsewhere && (
        <TextInput
          id="cardHolder"
          name="cardHolder"
          label={
            markRequired && rules.requiredCardHolder ? <Marked>{t('form.holder')}</Marked> : t('form.holder')
          }
          optional={rules.requiredCardHolder ? undefined : t('form.optional')}
          required={rules.requiredCardHolder}
          autoComplete="cc-name"
          maxLength={200}
          value={draft.cardHolder}
          onChange={(event) => onType('cardHolder', event.currentTarget.value)}
          error={errorOf('cardHolder')}
        />
      )}
      {names.length > 0 && <div className={styles.two}>{names.map(more)}</div>}
      {rules.more?.filter(({ name }) => !isName(name)).map(more)}
      {rules.requiredBillingAddress && <BillingFields draft={draft} onType={onType} errorOf={errorOf} />}
      {!rules.requiredBillingAddress && rules.requiredCountry && (
        <CountryField
          value={draft.country}
          onChange={(country) => onType('country', country)}
          error={errorOf('country')}
        />
      )}
      {rules.enabledReceipt && (
        <TextInput
          id="email"
          name="email"
          type="email"
          label={emailLabel}
          optional={rules.requiredEmail ? undefined : t('form.optional')}
          required={rules.requiredEmail}
          autoComplete="email"
          maxLength={320}
          value={draft.email}
          onChange={(event) => onType('email', event.currentTarget.value)}
          error={errorOf('email')}
        />
      )}
      {isLast && <EntryFields form={form} />}
    </div>
  );
}

/** A star for those who see it; the input itself says 'required' to the others. */
const Marked = ({ children }: { readonly children: string }) => (
  <>
    {children}
    <span className={styles.mark} aria-hidden="true">
      {' *'}
    </span>
  </>
);
