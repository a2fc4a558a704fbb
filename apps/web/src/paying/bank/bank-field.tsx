import type { DebitForm } from '@counterfoil/contract/direct-debit.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { CountryField } from '../card/billing-fields.tsx';
import { t as cardWords } from '../card/messages.ts';
import { bankLabel } from './bank-form-model.ts';
import { t } from './messages.ts';
import { type BankForm, controlId } from './use-bank-form.ts';

interface BankFieldProps {
  readonly field: DebitForm['fields'][number];
  readonly currency: string;
  readonly form: BankForm;
}

const secret = { autoComplete: 'off', 'data-keep': 'never' };

/** What a browser may fill in and which keys a phone shows. Numbers of accounts are kept by no browser, nor by us. */
const inputs: Readonly<Record<string, object>> = {
  accountHolderName: { autoComplete: 'name' },
  nameOnAccount: { autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  routingNumber: { inputMode: 'numeric', ...secret },
  bankAccountNumber: { inputMode: 'numeric', ...secret },
  accountNumber: { inputMode: 'numeric', ...secret },
  iban: { ...secret, autoCapitalize: 'characters' },
  bankName: { autoComplete: 'off' },
  address: { autoComplete: 'billing street-address' },
  city: { autoComplete: 'billing address-level2' },
  state: { autoComplete: 'billing address-level1' },
  zip: { autoComplete: 'billing postal-code' },
};
const LONGEST = 200;

const choices = {
  accountType: ['checking', 'savings'],
  accountHolderType: ['company', 'individual'],
} as const;

/** One input of the bank form, by what the gateway calls it. */
export function BankField({ field: { name, required }, currency, form }: BankFieldProps) {
  const value = form.draft[name] ?? '';
  const error = form.errorOf(name);
  const id = controlId(name);
  if (name === 'country') {
    return (
      <CountryField
        id={id}
        value={value}
        optional={!required}
        error={error}
        onChange={(country) => form.onType(name, country)}
      />
    );
  }
  const shared = {
    id,
    name,
    label: bankLabel(name, currency),
    required,
    value,
    error,
    optional: required ? undefined : cardWords('form.optional'),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.onType(name, event.currentTarget.value),
  };
  if (name === 'accountType' || name === 'accountHolderType') {
    return (
      <Select {...shared}>
        <option value="">{t('bank.choose')}</option>
        {choices[name].map((choice) => (
          <option key={choice} value={choice}>
            {t(`bank.${choice}`)}
          </option>
        ))}
      </Select>
    );
  }
  return <TextInput {...shared} maxLength={LONGEST} spellCheck="false" {...inputs[name]} />;
}
