import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { SkeletonBox } from '../../ui/layout/skeleton.tsx';
import { BillingFields, CountryField } from './billing-fields.tsx';
import styles from './card-form.module.css';
import { t } from './messages.ts';
import type { CardForm } from './use-card-form.ts';

interface CardFormFieldsProps {
  readonly form: CardForm;
  /** Word of the e-mail field; default: where the receipt goes. */
  readonly emailLabel?: string;
  /** The card holder's field carries a mark that it must be filled in. */
  readonly markRequired?: boolean;
}

/** What is wrong, the provider's card fields, card holder, billing address and e-mail, as far as they are asked for. */
export function CardFormFields({ form, emailLabel = t('form.email'), markRequired }: CardFormFieldsProps) {
  const { entry, settings, rules, draft, onType, errorOf } = form;
  return (
    <div className={styles.fields}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      {entry ? (
        <entry.Fields onState={form.onCardState} />
      ) : form.hasFailed ? (
        <p className={styles.failed} role="alert">
          {t('form.cardFailed')}
          <Button onClick={form.retry}>{common('action.tryAgain')}</Button>
        </p>
      ) : (
        <SkeletonBox className={settings.separateInputs ? styles.threeInputs : styles.oneInput} />
      )}
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
          optional={t('form.optional')}
          autoComplete="email"
          maxLength={320}
          value={draft.email}
          onChange={(event) => onType('email', event.currentTarget.value)}
          error={errorOf('email')}
        />
      )}
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
