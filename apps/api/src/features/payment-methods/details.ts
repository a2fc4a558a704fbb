import { type PaymentDetails, SHARED_METHOD_PATHS } from '@counterfoil/contract/payment-methods.ts';
import type { Brand } from '../brand/service.ts';
import { type GatewayAccount, PaymentTerms } from '../payments/service.ts';

/** Payment settings, and what the gateway can do: a screen reads these and never a gateway's name. */
export function presentDetails(
  brand: Brand,
  account: GatewayAccount | undefined,
  status: { readonly paymentType: number; readonly apiStatus: boolean },
): PaymentDetails {
  const { settings } = brand;
  const terms = new PaymentTerms(brand, account);
  const entry = terms.cardEntry();
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
    card: account === undefined ? null : presentCard(account, terms),
    bank: account === undefined ? null : presentBank(account, terms),
    paths: account?.module.manifest.saved?.paths ?? (account === undefined ? null : SHARED_METHOD_PATHS),
  };
}

function presentCard(account: GatewayAccount, terms: PaymentTerms): PaymentDetails['card'] {
  const { gateway, module } = account;
  const [first] = gateway.capabilities.entry.card ?? [];
  const { saved } = module.manifest;
  if (first === undefined || saved === undefined) return null;
  return {
    entry: first.how,
    fields: [...saved.cardFields],
    edit: [...gateway.capabilities.vault.update],
    isNewAllowedInline: terms.refusal({ kind: 'card', source: { by: 'token' } }) === undefined,
  };
}

function presentBank(account: GatewayAccount, terms: PaymentTerms): PaymentDetails['bank'] {
  const debit = terms.debit();
  const [first] = account.gateway.capabilities.entry.bank ?? [];
  if (debit === undefined || first === undefined) return null;
  return {
    ...terms.debitForm(debit),
    entry: first.how,
    edit: account.gateway.capabilities.vault.update.filter((name) => !name.startsWith('exp')),
  };
}
