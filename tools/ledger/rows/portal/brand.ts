import { call, constant, error, field, type Row, rule, section, text } from '../../row.ts';

const look = section({ prefix: 'portal.brand', source: 'portal §1' }, [
  rule('per-brand-and-reseller', 'The portal is branded per customer brand and reseller.'),
  rule('seven-colours', 'Each brand has seven colours.'),
  constant('colour1', 'colour1 defaults to white.', 'white'),
  constant('colour2', 'colour2 defaults to #3598db.', '#3598db'),
  constant('colour3', 'colour3 defaults to #94a1a3.', '#94a1a3'),
  constant('colour4', 'colour4 defaults to #def1fe.', '#def1fe'),
  constant('colour5', 'colour5 defaults to #005e80.', '#005e80'),
  constant('colour6', 'colour6 defaults to #eef8fe.', '#eef8fe'),
  constant('colour7', 'colour7 defaults to #e7ebef.', '#e7ebef'),
  rule('logo', 'Each brand has a logo, an image looked up by brand id.'),
  rule('banner', 'Each brand has a login banner, an image looked up by brand id.'),
  constant('default-brand', 'A default brand with id 0 is used when the brand image fails to load.'),
  rule(
    'one-invoice-label',
    'One configured label replaces both singular and plural of the word for an invoice.',
  ),
  text('invoice-singular', 'The default word for one invoice.', 'Invoice'),
  text('invoice-plural', 'The default word for several invoices.', 'Invoices'),
  text('service-item', "The default of the brand's service item display name.", {
    text: 'Service Item',
  }),
  constant('currency-symbol', 'The currency symbol comes from the brand settings and defaults to $.', {
    text: '$',
    source: 'portal §1; payments §3, §9',
  }),
]);

const settings = section({ prefix: 'portal.brand', source: 'portal §3' }, [
  field('settings.invoiceLabel', 'Portal settings have invoiceLabel.'),
  field('settings.invoiceLabelSingular', 'Portal settings may have invoiceLabelSingular instead.', {
    source: 'portal §3; payments §3',
  }),
  field('settings.invoiceLabelPlural', 'Portal settings may have invoiceLabelPlural instead.', {
    source: 'portal §3; payments §3',
  }),
  field('settings.companyName', 'Portal settings have companyName.', { source: 'portal §3; payments §3' }),
  field('settings.payments.enabled', 'Portal settings have payments.enabled.'),
  field('settings.payments.bulk', 'Portal settings have payments.bulk.'),
  field('settings.payments.paymentType', 'Portal settings have payments.paymentType.'),
  field('settings.payments.billingAddressRequired', 'Portal settings have payments.billingAddressRequired.'),
  field('settings.payments.emailReceipt', 'Portal settings have payments.emailReceipt.'),
  constant('default.payments', 'Payments are enabled by default.'),
  constant('default.bulk', 'Bulk payment is enabled by default.'),
  constant('default.billing-address', 'The billing address is required by default.'),
  constant('default.email-receipt', 'The e-mail receipt is on by default.'),
  field('id', 'A brand has id.'),
  field('colour1', 'Brand settings have colour1.'),
  field('colour2', 'Brand settings have colour2.'),
  field('colour3', 'Brand settings have colour3.'),
  field('colour4', 'Brand settings have colour4.'),
  field('colour5', 'Brand settings have colour5.'),
  field('colour6', 'Brand settings have colour6.'),
  field('colour7', 'Brand settings have colour7.'),
  field('endServiceItemDisplayName', 'Brand settings have endServiceItemDisplayName.'),
  field('endServiceId', 'Brand settings have endServiceId.'),
  field('endShowOpeningBalance', 'Brand settings have endShowOpeningBalance.'),
  field('currencySymbol.symbol', 'Brand settings have currencySymbol.symbol.', {
    source: 'portal §3; payments §3',
  }),
  field('endPortalTransactionsExtraTab1', 'Brand settings have endPortalTransactionsExtraTab1.'),
  field('endPortalTransactionsExtraTab2', 'Brand settings have endPortalTransactionsExtraTab2.'),
  field('endPortalTransactionsExtraTab3', 'Brand settings have endPortalTransactionsExtraTab3.'),
  field('endPortalTransactionsExtraTab4', 'Brand settings have endPortalTransactionsExtraTab4.'),
  field('endPortalTransactionsExtraTab5', 'Brand settings have endPortalTransactionsExtraTab5.'),
  field('endShowUsageCostCentre', 'Brand settings have endShowUsageCostCentre.'),
]);

const flags = section({ prefix: 'portal.brand', source: 'portal §2 Route table, §3' }, [
  field('endShowDashboard', 'The brand flag endShowDashboard enables the dashboard area.'),
  field('endShowInvoices', 'The brand flag endShowInvoices enables the invoices area.'),
  field('endShowTransactions', 'The brand flag endShowTransactions enables the transactions area.'),
  field('endShowUsage', 'The brand flag endShowUsage enables the usage area.'),
  field('endShowReports', 'The brand flag endShowReports enables the reports area.'),
  field('endShowCostCentre', 'The brand flag endShowCostCentre enables the cost-centre area.'),
  field('endShowServiceItem', 'The brand flag endShowServiceItem enables the service-items area.'),
]);

const calls = section({ prefix: 'portal.brand', source: 'portal §7 Settings and brand' }, [
  call('settings', 'GET /v1/ec/settings answers the portal settings.'),
  call('by-id', 'GET /v1/brands-settings/{id} answers the brand settings.'),
  call(
    'by-domain',
    'GET /v1/brands-settings?d={domain} answers the brand settings of the domain, anonymously.',
  ),
  field('by-domain.d', 'The look-up by domain takes d.'),
]);

const errors = section({ prefix: 'portal.brand', source: 'portal §8' }, [
  error('domain-404', 'A brand look-up by domain that fails with 404 is silent.'),
  error('domain-other', 'Any other failure of the look-up by domain shows the banner.'),
  error('banner-fallback', 'A failed banner image falls back to the default banner.'),
  error('logo-fallback', 'A failed logo falls back to the default logo.'),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §2' }, [
  call('2.logo', 'GET /v1/brands/{id}/logo answers the logo.'),
  call('2.banner', 'GET /v1/brands/{id}/banner answers the banner.'),
  rule('2.brand-0', 'Brand 0 is the built-in default.'),
  rule('4.sign-in-brand', 'The sign-in page takes its brand from the host.', { source: 'decisions §4' }),
  rule('4.signed-in-brand', 'After sign-in the brand is that of the current customer.', {
    source: 'decisions §4',
  }),
  rule('4.customer-brand', "A customer has one brand, else the reseller's first, else brand 0.", {
    source: 'decisions §4',
  }),
]);

/** Brand: look, labels, settings, look-up. */
export const rows: readonly Row[] = [...look, ...settings, ...flags, ...calls, ...errors, ...decided];
