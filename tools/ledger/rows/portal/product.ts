import { type Row, rule, section } from '../../row.ts';

const portal = section({ prefix: 'portal.product', source: 'portal §1' }, [
  rule('audience', 'The portal serves end customers of a reseller-style billing provider.'),
  rule('view-invoices', 'A signed-in user can view invoices.'),
  rule('open-invoice-pdf', 'A signed-in user can open an invoice as a PDF.'),
  rule('download-invoice-pdf', 'A signed-in user can download an invoice as a PDF.'),
  rule('view-transactions', 'A signed-in user can view transactions per billing period.'),
  rule('view-usage', 'A signed-in user can view usage records.'),
  rule('allocate', 'A signed-in user can allocate service items to cost centres.'),
  rule('service-items', 'A signed-in user can view and edit service items.'),
  rule('generate-reports', 'A signed-in user can generate reports.'),
  rule('download-reports', 'A signed-in user can download reports.'),
  rule('change-password', 'A signed-in user can change their password.'),
  rule('pay-invoices', 'A user can pay invoices.', { source: 'portal §1; payments §1' }),
  rule('manage-methods', 'A user can manage payment methods.', { source: 'portal §1; payments §1' }),
]);

const whole = section({ prefix: 'decisions.0', source: 'decisions, opening' }, [
  rule('silent-adr', 'Where the decisions are silent too, what is built is recorded in an ADR.'),
  rule('whole-portal', 'The product has the React portal.'),
  rule('whole-api', 'The product has the API server behind every call.'),
  rule('whole-gateways', 'The product has the payment-gateway integrations.'),
  rule('whole-import', 'The product has import.'),
  rule('whole-branding', 'The product has branding by the provider.'),
  rule('whole-users', 'The product has user administration by the provider.'),
  rule('whole-keys', 'The product has administration of gateway keys by the provider.'),
]);

/** What the product does as a whole. */
export const rows: readonly Row[] = [...portal, ...whole];
