import { inBrowser, type Proof, type Proofs } from '../row.ts';

const areasFile = 'apps/web/src/lib/area.test.ts';
const authFile = 'e2e/auth.spec.ts';
const brandFile = 'e2e/brand.spec.ts';
const customersFile = 'e2e/customers.spec.ts';
const invoicesFile = 'e2e/invoices.spec.ts';
const payFile = 'e2e/public-pay.spec.ts';
const absent: Proof = {
  file: areasFile,
  title: 'are absent when their brand flag or their own condition says so',
};
const areaoff: Proof = { file: brandFile, title: 'an area that the brand switches off is in no menu' };
const banner: Proof = { file: authFile, title: 'a failing server shows the banner, which can be closed' };
const changePassword: Proof = {
  file: 'e2e/account.spec.ts',
  title: 'the password is changed from the Settings menu; this session stays, others end',
};
const choose: Proof = {
  file: customersFile,
  title: 'a user of several customers chooses one; the page loads again and every call carries it',
};
const columns: Proof = {
  file: invoicesFile,
  title: 'the list has the specified columns, newest first, 25 rows a page',
};
const defaults: Proof = {
  file: brandFile,
  title: 'a brand about which nothing was said has the specified colours, words, symbol and settings',
};
const facts: Proof = { file: invoicesFile, title: 'an invoice shows its facts, its sum and its lines' };
const good: Proof = { file: authFile, title: 'a good sign-in leads into the portal of the reseller' };
const label: Proof = {
  file: brandFile,
  title: 'another word for an invoice stands in menu, title, head and pay page',
};
const landing: Proof = {
  file: areasFile,
  title: 'are landed on in the specified order, disabled ones passed over',
};
const listfail: Proof = {
  file: invoicesFile,
  title: 'a list that fails shows the banner and a way to try again, which works',
};
const logout: Proof = {
  file: authFile,
  title: 'logging out clears the browser and ends the session on the server, in every tab',
};
const loading: Proof = {
  file: 'apps/web/src/shell/loading.test.tsx',
  title: 'a spinner overlay marks loading: at once while the portal loads, and said in words',
};
const origin: Proof = {
  file: authFile,
  title: 'a protected page asks to sign in and is shown afterwards, with its query',
};
const paid: Proof = {
  file: payFile,
  title: 'a card pays an invoice: one charge, the words of success, one receipt',
};
const phone: Proof = { file: customersFile, title: 'on a phone the menu opens with the customer first' };
const loginAsFile = 'e2e/login-as.spec.ts';
const atHand: Proof = {
  file: loginAsFile,
  title:
    'a code works once, takes the place of who was signed in, and goes on to r with the invoices at hand',
};
const heldUp: Proof = { file: loginAsFile, title: 'a failing preload holds nobody up' };
const preloadFile = 'apps/web/src/lib/preload-at-sign-in.test.ts';
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));

const usagePage: Proof = {
  file: 'e2e/usage.spec.ts',
  title:
    'usage: filters, labels of the service, totals, resets, pages and their numbers, sorting, the address',
};
const transactionsPage: Proof = {
  file: 'e2e/transactions.spec.ts',
  title: 'transactions: the first agreement by itself, periods by search, extra columns, sorting, the file',
};
const costCentresPage: Proof = {
  file: 'e2e/cost-centres.spec.ts',
  title: 'cost centres: filters, the file of what is filtered, and a row edited by keyboard',
};
const serviceItemsPage: Proof = {
  file: 'e2e/cost-centres.spec.ts',
  title: 'service items: the brand’s word and service, sorted, searched, edited; failures are told',
};
const usageOff: Proof = {
  file: 'e2e/usage-states.spec.ts',
  title: 'usage that a brand switches off is nowhere, nor is its cost centre',
};
const switchedOff: Proof = {
  file: 'e2e/transactions.spec.ts',
  title: 'transactions, cost centres and service items that a brand switches off are nowhere',
};

const dashboardFile = 'e2e/dashboard.spec.ts';
const dashboard: Proof = {
  file: dashboardFile,
  title: 'signing in leads to the dashboard: what is due, invoices, data and bundles, each to act on',
};
const withoutDashboard: Proof = {
  file: dashboardFile,
  title:
    'one tile that fails says so and is asked for again by itself; without a dashboard the landing is /invoices',
};
const dashboardLoads = by(
  'apps/web/src/features/dashboard/area.test.ts',
  'at sign-in it loads %s, as the brand and its reseller ask',
);

const reportsByFlag: Proof = {
  file: 'apps/web/src/features/reports/reports-page.test.tsx',
  title: 'exists, and stands in the menu, only where the brand shows reports',
};
const reportSaved: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'Invoice Details stands first; the modal stays while it is generated and the CSV is saved',
};
const statementPlace: Proof = {
  file: 'apps/web/src/shell/settings-menu.test.ts',
  title: 'Statement stands in the Settings menu after the specified entries',
};
const statementPage: Proof = {
  file: 'e2e/statement.spec.ts',
  title: 'the statement adds up, opens an invoice, keeps its days in the address and is saved as CSV',
};

