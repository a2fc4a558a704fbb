import type { EntryConfig } from '../../port/browser.ts';
import { accountLabel, fieldProblem, isAccountNumber, isOwnerField, measured } from './form-fields.ts';
import { type OwnField, OwnInputs } from './own-inputs.ts';

const choices: Readonly<Record<string, OwnField['choices']>> = {
  accountType: [
    ['checking', 'Checking'],
    ['savings', 'Savings'],
  ],
  accountHolderType: [
    ['company', 'Company'],
    ['individual', 'Individual'],
  ],
};

/** Which keys a phone shows. Numbers of accounts are filled in by no browser. */
const attributesOf = (name: string): Readonly<Record<string, string | number>> => ({
  autoComplete: 'off',
  spellCheck: 'false',
  maxLength: 200,
  ...(name === 'iban' ? { autoCapitalize: 'characters' } : isAccountNumber(name) && { inputMode: 'numeric' }),
});

/** The inputs of a bank account: what the gateway asks for of the account itself, in its order. */
export const bankInputs = ({
  formFields,
  currency,
}: Pick<EntryConfig, 'formFields' | 'currency'>): OwnInputs =>
  new OwnInputs(
    formFields
      .filter(({ name }) => !isOwnerField(name))
      .map((field): OwnField => {
        const label = accountLabel(field.name, currency);
        const list = choices[field.name];
        return {
          name: field.name,
          label,
          optional: !field.required,
          ...(list === undefined ? { attributes: attributesOf(field.name) } : { choices: list }),
          problem: (text) => fieldProblem(field, text, label),
        };
      }),
  );

/** What stands in them, as it is sent: numbers without what groups them. */
export const accountOf = (inputs: OwnInputs): Readonly<Record<string, string>> =>
  Object.fromEntries(inputs.fields.map(({ name }) => [name, measured(name, inputs.textOf(name))]));
