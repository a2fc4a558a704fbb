import { useEffect, useState } from 'react';
import { readerLocale } from '../../messages/catalogue.ts';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { type Country, countriesIn } from './countries.ts';
import type { DraftField, PayDraft } from './draft.ts';
import { t } from './messages.ts';
import styles from './pay.module.css';

interface BillingFieldsProps {
  readonly draft: PayDraft;
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
  const [countries, setCountries] = useState<readonly Country[]>([]);
  // Not in the server's markup: it would be three quarters of it, and names differ between language data.
  useEffect(() => setCountries(countriesIn(readerLocale())), []);
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
      <div className={styles.two}>
        {input('zip')}
        <Select
          id="country"
          name="country"
          label={t('form.country')}
          required
          autoComplete="billing country"
          value={draft.country}
          onChange={(event) => onType('country', event.currentTarget.value)}
          error={errorOf('country')}
        >
          <option value="">{t('form.chooseCountry')}</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </fieldset>
  );
}
