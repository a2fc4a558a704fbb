import { useEffect, useState } from 'react';
import { readerLocale } from '../../text/catalogue.ts';
import { classNames } from '../../ui/class-names.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import type { CardDraft, DraftField } from './card-draft.ts';
import styles from './card-form.module.css';
import type { Country } from './countries.ts';
import { t } from './messages.ts';

interface BillingFieldsProps {
  readonly draft: CardDraft;
  readonly onType: (field: DraftField, text: string) => void;
  readonly errorOf: (field: DraftField) => string | undefined;
}

const inputs = {
  address: { autoComplete: 'billing street-address', maxLength: 200 },
  city: { autoComplete: 'billing address-level2', maxLength: 100 },
  state: { autoComplete: 'billing address-level1', maxLength: 100 },
  zip: { autoComplete: 'billing postal-code', maxLength: 20 },
} as const;

/** Address, city, state, zip and country of the card's bill. */
export function BillingFields({ draft, onType, errorOf }: BillingFieldsProps) {
  const input = (field: keyof typeof inputs) => (
    <TextInput
      id={field}
      name={field}
      label={t(`form.${field}`)}
      required
      {...inputs[field]}
      value={draft[field]}
      onChange={(event) => onType(field, event.currentTarget.value)}
      error={errorOf(field)}
    />
  );
  return (
    <fieldset className={styles.billing}>
      <legend>{t('form.billing')}</legend>
      {input('address')}
      <div className={styles.two}>
        {input('city')}
        {input('state')}
      </div>
      <div className={classNames(styles.two, styles.zip)}>
        {input('zip')}
        <CountryField
          value={draft.country}
          onChange={(country) => onType('country', country)}
          error={errorOf('country')}
        />
      </div>
    </fieldset>
  );
}

interface CountryFieldProps {
  /** ISO 3166 alpha-2, or empty. */
  readonly value: string;
  readonly onChange: (country: string) => void;
  readonly error?: string | undefined;
  readonly id?: string;
  /** The country may be left out. */
  readonly optional?: boolean;
}

/** One of all countries, by their names in the reader's language. */
export function CountryField({
  id = 'country',
  value,
  onChange,
  error,
  optional = false,
}: CountryFieldProps) {
  const [countries, setCountries] = useState<readonly Country[]>([]);
  // Not in the server's markup: it would be three quarters of it, and names differ between language data.
  useEffect(() => {
    let isOver = false;
    void import('./countries.ts').then(
      ({ countriesIn }) => isOver || setCountries(countriesIn(readerLocale())),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return (
    <Select
      id={id}
      name="country"
      label={t('form.country')}
      required={!optional}
      autoComplete="billing country"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    >
      <option value="">{t('form.chooseCountry')}</option>
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
