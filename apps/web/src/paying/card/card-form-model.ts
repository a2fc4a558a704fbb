import type { EntryConfig, PayerMembers } from '@counterfoil/contract/paying/entry-config.ts';
import type { BillingAddress } from '@counterfoil/contract/paying/public-pay.ts';
import { isEmail } from '@counterfoil/gateways/kit/browser/email.ts';
import type { BillingOwner } from '@counterfoil/gateways/port/browser.ts';
import type { CardDraft, DraftField } from './card-draft.ts';
import { t } from './messages.ts';

/** What is asked for beside the card. */
export interface FormRules {
  readonly requiredCardHolder: boolean;
  /** All fields of the address. */
  readonly requiredBillingAddress: boolean;
  /** There is a field for an e-mail address; it may stay empty. */
  readonly enabledReceipt: boolean;
  /** It may not. */
  readonly requiredEmail?: boolean;
  /** The country alone, where the rest of the address is not asked for. */
  readonly requiredCountry?: boolean;
  /** What the gateway asks for beyond that. */
  readonly more?: readonly MoreField[];
  /** The gateway's own page asks for the card and whoever holds it. */
  readonly isElsewhere?: boolean;
  /** Its inputs ask for whoever holds the card, and the brand does not ask besides. */
  readonly isHolderElsewhere?: boolean;
}

/** Of the payer, where a gateway asks for it. */
export const moreFields = ['payerFirstName', 'payerLastName', 'company', 'phone', 'shippingAddress'] as const;
export interface MoreField {
  readonly name: (typeof moreFields)[number];
  readonly required: boolean;
}

/** A field that is missing or wrong; `label` names it in a sentence. */
export interface FieldProblem {
  readonly field: DraftField;
  readonly text: string;
  readonly label: string;
}

/** What the brand asks for and what the gateway needs, together. */
export function cardRules(
  {
    requiredCardHolder,
    requiredBillingAddress,
    enabledReceipt,
  }: Pick<FormRules, 'requiredCardHolder' | 'requiredBillingAddress' | 'enabledReceipt'>,
  { how, formFields, askedByProvider = [] }: Pick<EntryConfig, 'how' | 'formFields' | 'askedByProvider'>,
): FormRules {
  if (how === 'redirect')
    return { requiredCardHolder: false, requiredBillingAddress: false, enabledReceipt, isElsewhere: true };
  const of = (name: string) => formFields.find((field) => field.name === name);
  const needs = (name: string) => of(name)?.required === true;
  const needsHolder = requiredCardHolder || needs('cardHolder');
  return {
    requiredCardHolder: needsHolder,
    ...(!needsHolder && askedByProvider.includes('cardHolder') && { isHolderElsewhere: true }),
    requiredBillingAddress: requiredBillingAddress || needs('address'),
    enabledReceipt: enabledReceipt || of('email') !== undefined,
    requiredEmail: needs('email'),
    requiredCountry: needs('country'),
    more: moreFields.flatMap((name) => (of(name) ? [{ name, required: needs(name) }] : [])),
  };
}

/** Fields of the billing address in the order of the form. */
export const billingFields = ['address', 'city', 'state', 'zip', 'country'] as const;

/**
 * What keeps the form from being sent (specification, payments §5): card holder and billing address where they are
 * required, all fields of it; what the gateway needs; an e-mail address only if one is typed or needed.
 */
export function fieldProblems(draft: CardDraft, rules: FormRules): readonly FieldProblem[] {
  const address: readonly DraftField[] = rules.requiredCountry ? ['country'] : [];
  const required: readonly DraftField[] = [
    ...(rules.requiredCardHolder ? (['cardHolder'] as const) : []),
    ...(rules.more ?? []).filter(({ required }) => required).map(({ name }) => name),
    ...(rules.requiredBillingAddress ? billingFields : address),
  ];
  const problems = required
    .filter((field) => draft[field].trim() === '')
    .map((field): FieldProblem => {
      const name = field === 'cardHolder' ? 'holder' : field;
      return { field, text: t(`problem.${name}`), label: t(`form.${name}`) };
    });
  const email = draft.email.trim();
  const isMissing = rules.requiredEmail === true && email === '';
  if (rules.enabledReceipt && (isMissing || (email !== '' && !isEmail(email)))) {
    const text = t(rules.requiredEmail ? 'problem.emailNeeded' : 'problem.email');
    problems.push({ field: 'email', text, label: t('form.email') });
  }
  return problems;
}

/** Optional members of the calls that take a new card. */
export interface TypedFields {
  readonly cardHolder?: string;
  readonly email?: string;
  readonly billingAddress?: BillingAddress;
  /** What the gateway asks for of its payer; only where it asks for anything. */
  readonly payer?: PayerMembers;
}

/** The members that are filled in, without those that are not asked for. */
export function typedFields(draft: CardDraft, rules: FormRules): TypedFields {
  const cardHolder = draft.cardHolder.trim();
  const email = draft.email.trim();
  const asked = (rules.more ?? []).flatMap(({ name }) => {
    const text = draft[name].trim();
    return text === '' ? [] : [[name, text] as const];
  });
  const payer: PayerMembers = { ...Object.fromEntries(asked), ...(email !== '' && { email }) };
  return {
    ...(cardHolder !== '' && { cardHolder }),
    ...(rules.enabledReceipt && email !== '' && { email }),
    ...(rules.requiredBillingAddress && { billingAddress: billingOf(draft) }),
    ...(asked.length > 0 && { payer }),
  };
}

const billingOf = (draft: CardDraft): BillingAddress => ({
  address: draft.address.trim(),
  city: draft.city.trim(),
  state: draft.state.trim(),
  zip: draft.zip.trim(),
  country: draft.country,
});

/** Who owns the card, as the entry is told it: what is asked for and filled in. */
export function ownerOf(draft: CardDraft, rules: FormRules): BillingOwner {
  const asked = new Map(rules.more?.map(({ name }) => [name, draft[name].trim()]));
  const { address: line1, zip: postalCode, city, state, country } = billingOf(draft);
  const billing = rules.requiredBillingAddress
    ? { line1, city, state, postalCode, country }
    : rules.requiredCountry
      ? { country }
      : undefined;
  const shipping = asked.get('shippingAddress');
  return filled({
    name: draft.cardHolder.trim(),
    firstName: asked.get('payerFirstName'),
    lastName: asked.get('payerLastName'),
    company: asked.get('company'),
    email: rules.enabledReceipt ? draft.email.trim() : undefined,
    phone: asked.get('phone'),
    billing,
    shipping: shipping ? { line1: shipping } : undefined,
  });
}

/** Without what is empty. */
const filled = (owner: { readonly [Member in keyof BillingOwner]: BillingOwner[Member] | undefined }) =>
  Object.fromEntries(Object.entries(owner).filter(([, value]) => value)) as BillingOwner;
