/** API versions the sandbox knows, and what differs between them. https://docs.stripe.com/changelog */
import { invalid } from './errors.ts';

export const pinnedVersion = '2026-10-28.endive';

/** The version before the pinned one: payment method types were still named by the older parameter. */
const known = ['2026-08-26.dahlia', pinnedVersion];

/** @throws {StripeFault} 400 without code for a version that does not exist */
export function readVersion(header: string | undefined): string {
  if (header === undefined || header === '') return pinnedVersion;
  if (known.includes(header)) return header;
  throw invalid(`Invalid Stripe API version: ${header}`);
}

/** Versions are dates, so text order is time order. */
export function isSince(version: string, date: string): boolean {
  return version >= date;
}

/** The parameters that name payment method types, checked against the version and each other. */
export function readTypes(
  version: string,
  params: {
    readonly payment_method_types: readonly string[] | undefined;
    readonly allowed_payment_method_types: readonly string[] | undefined;
    readonly excluded_payment_method_types?: readonly string[] | undefined;
    readonly automatic_payment_methods?: unknown;
    readonly payment_method_configuration?: unknown;
  },
): { readonly types: readonly string[] | undefined; readonly allowed: readonly string[] | null } {
  const { payment_method_types: types, allowed_payment_method_types: allowed } = params;
  if (types !== undefined && isSince(version, '2026-09-30')) {
    throw invalid(
      'The parameter `payment_method_types` is no longer supported in this API version. Use `allowed_payment_method_types` instead.',
      'payment_method_types',
      'payment_method_types_no_longer_supported',
    );
  }
  if (allowed !== undefined) {
    const exclusive = (
      [
        'payment_method_types',
        'excluded_payment_method_types',
        'automatic_payment_methods',
        'payment_method_configuration',
      ] as const
    ).find((name) => params[name] !== undefined);
    if (exclusive !== undefined) {
      throw invalid(
        `You may only specify one of these parameters: allowed_payment_method_types, ${exclusive}.`,
        'allowed_payment_method_types',
      );
    }
  }
  for (const type of types ?? []) {
    if (!knownTypes.includes(type))
      throw invalid(`The payment method type "${type}" is invalid.`, 'payment_method_types');
  }
  const kept = allowed?.filter((type) => knownTypes.includes(type));
  if (kept?.length === 0) {
    throw invalid('No valid payment method types for this intent.', 'allowed_payment_method_types');
  }
  return { types: types ?? kept, allowed: allowed ?? null };
}

export const knownTypes: readonly string[] = [
  'card',
  'au_becs_debit',
  'us_bank_account',
  'bacs_debit',
  'sepa_debit',
  'link',
];
