import type { Row } from './row.ts';
import { rows as accountRows } from './rows/access/account.ts';
import { rows as authLoginRows } from './rows/access/auth-login.ts';
import { rows as authLoginAsRows } from './rows/access/auth-login-as.ts';
import { rows as authPasswordResetRows } from './rows/access/auth-password-reset.ts';
import { rows as authSessionRows } from './rows/access/auth-session.ts';
import { rows as authSingleSignOnRows } from './rows/access/auth-single-sign-on.ts';
import { rows as customersRows } from './rows/access/customers.ts';
import { rows as registrationRows } from './rows/access/registration.ts';
import { rows as costCentresRows } from './rows/billing/cost-centres.ts';
import { rows as dashboardRows } from './rows/billing/dashboard.ts';
import { rows as invoiceDetailRows } from './rows/billing/invoice-detail.ts';
import { rows as invoicesRows } from './rows/billing/invoices.ts';
import { rows as reportsRows } from './rows/billing/reports.ts';
import { rows as serviceItemsRows } from './rows/billing/service-items.ts';
import { rows as transactionsRows } from './rows/billing/transactions.ts';
import { rows as usageRows } from './rows/billing/usage.ts';
import { rows as autoPayRows } from './rows/payments/auto-pay.ts';
import { rows as bulkPayRows } from './rows/payments/bulk-pay.ts';
import { rows as gatewaysRows } from './rows/payments/gateways.ts';
import { rows as gatewaysAchRows } from './rows/payments/gateways-ach.ts';
import { rows as gatewaysCardsRows } from './rows/payments/gateways-cards.ts';
import { rows as paymentMethodFieldsRows } from './rows/payments/payment-method-fields.ts';
import { rows as paymentMethodsRows } from './rows/payments/payment-methods.ts';
import { rows as paymentResultRows } from './rows/payments/payment-result.ts';
import { rows as paymentsRows } from './rows/payments/payments.ts';
import { rows as publicPayRows } from './rows/payments/public-pay.ts';
import { rows as brandRows } from './rows/portal/brand.ts';
import { rows as envelopeRows } from './rows/portal/envelope.ts';
import { rows as formatRows } from './rows/portal/format.ts';
import { rows as gridRows } from './rows/portal/grid.ts';
import { rows as importRows } from './rows/portal/import.ts';
import { rows as productRows } from './rows/portal/product.ts';
import { rows as safetyRows } from './rows/portal/safety.ts';
import { rows as shellRows } from './rows/portal/shell.ts';
import { rows as tenancyRows } from './rows/portal/tenancy.ts';

/** Rows of one part of the product. */
export interface Area {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** All areas, in the order of the generated page. */
export const areas: readonly Area[] = [
  { name: 'product', rows: productRows },
  { name: 'auth-login', rows: authLoginRows },
  { name: 'auth-session', rows: authSessionRows },
  { name: 'auth-password-reset', rows: authPasswordResetRows },
  { name: 'auth-single-sign-on', rows: authSingleSignOnRows },
  { name: 'auth-login-as', rows: authLoginAsRows },
  { name: 'registration', rows: registrationRows },
  { name: 'account', rows: accountRows },
  { name: 'brand', rows: brandRows },
  { name: 'shell', rows: shellRows },
  { name: 'customers', rows: customersRows },
  { name: 'grid', rows: gridRows },
  { name: 'format', rows: formatRows },
  { name: 'dashboard', rows: dashboardRows },
  { name: 'invoices', rows: invoicesRows },
  { name: 'invoice-detail', rows: invoiceDetailRows },
  { name: 'transactions', rows: transactionsRows },
  { name: 'usage', rows: usageRows },
  { name: 'reports', rows: reportsRows },
  { name: 'cost-centres', rows: costCentresRows },
  { name: 'service-items', rows: serviceItemsRows },
  { name: 'payments', rows: paymentsRows },
  { name: 'payment-methods', rows: paymentMethodsRows },
  { name: 'payment-method-fields', rows: paymentMethodFieldsRows },
  { name: 'auto-pay', rows: autoPayRows },
  { name: 'bulk-pay', rows: bulkPayRows },
  { name: 'public-pay', rows: publicPayRows },
  { name: 'payment-result', rows: paymentResultRows },
  { name: 'gateways', rows: gatewaysRows },
  { name: 'gateways-cards', rows: gatewaysCardsRows },
  { name: 'gateways-ach', rows: gatewaysAchRows },
  { name: 'envelope', rows: envelopeRows },
  { name: 'tenancy', rows: tenancyRows },
  { name: 'import', rows: importRows },
  { name: 'safety', rows: safetyRows },
];
