import type { FormField } from '../../port/saved-manifest.ts';
import { isEmail } from './email.ts';

/** Fields about whoever owns a method: a page draws them beside the entry. All others are the account's own. */
const ownerFields: ReadonlySet<string> = new Set([
  'cardHolder',
  'accountHolderName',
  'nameOnAccount',
  'payerFirstName',
  'payerLastName',
  'company',
  'email',
  'phone',
  'address',
  'city',
  'state',
  'zip',
  'country',
  'shippingAddress',
]);

export const isOwnerField = (name: string): boolean => ownerFields.has(name);

/** Fields that hold a number of the account: typed in groups, they count without what separates the groups. */
export const isAccountNumber = (name: string): boolean =>
  ['routingNumber', 'bankAccountNumber', 'accountNumber', 'iban'].includes(name);

/** What counts of a text: 'DE89 3704 0044' of a number without its blanks, of any other without those around it. */
export const measured = (name: string, text: string): string =>
  isAccountNumber(name) ? text.replace(/[\s-]/g, '') : text.trim();

/** What a field is called where these accounts are: a routing number has a name of its own in most countries. */
export function accountLabel(name: string, currency = ''): string {
  if (name === 'routingNumber') return { AUD: 'BSB', GBP: 'Sort code' }[currency] ?? 'Routing number';
  if (name === 'bankAccountNumber') return 'Account number';
  if (name === 'accountHolderType') return 'Account holder';
  if (name === 'iban') return 'IBAN';
  // Any other: its name in words.
  const text = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is wrong with a text by the gateway's lengths and the simple e-mail rule (payments §5); undefined: nothing. */
export function fieldProblem(field: FormField, typed: string, label: string): string | undefined {
  const text = measured(field.name, typed);
  if (text === '') return field.required ? `${label} is needed` : undefined;
  if (field.name === 'email' && !isEmail(text)) return 'Enter an email address like name@example.com';
  if (field.min !== undefined && text.length < field.min)
    return `${label} has at least ${field.min} characters`;
  if (field.max !== undefined && text.length > field.max)
    return `${label} has at most ${field.max} characters`;
  return undefined;
}
