import type { DebitForm } from '@counterfoil/contract/direct-debit.ts';
import { isEmail } from '../card/card-form-model.ts';
import { t } from './messages.ts';

type FormField = DebitForm['fields'][number];
export type BankDraft = Readonly<Record<string, string>>;

/** Id of the mandate's box, for the error summary. */
export const MANDATE = 'mandate';

/** Fields of the bank form whose names are their words, too (payments §3). */
const named = [
  ...(['accountHolderName', 'nameOnAccount', 'bankName', 'email', 'phone', 'accountType'] as const),
  ...([
    'accountHolderType',
    'bankAccountNumber',
    'iban',
    'address',
    'city',
    'state',
    'zip',
    'country',
  ] as const),
];
type Named = (typeof named)[number];
const isNamed = (name: string): name is Named => (named as readonly string[]).includes(name);

/** What a field is called where these accounts are: a routing number has a name of its own in most countries. */
export function bankLabel(name: string, currency: string): string {
  if (name === 'routingNumber')
    return t(
      currency === 'AUD'
        ? 'bank.routing.AUD'
        : currency === 'GBP'
          ? 'bank.routing.GBP'
          : 'bank.routing.other',
    );
  if (name === 'accountNumber') return t('bank.bankAccountNumber');
  if (isNamed(name)) return t(`bank.${name}`);
  // A gateway's own field: its name in words.
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields that hold a number of the account: typed in groups, they count without what separates the groups. */
const isNumber = (name: string): boolean =>
  ['routingNumber', 'bankAccountNumber', 'accountNumber', 'iban'].includes(name);

const measured = (name: string, text: string): string =>
  isNumber(name) ? text.replace(/[\s-]/g, '') : text.trim();

export interface BankProblem {
  /** Name of the field, or {@link MANDATE}. */
  readonly field: string;
  readonly text: string;
  /** Names it in a sentence. */
  readonly label: string;
}

/**
 * What keeps the form from being sent: the gateway's lengths, the simple e-mail rule, the mandate's box (payments §5).
 * @param agreeText what is said while the box is not ticked
 */
export function bankProblems(
  bank: Pick<DebitForm, 'fields' | 'currency' | 'mandate'>,
  draft: BankDraft,
  isAgreed: boolean,
  agreeText: string,
): readonly BankProblem[] {
  const problems = bank.fields.flatMap((field): BankProblem[] => {
    const label = bankLabel(field.name, bank.currency);
    const text = fieldProblem(field, draft[field.name] ?? '', label);
    return text === undefined ? [] : [{ field: field.name, text, label }];
  });
  if (bank.mandate !== null && !isAgreed)
    problems.push({ field: MANDATE, text: agreeText, label: t('bank.mandateBox') });
  return problems;
}

function fieldProblem(field: FormField, typed: string, label: string): string | undefined {
  const text = measured(field.name, typed);
  if (text === '') return field.required ? t('bank.needed', { label }) : undefined;
  if (field.name === 'email' && !isEmail(text)) return t('bank.badEmail');
  if (field.min !== undefined && text.length < field.min) return t('bank.short', { label, count: field.min });
  if (field.max !== undefined && text.length > field.max) return t('bank.long', { label, count: field.max });
  return undefined;
}
