import { call, constant, control, field, type Row, rule, screen, section, text } from '../../row.ts';

const tiles = section({ prefix: 'portal.dashboard', source: 'portal §2 Dashboard' }, [
  screen('page', 'The dashboard consists of tiles.'),
  screen('invoice-chart', 'A tile has a bar chart of the last invoices.'),
  constant('invoice-chart-count', 'The bar chart shows the last 5 invoices.', {
    source: 'portal §2 Dashboard, §9',
  }),
  text('invoice-chart-empty', 'The empty message of the invoice chart.', 'There are no invoices yet'),
  screen('recent', 'The recent-invoice tile shows the latest invoice.'),
  control('recent-download', 'The latest invoice has a download action.'),
  constant('recent-previous', 'The recent-invoice tile also shows the two previous invoices.', {
    source: 'portal §2 Dashboard, §9',
  }),
  screen('invoice-list', 'A tile lists the invoices.'),
  control('invoice-list-open', 'Each invoice of the list has an open action.'),
  control('invoice-list-download', 'Each invoice of the list has a download action.'),
  rule(
    'duplicates-aggregated',
    'Invoices of one customer, number, kind and currency are one row with summed amounts.',
    {
      source: 'portal §2 Dashboard; decisions §5',
    },
  ),
  screen('summary', 'A tile summarises the invoices.'),
  screen('opening-balance', 'A tile shows the opening balance.'),
  rule('opening-balance-flag', 'The opening balance tile is shown only if endShowOpeningBalance is on.'),
  rule('opening-balance-format', 'It shows the currency symbol and the balance to 2 decimals.'),
  text('opening-balance-none', 'The opening balance if there is none.', '0.00'),
  screen('data-chart', 'A tile has a bar graph of 4G WAN data consumption for the current month.'),
  constant('data-chart-reseller', 'The data graph is shown only for reseller id 2204.', {
    source: 'portal §2 Dashboard, §6, §9',
  }),
  constant('data-chart-periods', 'The data graph shows up to the latest 5 periods.', {
    source: 'portal §2 Dashboard, §9',
  }),
  rule('data-chart-labels', 'Each column of the data graph is labelled with its usage.'),
  constant('data-chart-gridlines', 'The Y axis of the data graph has 5 gridlines.'),
  rule('data-chart-scale', 'The gridlines are rounded to the scale.'),
  text('data-chart-empty', 'The empty text of the data graph.', 'There are no data yet'),
  constant('data-chart-height', 'Bars of the data graph have a maximum height of 180 px.'),
  screen('bundle', 'A tile stands for each bundle.'),
  rule('bundle-name', 'A bundle tile shows the bundle name.'),
  rule('bundle-product', 'A bundle tile shows each product.'),
  rule('bundle-service-item', 'A product shows its service item, if it has one.'),
  rule('bundle-quantity', 'A product shows its quantity with the unit label.'),
  rule('bundle-progress', 'A product shows a progress bar of consumption against quantity.'),
  constant('bundle-height', 'A bundle tile is 120 high.'),
  constant('bundle-height-extra', 'A bundle tile grows by 70 for each extra product.'),
  control('spinner', 'A spinner shows while the dashboard is loading.'),
]);

const model = section({ prefix: 'portal.dashboard', source: 'portal §3' }, [
  field('jasper.periodLabel', 'A jasper usage period has periodLabel.'),
  field('jasper.dataUsage', 'A jasper usage period has dataUsage.'),
  field('bundle.bundleName', 'A bundle has bundleName.'),
  field('bundle.bundle_products', 'A bundle has bundle_products[].'),
  field('bundle.product.productName', 'A bundle product has productName.'),
  field('bundle.product.serviceItem', 'A bundle product has serviceItem.'),
  field('bundle.product.quantity', 'A bundle product has quantity.'),
  field('bundle.product.unitLabel', 'A bundle product has unitLabel.'),
  field('bundle.product.consumption', 'A bundle product has consumption.'),
  field('opening-balance.balance', 'The opening balance has balance.'),
]);

const calls = section({ prefix: 'portal.dashboard', source: 'portal §7 Billing data' }, [
  call('jasper-usage', 'GET /v1/ec/jasper-usage answers the data usage of the latest periods.'),
  call('jasper-usage-all', 'GET /v1/ec/jasper-usage/all answers the data usage of all periods.', {
    source: 'portal §7 Billing data; decisions §3',
  }),
  call('opening-balance', 'GET /v1/ec/opening-balance answers the opening balance.'),
  call('bundle-widget', 'GET /v1/ec/bundle-widget answers the bundles.'),
]);

const decided = section({ prefix: 'decisions.3', source: 'decisions §3' }, [
  rule('opening-balance-sign', 'A positive opening balance is owed at the start of the period.'),
  rule('jasper-bytes', 'dataUsage is in bytes.'),
  constant('jasper-last-five', 'jasper-usage answers the last five periods.'),
  rule('bundles', 'bundle-widget answers bundles with the specified fields.'),
]);

const aggregated = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('duplicates-newest-opened', 'Opening an aggregated row opens the newest invoice.'),
  rule('duplicates-others-in-menu', "The other invoices of an aggregated row stand in the row's menu."),
  rule('next-bill', "Transactions not yet invoiced feed 'Next bill'.", { text: 'Next bill' }),
]);

/** Dashboard. */
export const rows: readonly Row[] = [...tiles, ...model, ...calls, ...decided, ...aggregated];
