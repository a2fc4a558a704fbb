import { inBrowser, type Proof, type Proofs } from '../row.ts';

const inFile =
  (file: string) =>
  (...titles: string[]): readonly Proof[] =>
    titles.map((title) => ({ file, title }));
const web = 'apps/web/src/features/dashboard';
const page = inFile(`${web}/dashboard-page.test.tsx`);
const groups = inFile(`${web}/invoice-groups.test.ts`);
const layout = inFile(`${web}/layout.test.ts`);
const scale = inFile('apps/web/src/ui/chart-scale.test.ts');
const api = inFile('apps/api/src/features/dashboard/routes.test.ts');
const statement = inFile('apps/api/src/features/statement/routes.test.ts');
const browser = inFile('e2e/dashboard.spec.ts');

const opened = browser(
  'signing in leads to the dashboard: what is due, invoices, data and bundles, each to act on',
);
const recent = page('shows the latest invoice with its PDF, and the two previous ones');
const lastFive = page('has the last 5 of the brand’s currency, oldest first');
const listed = page('lists the invoices, each with an open and a download action');
const product = page('has its name, and each product with service item, quantity and unit, and progress');
const bundles = api('shows each product with quantity, unit and what this month used of it');
const months = api('answers the last five months in bytes, oldest first, and all of them on request');
const balance = statement('is what was owed at the start of the current month: positive is owed');
const ofMonths = page('shows the latest 5 periods, each column labelled with its usage');

/** Tests that prove rows of dashboard: row id to file and title. */
export const proofs: Proofs = {
  'portal.dashboard.screen.page': [
    ...page(
      'consists of tiles: due, opening balance, recent, last five, summary, next bill, data, bundles, list',
    ),
    ...opened,
  ],
  'portal.dashboard.screen.invoice-chart': [...lastFive, ...opened],
  'portal.dashboard.constant.invoice-chart-count': lastFive,
  'portal.dashboard.text.invoice-chart-empty': [
    ...page("without invoices says 'There are no invoices yet'"),
    inBrowser('dashboard', 'a customer with nothing yet reads so in every tile'),
  ],
  'portal.dashboard.screen.recent': [
    ...recent,
    inBrowser('specified-screens', 'latest invoice, previous ones, sums and downloads'),
  ],
  'portal.dashboard.control.recent-download': [...recent, ...opened],
  'portal.dashboard.constant.recent-previous': recent,
  'portal.dashboard.screen.invoice-list': [
    ...listed,
    inBrowser('specified-screens', 'latest invoice, previous ones, sums and downloads'),
  ],
  'portal.dashboard.control.invoice-list-open': [...listed, ...opened],
  'portal.dashboard.control.invoice-list-download': [
    ...listed,
    inBrowser('specified-screens', 'latest invoice, previous ones, sums and downloads'),
  ],
  'portal.dashboard.duplicates-aggregated': groups(
    'of one number, kind and currency are one row with exactly summed amounts, the newest first',
  ),
  'portal.dashboard.screen.summary': [
    ...page('sums the invoices up'),
    inBrowser('specified-screens', 'latest invoice, previous ones, sums and downloads'),
  ],
  'portal.dashboard.screen.opening-balance': [
    ...page('stands there only if endShowOpeningBalance is on'),
    inBrowser('dashboard', 'signing in leads to the dashboard'),
  ],
  'portal.dashboard.opening-balance-flag': page('stands there only if endShowOpeningBalance is on'),
  'portal.dashboard.opening-balance-format': page(
    'has the currency symbol and 2 decimals, and 0.00 if there is none',
  ),
  'portal.dashboard.text.opening-balance-none': [
    ...page('has the currency symbol and 2 decimals, and 0.00 if there is none'),
    inBrowser('dashboard', 'a customer with nothing yet reads so in every tile'),
  ],
  'portal.dashboard.screen.data-chart': [...ofMonths, ...opened],
  'portal.dashboard.constant.data-chart-reseller': page('is shown only where the reseller asks for it'),
  'portal.dashboard.constant.data-chart-periods': ofMonths,
  'portal.dashboard.data-chart-labels': ofMonths,
  'portal.dashboard.constant.data-chart-gridlines': scale('up to %d has 5 gridlines in rounded steps'),
  'portal.dashboard.data-chart-scale': [
    ...scale('of bytes has steps of 1, 2 or 5 in one unit, at every size'),
    ...browser('the data chart counts in steps people use, at the border of units too'),
  ],
  'portal.dashboard.text.data-chart-empty': [
    ...page("without any says 'There are no data yet'"),
    inBrowser('dashboard', 'a customer with nothing yet reads so in every tile'),
  ],
  'portal.dashboard.constant.data-chart-height': opened,
  'portal.dashboard.screen.bundle': [...product, inBrowser('dashboard', 'signing in leads to the dashboard')],
  'portal.dashboard.bundle-name': product,
  'portal.dashboard.bundle-product': product,
  'portal.dashboard.bundle-service-item': product,
  'portal.dashboard.bundle-quantity': product,
  'portal.dashboard.bundle-progress': product,
  'portal.dashboard.constant.bundle-height': layout(
    'a bundle tile is 120 high, and 70 more for each extra product',
  ),
  'portal.dashboard.constant.bundle-height-extra': layout(
    'a bundle tile is 120 high, and 70 more for each extra product',
  ),
  'portal.dashboard.control.spinner': [
    ...page('says that it is loading, by a spinner and in words, and has every tile in its place'),
    inBrowser('specified-screens', 'latest invoice, previous ones, sums and downloads'),
  ],
  'portal.dashboard.field.jasper.periodLabel': months,
  'portal.dashboard.field.jasper.dataUsage': months,
  'portal.dashboard.field.bundle.bundleName': bundles,
  'portal.dashboard.field.bundle.bundle_products': bundles,
  'portal.dashboard.field.bundle.product.productName': bundles,
  'portal.dashboard.field.bundle.product.serviceItem': bundles,
  'portal.dashboard.field.bundle.product.quantity': bundles,
  'portal.dashboard.field.bundle.product.unitLabel': bundles,
  'portal.dashboard.field.bundle.product.consumption': bundles,
  'portal.dashboard.field.opening-balance.balance': balance,
  'portal.dashboard.call.jasper-usage': months,
  'portal.dashboard.call.jasper-usage-all': months,
  'portal.dashboard.call.opening-balance': balance,
  'portal.dashboard.call.bundle-widget': bundles,
  'decisions.3.opening-balance-sign': balance,
  'decisions.3.jasper-bytes': months,
  'decisions.3.constant.jasper-last-five': months,
  'decisions.3.bundles': bundles,
  'decisions.5.duplicates-newest-opened': page(
    'opens the newest of those alike; the others stand in the menu of the row',
  ),
  'decisions.5.duplicates-others-in-menu': page(
    'opens the newest of those alike; the others stand in the menu of the row',
  ),
  'decisions.5.next-bill': [
    ...page('says what is not billed yet, and that it is not final'),
    ...api('sums the charges no invoice carries yet, by currency and service, and this month’s usage'),
  ],
};
