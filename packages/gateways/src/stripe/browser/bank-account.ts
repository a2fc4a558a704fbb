/** A bank account typed into our own inputs becomes a PaymentMethod at Stripe. */
import type { CreatePaymentMethodData } from '@stripe/stripe-js';
import { words } from '../../kit/browser/words.ts';
import type { BillingOwner, Entered, EntryConfig } from '../../port/browser.ts';
import { openStripe } from './stripe-script.ts';

/** What was typed into the inputs of an account, by the names of the manifest's fields. */
type Typed = Readonly<Record<string, string>>;

/** Countries whose accounts can be debited in SEPA; an IBAN begins with one of them. */
const sepaCountries: ReadonlySet<string> = new Set(
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'.split(
    ' ',
  ),
);
const notSepa = 'Enter the IBAN of an account in a SEPA country';

/** Stripe's names of the parts of an account, by ours. */
type Parts = Readonly<Record<string, string>>;
const partsOf: Readonly<Record<string, Parts>> = {
  au_becs_debit: { routingNumber: 'bsb_number', bankAccountNumber: 'account_number' },
  bacs_debit: { routingNumber: 'sort_code', bankAccountNumber: 'account_number' },
  us_bank_account: {
    routingNumber: 'routing_number',
    bankAccountNumber: 'account_number',
    accountType: 'account_type',
    accountHolderType: 'account_holder_type',
  },
  sepa_debit: { iban: 'iban' },
};

/** Of the owner, by the names of the form's fields: an error about them is shown there. */
const ownerParts: Parts = {
  accountHolderName: 'name',
  email: 'email',
  phone: 'phone',
  address: 'line1',
  city: 'city',
  state: 'state',
  zip: 'postal_code',
  country: 'country',
};

const filled = (members: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );

/** The call's body; undefined for a kind of account Stripe does not have. */
export function paymentMethodOf(
  scheme: string,
  typed: Typed,
  { name, email, phone, billing = {} }: BillingOwner,
): CreatePaymentMethodData | undefined {
  const parts = partsOf[scheme];
  if (parts === undefined) return undefined;
  const account = Object.entries(parts).map(([own, theirs]) => [theirs, typed[own]] as const);
  const { line1, city, state, postalCode, country } = billing;
  const address = filled({ line1, city, state, postal_code: postalCode, country });
  // One shape for four kinds, which the declarations list apart.
  return {
    type: scheme,
    [scheme]: filled(Object.fromEntries(account)),
    billing_details: {
      ...filled({ name, email, phone }),
      ...(Object.keys(address).length > 0 && { address }),
    },
  } as unknown as CreatePaymentMethodData;
}

/** The input an error is about, by the parameter it names: 'au_becs_debit[bsb_number]'. */
export function fieldOf(scheme: string, parameter: string | undefined): string | undefined {
  const named = /\[(\w+)\]$/.exec(parameter ?? '')?.[1] ?? parameter ?? '';
  const names = { ...partsOf[scheme], ...ownerParts };
  return Object.entries(names).find(([, theirs]) => theirs === named)?.[0];
}

/** Trades a typed account for a PaymentMethod; its number goes to Stripe alone. */
export async function tokeniseBank(
  config: Pick<EntryConfig, 'public' | 'scheme'>,
  typed: Typed,
  owner: BillingOwner,
): Promise<Entered> {
  const { scheme = '' } = config;
  const data = paymentMethodOf(scheme, typed, owner);
  if (data === undefined) return { error: words.unreachable };
  const iban = typed['iban']?.trim().slice(0, 2).toUpperCase();
  if (scheme === 'sepa_debit' && !sepaCountries.has(iban ?? '')) return { error: notSepa, field: 'iban' };
  try {
    const stripe = await openStripe(config);
    const { paymentMethod, error } = await stripe.createPaymentMethod(data);
    if (paymentMethod !== undefined) return { token: paymentMethod.id };
    const field = fieldOf(scheme, error.param);
    return { error: error.message ?? words.unreachable, ...(field === undefined ? {} : { field }) };
  } catch {
    return { error: words.unreachable };
  }
}
