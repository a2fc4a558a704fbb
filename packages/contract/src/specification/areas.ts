import { rows as accountRows } from './account.ts';
import { rows as authLoginRows } from './auth-login.ts';
import { rows as authLoginAsRows } from './auth-login-as.ts';
import { rows as authPasswordResetRows } from './auth-password-reset.ts';
import { rows as authSessionRows } from './auth-session.ts';
import { rows as authSingleSignOnRows } from './auth-single-sign-on.ts';
import { rows as autoPayRows } from './auto-pay.ts';
import { rows as brandRows } from './brand.ts';
import { rows as bulkPayRows } from './bulk-pay.ts';
import { rows as costCentresRows } from './cost-centres.ts';
import { rows as customersRows } from './customers.ts';
import { rows as dashboardRows } from './dashboard.ts';
import { rows as envelopeRows } from './envelope.ts';
import { rows as formatRows } from './format.ts';
import { rows as gatewaysRows } from './gateways.ts';
import { rows as gatewaysAchRows } from './gateways-ach.ts';
import { rows as gatewaysCardsRows } from './gateways-cards.ts';
import { rows as gridRows } from './grid.ts';
import { rows as importRows } from './import.ts';
import { rows as invoiceDetailRows } from './invoice-detail.ts';
import { rows as invoicesRows } from './invoices.ts';
import { rows as paymentMethodFieldsRows } from './payment-method-fields.ts';
import { rows as paymentMethodsRows } from './payment-methods.ts';
import { rows as paymentResultRows } from './payment-result.ts';
import { rows as paymentsRows } from './payments.ts';
import { rows as productRows } from './product.ts';
import { proofs as accountProofs } from './proofs/account.ts';
import { proofs as authLoginProofs } from './proofs/auth-login.ts';
import { proofs as authLoginAsProofs } from './proofs/auth-login-as.ts';
import { proofs as authPasswordResetProofs } from './proofs/auth-password-reset.ts';
import { proofs as authSessionProofs } from './proofs/auth-session.ts';
import { proofs as authSingleSignOnProofs } from './proofs/auth-single-sign-on.ts';
import { proofs as autoPayProofs } from './proofs/auto-pay.ts';
import { proofs as brandProofs } from './proofs/brand.ts';
import { proofs as bulkPayProofs } from './proofs/bulk-pay.ts';
import { proofs as costCentresProofs } from './proofs/cost-centres.ts';
import { proofs as customersProofs } from './proofs/customers.ts';
import { proofs as dashboardProofs } from './proofs/dashboard.ts';
import { proofs as envelopeProofs } from './proofs/envelope.ts';
import { proofs as formatProofs } from './proofs/format.ts';
import { proofs as gatewaysProofs } from './proofs/gateways.ts';
import { proofs as gatewaysAchProofs } from './proofs/gateways-ach.ts';
import { proofs as gatewaysCardsProofs } from './proofs/gateways-cards.ts';
import { proofs as gridProofs } from './proofs/grid.ts';
import { proofs as importProofs } from './proofs/import.ts';
import { proofs as invoiceDetailProofs } from './proofs/invoice-detail.ts';
import { proofs as invoicesProofs } from './proofs/invoices.ts';
import { proofs as paymentMethodFieldsProofs } from './proofs/payment-method-fields.ts';
import { proofs as paymentMethodsProofs } from './proofs/payment-methods.ts';
import { proofs as paymentResultProofs } from './proofs/payment-result.ts';
import { proofs as paymentsProofs } from './proofs/payments.ts';
import { proofs as productProofs } from './proofs/product.ts';
import { proofs as publicPayProofs } from './proofs/public-pay.ts';
import { proofs as registrationProofs } from './proofs/registration.ts';
import { proofs as reportsProofs } from './proofs/reports.ts';
import { proofs as safetyProofs } from './proofs/safety.ts';
import { proofs as serviceItemsProofs } from './proofs/service-items.ts';
import { proofs as shellProofs } from './proofs/shell.ts';
import { proofs as tenancyProofs } from './proofs/tenancy.ts';
import { proofs as transactionsProofs } from './proofs/transactions.ts';
import { proofs as usageProofs } from './proofs/usage.ts';
import { rows as publicPayRows } from './public-pay.ts';
import { rows as registrationRows } from './registration.ts';
import { rows as reportsRows } from './reports.ts';
import type { Proofs, Row } from './row.ts';
import { rows as safetyRows } from './safety.ts';
import { rows as serviceItemsRows } from './service-items.ts';
import { rows as shellRows } from './shell.ts';
import { rows as tenancyRows } from './tenancy.ts';
import { rows as transactionsRows } from './transactions.ts';
import { rows as usageRows } from './usage.ts';

