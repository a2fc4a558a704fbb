import { type PaymentDetails, SHARED_METHOD_PATHS } from '@counterfoil/contract/paying/payment-methods.ts';
import { changeable } from '@counterfoil/gateways/port/capabilities.ts';
import type { Brand } from '../brand/service.ts';
import { type GatewayAccount, PaymentTerms } from '../payments/service.ts';

/** Payment settings, and what the gateway can do: a screen reads these and never a gateway's name. */
export function presentDetails(
  brand: Brand,
  account: GatewayAccount | undefined,
  status: Pick<PaymentDetails, 'paymentType' | 'apiStatus' | 'paymentsPaused'>,
): PaymentDetails {
  const { settings } = brand;
  const terms = new PaymentTerms(brand, account);
  return {
    ...status,
    publishableKey: String(account?.publicConfig['publishableKey'] ?? ''),
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
    card: account === undefined ? null : presentCard(account, terms),
    bank: account === undefined ? null : presentBank(account, terms),
    paths: account?.module.manifest.saved?.paths ?? (account === undefined ? null : SHARED_METHOD_PATHS),
  };
}

function presentCard(account: GatewayAccount, terms: PaymentTerms): PaymentDetails['card'] {
  const entry = terms.cardEntry('save');
  const { saved, payOnceFields = [] } = account.module.manifest;
  if (entry === null || saved === undefined) return null;
  return {
    entry,
    edit: [...changeable(account.gateway.capabilities, 'card')],
    editNeeds: [...(saved.changeNeeds ?? [])],
    isNewAllowedInline: terms.refusal({ kind: 'card', source: { by: 'token' } }) === undefined,
    payOnceFields: [...payOnceFields],
  };
}

function presentBank(account: GatewayAccount, terms: PaymentTerms): PaymentDetails['bank'] {
  const debit = terms.debit();
  const form = debit && terms.debitForm(debit);
  if (!form) return null;
  return {
    ...form,
    edit: [...changeable(account.gateway.capabilities, 'bank')],
  };
}
