import { constant, control, error, type Row, rule, screen, section } from '../../row.ts';

const routes = section({ prefix: 'portal.route', source: 'portal §2 Route table' }, [
  screen('login', '/login is a public route.'),
  screen('reset-password', '/reset-password/{id} is a public route; id is the reset token.'),
  screen('finish-registration', '/finish-registration/{token} is a public route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen('pay', '/pay/{id} is a public route.', { source: 'portal §2 Route table; payments §2' }),
  screen('la', '/la/{id} is a public route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen(
    'dashboard',
    'The dashboard is at /dashboard, only if its area is enabled; / is the landing redirector.',
    {
      source: 'portal §2 Route table; decisions §1',
    },
  ),
  rule('landing', 'The default landing after sign-in is /, which leads to the first enabled area.', {
    source: 'portal §2 Route table; decisions §1',
  }),
  rule(
    'dashboard-fall-through',
    'Where a rule says /dashboard and the brand has none, the guard falls through to /.',
    {
      source: 'decisions §1',
    },
  ),
  screen('invoices', '/invoices exists only if invoices are enabled.'),
  screen('invoice', '/invoices/{id} exists only if invoices are enabled.'),
  screen('transactions', '/transactions exists only if its area is enabled.'),
  screen('usage', '/usage exists only if its area is enabled.'),
  screen('reports', '/reports exists only if its area is enabled.'),
  screen('cost-centre', '/cost-centre exists only if its area is enabled.'),
  screen('service-items', '/service-items exists only if its area is enabled.'),
  screen('settings', '/settings (Change Password) is a signed-in route.'),
  screen('payment-types', '/payment-types is a signed-in route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen('payment-result', '/payment-result is a signed-in route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen('bulk-pay', '/bulk-pay is a signed-in route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen('redirect-loader', '/redirect-loader is a signed-in route.', {
    source: 'portal §2 Route table; payments §2',
  }),
  screen('logout', '/logout is a signed-in route.'),
  screen('catch-all', 'Any other path goes to a catch-all page.'),
]);

const landing = section({ prefix: 'portal.landing', source: 'portal §2 Route guards' }, [
  rule('first-enabled', 'The landing redirector sends the user to the first enabled section.'),
  rule(
    'order',
    'The order is /dashboard, /invoices, /usage, /transactions, /reports, /cost-centre, /service-items.',
  ),
]);

const loader = section({ prefix: 'portal.redirect-loader', source: 'portal §2 Route guards; payments §2' }, [
  rule('loader', 'The redirect loader shows a loader.'),
  rule('r', 'Then it sends the browser to the address in query parameter r if one is present.'),
  rule('preload-invoices', 'It also preloads invoices.'),
  rule('preload-opening-balance', 'It also preloads the opening balance.'),
  rule('preload-other', 'It also preloads other data.', { source: 'portal §2 Route guards' }),
  constant('preload-usage-report', 'For reseller id 2204 it also loads the usage report data.', {
    source: 'portal §2 Route guards, §9; payments §2, §9',
  }),
]);

const header = section({ prefix: 'portal.shell', source: 'portal §2 Header and shell' }, [
  control('menu.dashboard', 'The top menu shows Dashboard.', { text: 'Dashboard' }),
  control('menu.invoices', 'The top menu shows Invoices.', 'Invoices'),
  control('menu.transactions', 'The top menu shows Transactions.', {
    text: 'Transactions',
  }),
  control('menu.usage', 'The top menu shows Usage.', { text: 'Usage' }),
  control('menu.reports', 'The top menu shows Reports.', { text: 'Reports' }),
  control('menu.cost-centre', 'The top menu shows Cost Centre.', {
    text: 'Cost Centre',
  }),
  control('menu.service-items', 'The top menu shows Service Items.', {
    text: 'Service Items',
  }),
  rule('menu-by-flag', 'Each menu entry appears only if the brand enables it.'),
  control('settings', 'The menu has a Settings dropdown.', 'Settings'),
  control('settings.change-password', 'The Settings dropdown leads to /settings.', {
    text: 'Change Password',
  }),
  control('settings.payment-types', 'The Settings dropdown leads to /payment-types.', {
    text: 'Payment Types',
  }),
  control('settings.log-out', 'The Settings dropdown leads to /logout.', 'Log Out'),
  control('burger', 'A burger menu serves small screens.'),
  rule('no-session', 'Without a session the header redirects to /login.'),
  control('spinner', 'A spinner overlay marks loading.'),
  error('banner', 'The generic failure of a data load shows the banner.', {
    text: 'Our server returned error, try again later',
    source: 'portal §2 Header and shell, §8; payments §8',
  }),
  control('banner-close', 'The error banner has a close button.', {
    source: 'portal §2 Header and shell, §8; payments §8',
  }),
  rule('failure-logged', 'A failed data load is logged.', { source: 'portal §8' }),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §1' }, [
  rule(
    '1.cached-for-page-life',
    'Loaded data sets are cached for the life of the page and not fetched again.',
    {
      source: 'portal §4; decisions §1',
    },
  ),
  rule('1.cache-payment', 'A payment invalidates the cache.'),
  rule('1.cache-payment-watch', 'paymentWatch invalidates the cache.'),
  rule('1.cache-customer-switch', 'A customer switch invalidates the cache.'),
  rule('1.cache-manual-retry', 'A manual retry invalidates the cache.'),
  rule('1.confirming-refreshes', 'A payment being confirmed refreshes itself.'),
  screen('4.statement', 'Statement stands in the Settings menu after the specified entries.', {
    source: 'decisions §4',
  }),
]);

/** Shell: routes, landing, redirect loader, header, banner, cache. */
export const rows: readonly Row[] = [...routes, ...landing, ...loader, ...header, ...decided];
