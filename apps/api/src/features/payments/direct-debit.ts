import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import { type DebitScheme, debitFor, settlingDays } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';
import { takesKind } from './chargeable.ts';

/** The direct debit a brand offers through this gateway, if any. */
export function debitOf(brand: Brand, account: GatewayAccount): DebitScheme | undefined {
  if (!takesKind(account, 'bank')) return undefined;
  const { saved } = account.module.manifest;
  return debitFor(saved, brand.settings.directDebitPaymentMethodId, brand.currency);
}

/** What the holder of an account agrees to, with the company in its place. */
export const mandateText = (debit: DebitScheme, brand: Brand): string | undefined =>
  debit.mandate?.text.replaceAll('{company}', brand.companyName);

/** The form of a kind of account, and the words its holder agrees to, as pages get them. */
export function presentDebit(debit: DebitScheme, brand: Brand, entry: EntryConfig): DebitForm {
  const { scheme, title, currency, mandate } = debit;
  const text = mandateText(debit, brand);
  return {
    scheme,
    title,
    currency,
    settlesInDays: settlingDays(debit),
    entry,
    mandate:
      mandate === undefined || text === undefined
        ? null
        : { version: mandate.version, text, terms: mandate.terms ?? null },
  };
}
