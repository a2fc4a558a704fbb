import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import type { FormField } from '@counterfoil/contract/paying/entry-config.ts';
import { fieldProblem, isOwnerField } from '@counterfoil/gateways/kit/browser/form-fields.ts';
import type { BillingOwner } from '@counterfoil/gateways/port/browser.ts';
import type { OpenField } from '../entry/use-entry-form.ts';
import { t } from './messages.ts';

/** What is typed beside the account, by the names of the gateway's fields. */
export type BankDraft = Readonly<Record<string, string>>;

/** The mandate's box among the controls. */
export const MANDATE = 'mandate';

/** Id of a field's control. */
export const controlId = (name: string): string => `bank-${name}`;

const words = {
  accountHolderName: 'bank.accountHolderName',
  nameOnAccount: 'bank.nameOnAccount',
  email: 'bank.email',
  phone: 'bank.phone',
  address: 'bank.address',
  city: 'bank.city',
  state: 'bank.state',
  zip: 'bank.zip',
  country: 'bank.country',
  payerFirstName: 'bank.payerFirstName',
  payerLastName: 'bank.payerLastName',
  company: 'bank.company',
} as const;
const isNamed = (name: string): name is keyof typeof words => name in words;

/** What a field of the owner is called. */
export const ownerLabel = (name: string): string => (isNamed(name) ? t(words[name]) : name);

/** The form's fields as they are drawn: those of the owner by the page, around those of the account. */
export function bankFieldsOf(fields: readonly FormField[]): {
  readonly before: readonly FormField[];
  readonly after: readonly FormField[];
} {
  const first = fields.findIndex(({ name }) => !isOwnerField(name));
  const at = first === -1 ? fields.length : first;
  return { before: fields.slice(0, at), after: fields.slice(at).filter(({ name }) => isOwnerField(name)) };
}

/**
 * What keeps the form from being sent beside the account: the gateway's lengths, the simple e-mail rule, the mandate's box
 * (payments §5).
 * @param agreeText what is said while the box is not ticked
 */
export function bankProblems(
  { entry, mandate }: Pick<DebitForm, 'entry' | 'mandate'>,
  draft: BankDraft,
  isAgreed: boolean,
  agreeText: string,
): readonly OpenField[] {
  const { before, after } = bankFieldsOf(entry.formFields);
  const problemsOf = (fields: readonly FormField[], isAbove: boolean) =>
    fields.flatMap((field): OpenField[] => {
      const label = ownerLabel(field.name);
      const text = fieldProblem(field, draft[field.name] ?? '', label);
      return text === undefined ? [] : [{ field: controlId(field.name), text, label, isAbove }];
    });
  const problems = [...problemsOf(before, true), ...problemsOf(after, false)];
  return mandate === null || isAgreed
    ? problems
    : [...problems, { field: controlId(MANDATE), text: agreeText, label: t('bank.mandateBox') }];
}

/** Whoever holds the account, as typed. */
export const holderOf = (draft: BankDraft): string =>
  (draft['accountHolderName'] ?? draft['nameOnAccount'] ?? '').trim();

/** Who owns the account, as the entry is told it: what is filled in. */
export function bankOwner(draft: BankDraft): BillingOwner {
  const text = (name: string) => draft[name]?.trim() ?? '';
  const billing = filled({
    line1: text('address'),
    city: text('city'),
    state: text('state'),
    postalCode: text('zip'),
    country: text('country'),
  });
  const owner = filled({
    name: holderOf(draft),
    firstName: text('payerFirstName'),
    lastName: text('payerLastName'),
    company: text('company'),
    email: text('email'),
    phone: text('phone'),
  });
  return Object.keys(billing).length > 0 ? { ...owner, billing } : owner;
}

const filled = (members: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
