import type { FormField } from '@counterfoil/contract/paying/entry-config.ts';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { CountryField } from '../card/billing-fields.tsx';
import { t as cardWords } from '../card/messages.ts';
import { controlId, ownerLabel } from './bank-form-model.ts';
import type { BankForm } from './use-bank-form.ts';

interface BankFieldProps {
  readonly field: FormField;
  readonly form: BankForm;
}

/** What a browser may fill in and which keys a phone shows. */
const inputs: Readonly<Record<string, object>> = {
  accountHolderName: { autoComplete: 'name' },
  nameOnAccount: { autoComplete: 'name' },
  payerFirstName: { autoComplete: 'given-name' },
  payerLastName: { autoComplete: 'family-name' },
  company: { autoComplete: 'organization' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  address: { autoComplete: 'billing street-address' },
  city: { autoComplete: 'billing address-level2' },
  state: { autoComplete: 'billing address-level1' },
  zip: { autoComplete: 'billing postal-code' },
};
const LONGEST = 200;

/** One input about the owner of an account, by what the gateway calls it. */
export function BankField({ field: { name, required }, form }: BankFieldProps) {
  const value = form.draft[name] ?? '';
  const id = controlId(name);
  const error = form.errorOf(id);
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
  return (
    <TextInput
      id={id}
      name={name}
      label={ownerLabel(name)}
      required={required}
      value={value}
      error={error}
      optional={required ? undefined : cardWords('form.optional')}
      onChange={(event) => form.onType(name, event.currentTarget.value)}
      maxLength={LONGEST}
      spellCheck="false"
      {...inputs[name]}
    />
  );
}