/** Tests that prove rows of shell: row id to file and title. */
export const proofs: Proofs = {
  'portal.route.screen.login': [good],
  'portal.route.screen.pay': [paid],
  'portal.route.screen.reset-password': by(
    'e2e/password-reset.spec.ts',
    'from the forgotten password by mail to a new one, which signs in',
  ),
  'portal.route.screen.finish-registration': by(
    'e2e/registration.spec.ts',
    'a new user sets the password and signs in; the link works once',
  ),
  'portal.route.screen.bulk-pay': by(
    'e2e/bulk-pay.spec.ts',
    'by keyboard alone: three invoices are chosen and paid with a saved card, once',
  ),
  'portal.route.screen.payment-result': by(
    'e2e/bulk-pay.spec.ts',
    'a new card asks its bank, which sends the payer back to the result',
  ),
  'portal.route.screen.settings': [changePassword],
  'portal.shell.control.settings.change-password': [changePassword],
  'portal.route.screen.payment-types': by(
    'e2e/payment-methods.spec.ts',
    'a card is added from the Settings menu, shown, edited, made default and removed',
  ),
  'portal.shell.control.settings.payment-types': by(
    'e2e/payment-methods.spec.ts',
    'a card is added from the Settings menu, shown, edited, made default and removed',
  ),
  'portal.route.landing': [landing, areaoff],
  'portal.route.screen.invoices': [areaoff, columns],
  'portal.route.screen.invoice': [facts, areaoff],
  'portal.route.screen.logout': [logout],
  'portal.landing.first-enabled': [landing],
  'portal.landing.order': [landing],
  'portal.route.screen.la': [atHand],
  'portal.route.screen.redirect-loader': [atHand],
  'portal.route.screen.catch-all': by(loginAsFile, 'unknown pages say so'),
  'portal.redirect-loader.loader': [heldUp],
  'portal.redirect-loader.r': [atHand, heldUp],
  'portal.redirect-loader.preload-invoices': [atHand],
  'portal.redirect-loader.preload-other': [
    atHand,
    ...by(preloadFile, 'of enabled areas run at once, with client and portal; those of others do not'),
  ],
  'portal.shell.control.menu.invoices': [label, defaults],
  'portal.shell.menu-by-flag': [areaoff, absent],
  'portal.shell.control.settings': [logout],
  'portal.shell.control.settings.log-out': [logout],
  'portal.shell.control.burger': [phone],
  'portal.shell.no-session': [origin],
  'portal.shell.control.spinner': [
    loading,
    inBrowser('specified-screens', 'a spinner covers the portal while it loads, and says so'),
  ],
  'portal.shell.error.banner': [listfail, banner],
  'portal.shell.control.banner-close': [banner],
  'portal.shell.failure-logged': [banner],
  'decisions.1.cache-payment': [
    {
      file: 'apps/web/src/lib/bulk-pay/bulk-flow.test.ts',
      title: 'invalidates what is cached and broadcasts paymentWatch once it is paid',
    },
  ],
  'decisions.1.cache-payment-watch': [
    {
      file: 'e2e/bulk-pay.spec.ts',
      title: 'two tabs: one pays, the other learns of it and has nothing left to pay',
    },
  ],
  'decisions.1.confirming-refreshes': [
    {
      file: 'apps/web/src/lib/invoices/invoice-queries.test.ts',
      title: 'in the list: every five seconds while any is, and not after',
    },
    { file: 'apps/web/src/lib/bulk-pay/bulk-flow.test.ts', title: 'being confirmed resolves by itself' },
    {
      file: 'e2e/public-pay-doubt.spec.ts',
      title: 'a time-out after the charge is being confirmed, then paid by itself, charged once @external',
    },
  ],
  'decisions.1.cache-customer-switch': [choose],
  'decisions.1.cache-manual-retry': [listfail],
  'decisions.1.cached-for-page-life': by(
    'apps/web/src/lib/query-client.test.ts',
    'is fetched once in the life of the page, however often it is shown',
  ),
  'portal.route.screen.transactions': [transactionsPage, switchedOff],
  'portal.route.screen.usage': [usagePage, usageOff],
  'portal.route.screen.cost-centre': [costCentresPage, switchedOff],
  'portal.route.screen.service-items': [serviceItemsPage, switchedOff],
  'portal.shell.control.menu.transactions': [transactionsPage, switchedOff],
  'portal.shell.control.menu.usage': [usagePage, usageOff],
  'portal.shell.control.menu.cost-centre': [costCentresPage, switchedOff],
  'portal.shell.control.menu.service-items': [serviceItemsPage, switchedOff],
  'portal.route.screen.dashboard': [dashboard, withoutDashboard],
  'portal.route.dashboard-fall-through': [withoutDashboard],
  'portal.shell.control.menu.dashboard': [dashboard, withoutDashboard],
  'portal.redirect-loader.preload-opening-balance': dashboardLoads,
  'portal.redirect-loader.constant.preload-usage-report': dashboardLoads,
  'portal.route.screen.reports': [reportsByFlag, reportSaved],
  'portal.shell.control.menu.reports': [reportsByFlag, reportSaved],
  'decisions.screen.4.statement': [statementPlace, statementPage],
};
