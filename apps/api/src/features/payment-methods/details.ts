import { type PaymentDetails, SHARED_METHOD_PATHS } from '@counterfoil/contract/payment-methods.ts';
import type { DebitScheme } from '@counterfoil/gateways/saved-manifest.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import { cardEntryOf } from '../payments/card-entry.ts';
import { refusalOf, takesKind } from '../payments/chargeable.ts';

/** The direct debit a brand offers through this gateway, if any. */
export function debitOf(brand: Brand, account: GatewayAccount): DebitScheme | undefined {
  if (!takesKind(account, 'bank')) return undefined;
  return account.module.manifest.saved?.debits[brand.settings.directDebitPaymentMethodId];
}

/** What the holder of an account agrees to, with the company in its place. */
export const mandateText = (debit: DebitScheme, brand: Brand): string | undefined =>
  debit.mandate?.text.replaceAll('{company}', brand.companyName);

/** Payment settings, and what the gateway can do: a screen reads these and never a gateway's name. */
export function presentDetails(
  brand: Brand,
  account: GatewayAccount | undefined,
  status: { readonly paymentType: number; readonly apiStatus: boolean },
): PaymentDetails {
  const { settings } = brand;
  const entry = account === undefined ? null : cardEntryOf(account, brand);
  return {
    ...status,
    publishableKey: entry?.publishableKey ?? '',
    paymentTypeDisclaimer: settings.paymentTypeDisclaimer,
    directDebitPaymentMethodId: settings.directDebitPaymentMethodId,
    companyName: brand.companyName,
    paymentEmailReceipt: settings.emailReceipt,
    paymentBillingAddressRequired: settings.billingAddressRequired,
    paymentCardHolderRequired: settings.cardHolderRequired,
    currency: brand.currency,
    currencySymbol: { symbol: settings.currencySymbol },
    invoiceLabelSingular: settings.invoiceLabelSingular,
    invoiceLabelPlural: settings.invoiceLabelPlural,
    enabled: settings.paymentsEnabled && account !== undefined,
    entry,
    card: account === undefined ? null : presentCard(account),
    bank: account === undefined ? null : presentBank(brand, account),
    paths: account?.module.manifest.saved?.paths ?? (account === undefined ? null : SHARED_METHOD_PATHS),
  };
}

function presentCard(account: GatewayAccount): PaymentDetails['card'] {
  const { gateway, module } = account;
  const [first] = gateway.can.entry.card ?? [];
  const { saved } = module.manifest;
  if (first === undefined || saved === undefined) return null;
  return {
    entry: first.how,
    fields: [...saved.cardFields],
    edit: [...gateway.can.vault.edit],
    isNewAllowedInline: refusalOf(account, { kind: 'card', source: { by: 'token' } }) === undefined,
  };
}

function presentBank(brand: Brand, account: GatewayAccount): PaymentDetails['bank'] {
  const debit = debitOf(brand, account);
  const [first] = account.gateway.can.entry.bank ?? [];
  if (debit === undefined || first === undefined) return null;
  const { scheme, title, currency, fields, mandate } = debit;
  const text = mandateText(debit, brand);
  return {
    ...{ entry: first.how, scheme, title, currency, fields: [...fields] },
    edit: account.gateway.can.vault.edit.filter((name) => !name.startsWith('exp')),
    mandate:
      mandate === undefined || text === undefined
        ? null
        : { version: mandate.version, text, terms: mandate.terms ?? null },
  };
}
