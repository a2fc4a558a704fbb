import type { CardChange, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { expiryFieldsProblem } from '@counterfoil/domain/paying/card.ts';
import { isEmail } from '@counterfoil/gateways/kit/browser/email.ts';
import { t } from '../messages.ts';

/** Members of a saved method that may be changed, by the names `details.card.edit` and `details.bank.edit` use. */
export const editNames = [
  ...(['expMonth', 'expYear', 'name', 'email', 'phone'] as const),
  ...(['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const),
];
export type EditName = (typeof editNames)[number];
export type EditDraft = Readonly<Record<EditName, string>>;

const addressNames = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const;

/** What the form begins with: what is known. */
export function editDraftOf({ expMonth, expYear, billingDetails, name, address }: SavedSource): EditDraft {
  const year = expYear === null ? '' : String(expYear < 100 ? 2000 + expYear : expYear);
  return {
    expMonth: expMonth === null ? '' : String(expMonth).padStart(2, '0'),
    expYear: year,
    name: name ?? '',
    email: billingDetails.email ?? '',
    phone: billingDetails.phone ?? '',
    line1: address.line1 ?? '',
    line2: address.line2 ?? '',
    city: address.city ?? '',
    state: address.state ?? '',
    postalCode: address.postalCode ?? '',
    country: address.country ?? '',
  };
}

/** The gateway's fields that make sense for this method: an account does not expire. */
export const editable = ({ kind }: SavedSource, edit: readonly string[]): readonly EditName[] =>
  editNames.filter((name) => edit.includes(name) && (kind === 'card' || !name.startsWith('exp')));

/**
 * What keeps the form from being saved, by field (payments §5); both fields of a bad expiry are marked.
 * @param needs what its gateway must know whenever anything of it is changed
 */
export function editProblems(
  draft: EditDraft,
  names: readonly EditName[],
  needs: readonly string[],
  now: Date,
): Readonly<Partial<Record<EditName, string>>> {
  const hasExpiry = names.includes('expMonth') && names.includes('expYear');
  const isBadDate = hasExpiry && expiryFieldsProblem(draft.expMonth, draft.expYear, now) !== null;
  const isBadEmail = names.includes('email') && draft.email.trim() !== '' && !isEmail(draft.email);
  const missing = names.filter((name) => needs.includes(name) && draft[name].trim() === '');
  return {
    ...Object.fromEntries(missing.map((name) => [name, t('edit.needed')])),
    ...(isBadDate && { expMonth: t('edit.badDate'), expYear: t('edit.badDate') }),
    ...(isBadEmail && { email: t('edit.badEmail') }),
  };
}

/** What was changed; undefined: nothing. */
export function changeOf(
  source: SavedSource,
  draft: EditDraft,
  names: readonly EditName[],
): CardChange | undefined {
  const before = editDraftOf(source);
  const isChanged = (name: EditName) => names.includes(name) && draft[name].trim() !== before[name];
  const changed = names.filter(isChanged);
  if (changed.length === 0) return undefined;
  const address = Object.fromEntries(
    addressNames.filter(isChanged).map((name) => [name, draft[name].trim()] as const),
  );
  const hasExpiry = isChanged('expMonth') || isChanged('expYear');
  return {
    id: source.id,
    ...(hasExpiry && { expMonth: Number(draft.expMonth), expYear: Number(draft.expYear) }),
    ...(isChanged('name') && { name: draft.name.trim() }),
    ...(isChanged('email') && { email: draft.email.trim() }),
    ...(isChanged('phone') && { phone: draft.phone.trim() }),
    ...(Object.keys(address).length > 0 && { address }),
  };
}
