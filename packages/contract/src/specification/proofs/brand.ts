import { inBrowser, type Proof, type Proofs } from '../row.ts';

const brandFile = 'e2e/brand.spec.ts';
const aftersignin: Proof = {
  file: brandFile,
  title: 'after sign-in the brand is that of the customer, whatever the host',
};
const areaoff: Proof = { file: brandFile, title: 'an area that the brand switches off is in no menu' };
const defaults: Proof = {
  file: brandFile,
  title: 'a brand about which nothing was said has the specified colours, words, symbol and settings',
};
const fallback: Proof = {
  file: brandFile,
  title: 'a banner and a logo that do not load give way to the built-in ones',
};
const hosts: Proof = { file: brandFile, title: 'each demo host shows its own brand before anybody signs in' };
const label: Proof = {
  file: brandFile,
  title: 'another word for an invoice stands in menu, title, head and pay page',
};
const otherfail: Proof = { file: brandFile, title: 'a brand look-up that fails otherwise shows the banner' };
const silent: Proof = { file: brandFile, title: 'a host without a brand is silent' };
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));

const usageOff: Proof = {
  file: 'e2e/usage-states.spec.ts',
  title: 'usage that a brand switches off is nowhere, nor is its cost centre',
};
const switchedOff: Proof = {
  file: 'e2e/transactions.spec.ts',
  title: 'transactions, cost centres and service items that a brand switches off are nowhere',
};

const reportsByFlag: Proof = {
  file: 'apps/web/src/features/reports/reports-page.test.tsx',
  title: 'exists, and stands in the menu, only where the brand shows reports',
};

const serviceWords = by(
  'apps/api/src/features/brand/routes.test.ts',
  'brand settings have the name and service of service items, the opening balance and the extra columns',
  'a brand about which nothing was said calls a service item so, and has no balance and no extra columns',
);

/** Tests that prove rows of brand: row id to file and title. */
export const proofs: Proofs = {
  'portal.brand.constant.colour1': [defaults],
  'portal.brand.constant.colour2': [defaults],
  'portal.brand.constant.colour3': [defaults],
  'portal.brand.constant.colour4': [defaults],
  'portal.brand.constant.colour5': [defaults],
  'portal.brand.constant.colour6': [defaults],
  'portal.brand.constant.colour7': [defaults],
  'portal.brand.field.colour1': [defaults],
  'portal.brand.field.colour2': [defaults],
  'portal.brand.field.colour3': [defaults],
  'portal.brand.field.colour4': [defaults],
  'portal.brand.field.colour5': [defaults],
  'portal.brand.field.colour6': [defaults],
  'portal.brand.field.colour7': [defaults],
  'portal.brand.per-brand-and-reseller': [hosts],
  'portal.brand.seven-colours': [defaults],
  'portal.brand.logo': [hosts],
  'portal.brand.banner': [hosts],
  'portal.brand.constant.default-brand': [fallback],
  'portal.brand.one-invoice-label': [label],
  'portal.brand.text.invoice-singular': [defaults],
  'portal.brand.text.invoice-plural': [defaults],
  'portal.brand.constant.currency-symbol': [defaults],
  'portal.brand.field.settings.invoiceLabel': [defaults],
  'portal.brand.field.settings.invoiceLabelSingular': [defaults],
  'portal.brand.field.settings.invoiceLabelPlural': [defaults],
  'portal.brand.field.settings.companyName': [defaults],
  'portal.brand.field.settings.payments.enabled': [defaults],
  'portal.brand.field.settings.payments.bulk': [defaults],
  'portal.brand.field.settings.payments.paymentType': [defaults],
  'portal.brand.field.settings.payments.billingAddressRequired': [defaults],
  'portal.brand.field.settings.payments.emailReceipt': [defaults],
  'portal.brand.constant.default.payments': [defaults],
  'portal.brand.constant.default.bulk': [defaults],
  'portal.brand.constant.default.billing-address': [defaults],
  'portal.brand.constant.default.email-receipt': [defaults],
  'portal.brand.field.id': [defaults],
  'portal.brand.field.currencySymbol.symbol': [defaults],
  'portal.brand.call.settings': [defaults],
  'portal.brand.call.by-id': [defaults],
  'portal.brand.call.by-domain': [defaults],
  'portal.brand.field.by-domain.d': [defaults],
  'portal.brand.field.endShowInvoices': [areaoff],
  'portal.brand.field.endShowDashboard': by(
    'e2e/dashboard.spec.ts',
    'signing in leads to the dashboard: what is due, invoices, data and bundles, each to act on',
    'one tile that fails says so and is asked for again by itself; without a dashboard the landing is /invoices',
  ),
  'portal.brand.error.domain-404': [silent],
  'portal.brand.error.domain-other': [otherfail],
  'portal.brand.error.banner-fallback': [fallback],
  'portal.brand.error.logo-fallback': [fallback],
  'decisions.call.2.logo': [hosts],
  'decisions.call.2.banner': [hosts],
  'decisions.2.brand-0': [fallback],
  'decisions.4.sign-in-brand': [hosts],
  'decisions.4.signed-in-brand': [aftersignin],
  'decisions.4.customer-brand': by(
    'apps/api/test/people.test.ts',
    'without a brand has the reseller’s first, else brand 0',
  ),
  'portal.brand.field.endShowTransactions': [switchedOff],
  'portal.brand.field.endShowUsage': [usageOff],
  'portal.brand.field.endShowUsageCostCentre': [usageOff],
  'portal.brand.field.endShowCostCentre': [switchedOff],
  'portal.brand.field.endShowServiceItem': [switchedOff],
  'portal.brand.field.endShowReports': [reportsByFlag],
  ...Object.fromEntries(
    [
      ...['endServiceItemDisplayName', 'endServiceId', 'endShowOpeningBalance'],
      ...[1, 2, 3, 4, 5].map((n) => `endPortalTransactionsExtraTab${n}`),
    ].map((field) => [`portal.brand.field.${field}`, serviceWords]),
  ),
  'portal.brand.text.service-item': [
    ...serviceWords,
    inBrowser('specified-screens', 'service items are called so where the provider says nothing else'),
  ],
};