/** Rows of one part of the product, with the proofs its authors have given. */
export interface Area {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly proofs: Proofs;
}

/** All areas, in the order of the generated page. */
export const areas: readonly Area[] = [
  { name: 'product', rows: productRows, proofs: productProofs },
  { name: 'auth-login', rows: authLoginRows, proofs: authLoginProofs },
  { name: 'auth-session', rows: authSessionRows, proofs: authSessionProofs },
  { name: 'auth-password-reset', rows: authPasswordResetRows, proofs: authPasswordResetProofs },
  { name: 'auth-single-sign-on', rows: authSingleSignOnRows, proofs: authSingleSignOnProofs },
  { name: 'auth-login-as', rows: authLoginAsRows, proofs: authLoginAsProofs },
  { name: 'registration', rows: registrationRows, proofs: registrationProofs },
  { name: 'account', rows: accountRows, proofs: accountProofs },
  { name: 'brand', rows: brandRows, proofs: brandProofs },
  { name: 'shell', rows: shellRows, proofs: shellProofs },
  { name: 'customers', rows: customersRows, proofs: customersProofs },
  { name: 'grid', rows: gridRows, proofs: gridProofs },
  { name: 'format', rows: formatRows, proofs: formatProofs },
  { name: 'dashboard', rows: dashboardRows, proofs: dashboardProofs },
  { name: 'invoices', rows: invoicesRows, proofs: invoicesProofs },
  { name: 'invoice-detail', rows: invoiceDetailRows, proofs: invoiceDetailProofs },
  { name: 'transactions', rows: transactionsRows, proofs: transactionsProofs },
  { name: 'usage', rows: usageRows, proofs: usageProofs },
  { name: 'reports', rows: reportsRows, proofs: reportsProofs },
  { name: 'cost-centres', rows: costCentresRows, proofs: costCentresProofs },
  { name: 'service-items', rows: serviceItemsRows, proofs: serviceItemsProofs },
  { name: 'payments', rows: paymentsRows, proofs: paymentsProofs },
  { name: 'payment-methods', rows: paymentMethodsRows, proofs: paymentMethodsProofs },
  { name: 'payment-method-fields', rows: paymentMethodFieldsRows, proofs: paymentMethodFieldsProofs },
  { name: 'auto-pay', rows: autoPayRows, proofs: autoPayProofs },
  { name: 'bulk-pay', rows: bulkPayRows, proofs: bulkPayProofs },
  { name: 'public-pay', rows: publicPayRows, proofs: publicPayProofs },
  { name: 'payment-result', rows: paymentResultRows, proofs: paymentResultProofs },
  { name: 'gateways', rows: gatewaysRows, proofs: gatewaysProofs },
  { name: 'gateways-cards', rows: gatewaysCardsRows, proofs: gatewaysCardsProofs },
  { name: 'gateways-ach', rows: gatewaysAchRows, proofs: gatewaysAchProofs },
  { name: 'envelope', rows: envelopeRows, proofs: envelopeProofs },
  { name: 'tenancy', rows: tenancyRows, proofs: tenancyProofs },
  { name: 'import', rows: importRows, proofs: importProofs },
  { name: 'safety', rows: safetyRows, proofs: safetyProofs },
];
