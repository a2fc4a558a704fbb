import type { BillingAddress, PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { type DraftField, emptyDraft, type PayDraft } from './draft.ts';
import { t } from './messages.ts';

/** What a brand asks of the payer beside the card. */
export type FormRules = Pick<PaymentInfo, 'requiredCardHolder' | 'requiredBillingAddress' | 'enabledReceipt'>;

/** A field that is missing or wrong; `label` names it in a sentence. */
export interface FieldProblem {
  readonly field: DraftField;
  readonly text: string;
  readonly label: string;
}

/** Fields of the billing address in the order of the form. */
export const billingFields = ['address', 'city', 'state', 'zip', 'country'] as const;

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * What keeps the form from being sent (specification, payments §5): card holder and billing address where the
 * brand requires them, all fields of it; an e-mail address only if one is typed.
 */
export function fieldProblems(draft: PayDraft, rules: FormRules): readonly FieldProblem[] {
  const required: readonly DraftField[] = [
    ...(rules.requiredCardHolder ? (['cardHolder'] as const) : []),
    ...(rules.requiredBillingAddress ? billingFields : []),
  ];
  const problems = required
    .filter((field) => draft[field].trim() === '')
    .map((field): FieldProblem => {
      const name = field === 'cardHolder' ? 'holder' : field;
      return { field, text: t(`problem.${name}`), label: t(`form.${name}`) };
    });
  const email = draft.email.trim();
  if (rules.enabledReceipt && email !== '' && !emailPattern.test(email)) {
    problems.push({ field: 'email', text: t('problem.email'), label: t('form.email') });
  }
  return problems;
}

/** What the form begins with: what was typed before, else what is known of the customer. */
export const initialDraft = (info: PaymentInfo, kept: PayDraft | undefined): PayDraft =>
  kept ?? {
    ...emptyDraft,
    email: info.enabledReceipt ? (info.customer.email ?? '') : '',
    country: info.customer.country ?? '',
  };

/** The optional members of the paying call, without those the brand does not ask for. */
export function typedFields(
  draft: PayDraft,
  rules: FormRules,
): { readonly cardHolder?: string; readonly email?: string; readonly billingAddress?: BillingAddress } {
  const cardHolder = draft.cardHolder.trim();
  const email = draft.email.trim();
  return {
    ...(cardHolder !== '' && { cardHolder }),
    ...(rules.enabledReceipt && email !== '' && { email }),
    ...(rules.requiredBillingAddress && { billingAddress: billingOf(draft) }),
  };
}

const billingOf = (draft: PayDraft): BillingAddress => ({
  address: draft.address.trim(),
  city: draft.city.trim(),
  state: draft.state.trim(),
  zip: draft.zip.trim(),
  country: draft.country,
});
