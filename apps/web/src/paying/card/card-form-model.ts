import type { BillingAddress } from '@counterfoil/contract/public-pay.ts';
import type { CardDraft, DraftField } from './card-draft.ts';
import { t } from './messages.ts';

/** What is asked for beside the card. */
export interface FormRules {
  readonly requiredCardHolder: boolean;
  /** All fields of the address. */
  readonly requiredBillingAddress: boolean;
  /** There is a field for an e-mail address; it may stay empty. */
  readonly enabledReceipt: boolean;
  /** The country alone, where the rest of the address is not asked for. */
  readonly requiredCountry?: boolean;
}

/** A field that is missing or wrong; `label` names it in a sentence. */
export interface FieldProblem {
  readonly field: DraftField;
  readonly text: string;
  readonly label: string;
}

/** Fields of the billing address in the order of the form. */
export const billingFields = ['address', 'city', 'state', 'zip', 'country'] as const;

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The simple pattern of an e-mail address (payments §5). */
export const isEmail = (text: string): boolean => emailPattern.test(text.trim());

/**
 * What keeps the form from being sent (specification, payments §5): card holder and billing address where they are
 * required, all fields of it; an e-mail address only if one is typed.
 */
export function fieldProblems(draft: CardDraft, rules: FormRules): readonly FieldProblem[] {
  const address: readonly DraftField[] = rules.requiredCountry ? ['country'] : [];
  const required: readonly DraftField[] = [
    ...(rules.requiredCardHolder ? (['cardHolder'] as const) : []),
    ...(rules.requiredBillingAddress ? billingFields : address),
  ];
  const problems = required
    .filter((field) => draft[field].trim() === '')
    .map((field): FieldProblem => {
      const name = field === 'cardHolder' ? 'holder' : field;
      return { field, text: t(`problem.${name}`), label: t(`form.${name}`) };
    });
  if (rules.enabledReceipt && draft.email.trim() !== '' && !isEmail(draft.email)) {
    problems.push({ field: 'email', text: t('problem.email'), label: t('form.email') });
  }
  return problems;
}

/** Optional members of the calls that take a new card. */
export interface TypedFields {
  readonly cardHolder?: string;
  readonly email?: string;
  readonly billingAddress?: BillingAddress;
}

/** The members that are filled in, without those that are not asked for. */
export function typedFields(draft: CardDraft, rules: FormRules): TypedFields {
  const cardHolder = draft.cardHolder.trim();
  const email = draft.email.trim();
  return {
    ...(cardHolder !== '' && { cardHolder }),
    ...(rules.enabledReceipt && email !== '' && { email }),
    ...(rules.requiredBillingAddress && { billingAddress: billingOf(draft) }),
  };
}

const billingOf = (draft: CardDraft): BillingAddress => ({
  address: draft.address.trim(),
  city: draft.city.trim(),
  state: draft.state.trim(),
  zip: draft.zip.trim(),
  country: draft.country,
});

/** What the provider's fields are told of the address. */
export const billingForCard = (draft: CardDraft, rules: FormRules): Partial<BillingAddress> | undefined =>
  rules.requiredBillingAddress
    ? billingOf(draft)
    : rules.requiredCountry
      ? { country: draft.country }
      : undefined;
