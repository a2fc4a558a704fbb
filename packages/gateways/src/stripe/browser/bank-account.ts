/** A bank account typed into the portal's form becomes a PaymentMethod at Stripe. */
import type { CreatePaymentMethodData, Stripe } from '@stripe/stripe-js';
import type { BankFields, BankTokenised, CardEntryConfig } from '../../port/browser.ts';
import { loadScript } from './load-script.ts';

/** Countries whose accounts can be debited in SEPA; an IBAN begins with one of them. */
const sepaCountries: ReadonlySet<string> = new Set(
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA'.split(
    ' ',
  ),
);
const notSepa = 'Enter the IBAN of an account in a SEPA country';

const unreachable = 'The payment provider could not be reached. Check your connection and try again';

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

const holderParts: Parts = { accountHolderName: 'name', email: 'email', phone: 'phone' };
const addressParts: Parts = {
  address: 'line1',
  city: 'city',
  state: 'state',
  zip: 'postal_code',
  country: 'country',
};

/** Numbers are typed as they are printed, in groups: '062-000', '10-88-00', 'DE89 3704 …'. */
const isNumber = (name: string): boolean => ['routingNumber', 'bankAccountNumber', 'iban'].includes(name);

function renamed(typed: BankFields, names: Parts): Record<string, string> {
  const entries = Object.entries(names).flatMap(([own, theirs]) => {
    const text = typed[own]?.trim() ?? '';
    const value = isNumber(own) ? text.replace(/[\s-]/g, '') : text;
    return value === '' ? [] : [[theirs, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The call's body; undefined for a kind of account Stripe does not have. */
export function paymentMethodOf(scheme: string, typed: BankFields): CreatePaymentMethodData | undefined {
  const parts = partsOf[scheme];
  if (parts === undefined) return undefined;
  const address = renamed(typed, addressParts);
  const billing = {
    ...renamed(typed, holderParts),
    ...(Object.keys(address).length === 0 ? {} : { address }),
  };
  // One shape for four kinds, which the declarations list apart.
  return {
    type: scheme,
    [scheme]: renamed(typed, parts),
    billing_details: billing,
  } as unknown as CreatePaymentMethodData;
}

/** The input an error is about, by the parameter it names: 'au_becs_debit[bsb_number]'. */
export function fieldOf(scheme: string, parameter: string | undefined): string | undefined {
  const named = /\[(\w+)\]$/.exec(parameter ?? '')?.[1] ?? parameter ?? '';
  const names = { ...partsOf[scheme], ...addressParts, ...holderParts };
  return Object.entries(names).find(([, theirs]) => theirs === named)?.[0];
}

export async function tokeniseBank(
  { scriptUrl, publishableKey }: CardEntryConfig,
  scheme: string,
  typed: BankFields,
): Promise<BankTokenised> {
  const data = paymentMethodOf(scheme, typed);
  if (data === undefined) return { error: unreachable };
  const iban = typed['iban']?.trim().slice(0, 2).toUpperCase();
  if (scheme === 'sepa_debit' && !sepaCountries.has(iban ?? '')) return { error: notSepa, field: 'iban' };
  try {
    const makeStripe = await loadScript(scriptUrl);
    const stripe: Stripe = makeStripe(publishableKey, { locale: 'en' });
    const { paymentMethod, error } = await stripe.createPaymentMethod(data);
    if (paymentMethod !== undefined) return { token: paymentMethod.id };
    const field = fieldOf(scheme, error.param);
    return { error: error.message ?? unreachable, ...(field === undefined ? {} : { field }) };
  } catch {
    return { error: unreachable };
  }
}
