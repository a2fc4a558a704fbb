import { type PaymentDetails, SHARED_METHOD_PATHS } from '@counterfoil/contract/payment-methods.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import { cardEntryOf } from '../payments/card-entry.ts';
import { refusalOf } from '../payments/chargeable.ts';
import { debitOf, presentDebit } from '../payments/direct-debit.ts';

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
  const [first] = gateway.capabilities.entry.card ?? [];
  const { saved } = module.manifest;
  if (first === undefined || saved === undefined) return null;
  return {
    entry: first.how,
    fields: [...saved.cardFields],
    edit: [...gateway.capabilities.vault.update],
    isNewAllowedInline: refusalOf(account, { kind: 'card', source: { by: 'token' } }) === undefined,
  };
}

function presentBank(brand: Brand, account: GatewayAccount): PaymentDetails['bank'] {
  const debit = debitOf(brand, account);
  const [first] = account.gateway.capabilities.entry.bank ?? [];
  if (debit === undefined || first === undefined) return null;
  return {
    ...presentDebit(debit, brand),
    entry: first.how,
    edit: account.gateway.capabilities.vault.update.filter((name) => !name.startsWith('exp')),
  };
}
