import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.usage', source: 'portal §2 Usage' }, [
  screen('page', '/usage shows usage records.', { source: 'portal §1, §2 Usage' }),
  text('title', 'The title of the page.', 'Usage'),
  control('filter.agreement', 'The page has an agreement filter.'),
  text('filter.agreement-all', 'The added option of the agreement filter.', 'All Agreements'),
  control('filter.timeframe', 'The page has a timeframe filter.'),
  control('preset.this-month', 'The timeframe has a preset for this month.', 'This Month'),
  control('preset.last-month', 'The timeframe has a preset for last month.', 'Last Month'),
  control('preset.last-7-days', 'The timeframe has a preset for the last 7 days.', 'Last 7 Days'),
  control('preset.last-30-days', 'The timeframe has a preset for the last 30 days.', 'Last 30 Days'),
  rule('presets-utc', 'The presets are computed in UTC.'),
  control('filter.service', 'The page has a service filter.'),
  control('filter.connection', 'The page has a connection filter.'),
  text('filter.connection-all', 'The option for every connection.', 'All Connections'),
  control('filter.type', 'The page has a type filter.'),
  text('filter.type-all', 'The option for every record type.', 'All Record Types'),
  rule('labels-from-service', "Column labels come from the chosen service's custom labels."),
  text('label.service-item', 'A default column label.', 'Service Item'),
  text('label.service-item-2', 'A default column label.', 'Service Item 2'),
  text('label.service-item-3', 'A default column label.', 'Service Item 3'),
  text('label.units', 'A default column label.', 'Units'),
  text('label.record-type', 'A default column label.', 'Record Type'),
  text('label.description', 'A further column.', 'Service Item Description'),
  text('label.site', 'A further column.', 'Site'),
  text('label.cost-centre', 'An optional column.', 'Cost Centre'),
  rule('cost-centre-flag', 'The Cost Centre column is shown when endShowUsageCostCentre is on.'),
  rule('server-paging', 'The grid is paged by the server.'),
  constant('page-size', 'The page size is 100 by default.', {
    source: 'portal §2 Usage, §9; decisions §1',
  }),
  rule('row-numbers', 'Row numbering is sequential across pages.'),
  control('download', 'A button downloads the CSV.', 'Download Usage'),
  rule('service-resets-type', 'Changing the service resets the record type to all.', { source: 'portal §4' }),
  rule('service-resets-connection', 'Changing the service resets the connection to all.', {
    source: 'portal §4',
  }),
  rule('filter-resets-page', 'Changing any filter resets to page 1.', { source: 'portal §4' }),
]);

const model = section({ prefix: 'portal.usage', source: 'portal §3' }, [
  field('record.date', 'A usage record has date.'),
  field('record.serviceItemName', 'A usage record has serviceItemName.'),
  field('record.serviceItemDescription', 'A usage record has serviceItemDescription.'),
  field('record.serviceItem2', 'A usage record has serviceItem2.'),
  field('record.serviceItem3', 'A usage record has serviceItem3.'),
  field('record.siteName', 'A usage record has siteName.'),
  field('record.units', 'A usage record has units.'),
  field('record.price', 'A usage record has price.'),
  field('record.recordType', 'A usage record has recordType.'),
  field('record.costCentre', 'A usage record has costCentre.'),
  field('answer.endUsageDetails', 'The answer has the list as endUsageDetails.', {
    source: 'portal §3; decisions §3',
  }),
  field('answer.totalCount', 'The answer has the total count as totalCount.', {
    source: 'portal §3; decisions §3',
  }),
  field('service.id', 'A service has id.'),
  field('service.name', 'A service has name.'),
  field('service.serviceItemLabel', 'A service has serviceItemLabel.'),
  field('service.serviceItem2Label', 'A service has serviceItem2Label.'),
  field('service.serviceItem3Label', 'A service has serviceItem3Label.'),
  field('service.unitsLabel', 'A service has unitsLabel.'),
  field('service.recordTypeLabel', 'A service has recordTypeLabel.'),
  field('recordType.id', 'A record type has id.'),
  field('recordType.serviceId', 'A record type has serviceId.'),
  field('recordType.description', 'A record type has description.'),
]);

const calls = section({ prefix: 'portal.usage', source: 'portal §7 Billing data' }, [
  call('record-types', 'GET /v1/ec/record-types answers the record types.'),
  call('services', 'GET /v1/ec/services answers the services.'),
  call('list', 'GET /v1/ec/usage answers a page of records.'),
  field('list.dateFrom', 'The usage call takes dateFrom (YYYY-MM-DD).'),
  field('list.dateTo', 'The usage call takes dateTo (YYYY-MM-DD).'),
  field('list.service', 'The usage call takes service.'),
  field('list.pageNumber', 'The usage call takes pageNumber.'),
  field('list.pageSize', 'The usage call takes pageSize.'),
  field('list.agreement', 'The usage call takes agreement.'),
  field('list.recordType', 'The usage call takes recordType.'),
  field('list.serviceItem', 'The usage call takes serviceItem.'),
  field('list.order', 'The usage call takes an optional order.'),
  field('list.orderDirection', 'The usage call takes an optional orderDirection, asc or desc.'),
  call('export', 'GET /v1/ec/usage?service=1&agreement=… without pageNumber answers all rows, streamed.', {
    source: 'portal §7 Billing data; decisions §2',
  }),
  call('download', 'POST /v1/ec/usage/download {parameters} answers CSV.'),
  field('download.parameters', 'The download sends parameters.'),
  field('download.startDate', 'The download has startDate.'),
  constant('download.startDate-format', "startDate is written 'YYYY-MM-DD 00:00:00'."),
  field('download.endDate', 'The download has endDate.'),
  constant('download.endDate-format', "endDate is written 'YYYY-MM-DD 23:59:59'."),
  field('download.agreementId', 'The download has agreementId.'),
  field('download.serviceId', 'The download has serviceId.'),
  field('download.recordTypeId', 'The download has recordTypeId.'),
  field('download.serviceItemId', 'The download has serviceItemId.'),
]);

const validation = section({ prefix: 'portal.usage', source: 'portal §5; decisions §2' }, [
  rule('date-range-required', 'A usage query needs a date range; missing dates are 400.'),
  rule('service-missing', 'A missing service means all.'),
  rule('agreement-missing', 'A missing agreement means all.'),
  rule('record-type-missing', 'A missing record type means all.'),
  rule('service-item-missing', 'A missing service item means all.'),
  error('record-types-failure', 'A failure of record types is logged and the generic error is raised.', {
    source: 'portal §8',
  }),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §2' }, [
  rule('1.page-sizes', '25, 50 and 100 rows a page can be selected.', { source: 'decisions §1' }),
  rule('1.page-size-remembered', 'The selected page size is remembered per user.', {
    source: 'decisions §1',
  }),
  error('2.reversed-dates', 'Reversed dates are 400.'),
  rule('2.order-fields', "order takes the record's field names."),
  rule('2.date-to-included', 'dateTo is included.'),
  rule('2.days-utc', 'Days are UTC.'),
]);

/** Usage. */
export const rows: readonly Row[] = [...page, ...model, ...calls, ...validation, ...decided];
