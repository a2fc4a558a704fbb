import type { CardEntry } from '@counterfoil/contract/public-pay.ts';
import { browserEntries } from '@counterfoil/gateways/browser-registry.ts';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import type { BankDraft } from './bank-form-model.ts';
import { controlId } from './use-bank-form.ts';

/**
 * Has the provider's script make a token of what was typed: the number of the account goes nowhere else.
 * @param setup `config` of the open set-up the token is for; empty for an account that is debited once
 * @param noFields what is said where the gateway has no script for accounts
 */
export async function tokeniseAccount(
  entry: CardEntry | null,
  scheme: string,
  typed: BankDraft,
  setup: Readonly<Record<string, string>>,
  noFields: string,
): Promise<{ readonly token: string } | { readonly problem: FormProblem }> {
  const code = entry === null ? undefined : await browserEntries[entry.integrationType]?.();
  const make = code?.createBankEntry;
  if (entry === null || make === undefined) return { problem: { text: noFields } };
  const made = await make(entry).tokenise(scheme, typed, setup);
  if ('token' in made) return made;
  return { problem: { text: made.error, ...(made.field !== undefined && { field: controlId(made.field) }) } };
}
