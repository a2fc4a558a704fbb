import { inBrowser, type Proof, type Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const routes = 'apps/api/src/features/usage/routes.test.ts';
const record = by(routes, 'answers records with all their fields, and how many there are');
const days = by(routes, 'days are of UTC, the last one included');
const paged = by(routes, 'answers pages of any size, and an empty one with the total past the end');
const narrows = by(routes, 'a missing or empty filter means all; each one narrows');
const sorted = by(routes, 'sorts by the fields of a record, in both directions');
const badRange = by(routes, '%s: 400');
const recordTypes = by(
  routes,
  'GET /v1/ec/record-types: the types of the services the customer has items of',
);
const services = by(routes, 'GET /v1/ec/services: with the labels of their columns');

const page = by(
  'e2e/usage.spec.ts',
  'usage: filters, labels of the service, totals, resets, pages and their numbers, sorting, the address',
);
const sizes = by('e2e/usage.spec.ts', 'usage: rows a page can be chosen, and are remembered for the person');
const links = 'e2e/usage-links.spec.ts';
const file = by(
  links,
  'usage: the file has the filter and the order of the screen, and the name of the service',
);
const zone = by(links, 'usage: the timeframes are those of UTC, wherever the reader is');
const columns = 'apps/web/src/features/usage/usage-columns.test.tsx';
const usual = by(columns, 'are the usual ones by themselves');
const unnamed = [
  ...usual,
  inBrowser('specified-screens', 'usage: a service that names no columns has the default labels'),
];
const own = by(columns, 'are the chosen service’s own where it has them');
const costCentre = by(columns, 'have the cost centre only when endShowUsageCostCentre is on');
const presets = by('apps/web/src/features/usage/usage-filter.test.ts', '%s at %s is %s to %s');
const resets = by(
  'apps/web/src/features/usage/usage-filter.test.ts',
  'another service takes type and connection back to all, and leaves the rest',
);
const switchedOff = by(
  'e2e/usage-states.spec.ts',
  'usage that a brand switches off is nowhere, nor is its cost centre',
);
const exportFile = 'apps/api/src/features/usage/export.test.ts';
const download = by(exportFile, 'are those of the pages, as CSV and as JSON, of any filter');
const downloadDates = by(exportFile, 'refuses %s');

/** Tests that prove rows of usage: row id to file and title. */
export const proofs: Proofs = {
  'portal.usage.screen.page': page,
  'portal.usage.text.title': page,
  'portal.usage.control.filter.agreement': page,
  'portal.usage.text.filter.agreement-all': page,
  'portal.usage.control.filter.timeframe': page,
  'portal.usage.control.preset.this-month': [...zone, ...presets],
  'portal.usage.control.preset.last-month': [...zone, ...presets],
  'portal.usage.control.preset.last-7-days': [...zone, ...presets],
  'portal.usage.control.preset.last-30-days': [...zone, ...presets],
  'portal.usage.presets-utc': [...zone, ...presets],
  'portal.usage.control.filter.service': page,
  'portal.usage.control.filter.connection': page,
  'portal.usage.text.filter.connection-all': page,
  'portal.usage.control.filter.type': page,
  'portal.usage.text.filter.type-all': page,
  'portal.usage.labels-from-service': [...page, ...own],
  'portal.usage.text.label.service-item': unnamed,
  'portal.usage.text.label.service-item-2': unnamed,
  'portal.usage.text.label.service-item-3': unnamed,
  'portal.usage.text.label.units': unnamed,
  'portal.usage.text.label.record-type': unnamed,
  'portal.usage.text.label.description': [...usual, ...page],
  'portal.usage.text.label.site': unnamed,
  'portal.usage.text.label.cost-centre': [...usual, ...page],
  'portal.usage.cost-centre-flag': [...costCentre, ...switchedOff],
  'portal.usage.constant.page-size': page,
  'portal.usage.row-numbers': page,
  'portal.usage.control.download': file,
  'portal.usage.service-resets-type': [...page, ...resets],
  'portal.usage.service-resets-connection': [...page, ...resets],
  'portal.usage.filter-resets-page': page,
  'portal.usage.error.record-types-failure': by(
    'e2e/usage-states.spec.ts',
    'usage: what the server refuses is said in its words; record types that do not come can be asked for again',
  ),
  'decisions.1.page-sizes': sizes,
  'decisions.1.page-size-remembered': sizes,
  'portal.usage.field.record.date': record,
  'portal.usage.field.record.serviceItemName': record,
  'portal.usage.field.record.serviceItemDescription': record,
  'portal.usage.field.record.serviceItem2': record,
  'portal.usage.field.record.serviceItem3': record,
  'portal.usage.field.record.siteName': record,
  'portal.usage.field.record.units': record,
  'portal.usage.field.record.price': record,
  'portal.usage.field.record.recordType': record,
  'portal.usage.field.record.costCentre': record,
  'portal.usage.field.answer.endUsageDetails': record,
  'portal.usage.field.answer.totalCount': record,
  'portal.usage.call.list': record,
  'portal.usage.field.service.id': services,
  'portal.usage.field.service.name': services,
  'portal.usage.field.service.serviceItemLabel': services,
  'portal.usage.field.service.serviceItem2Label': services,
  'portal.usage.field.service.serviceItem3Label': services,
  'portal.usage.field.service.unitsLabel': services,
  'portal.usage.field.service.recordTypeLabel': services,
  'portal.usage.call.services': services,
  'portal.usage.field.recordType.id': recordTypes,
  'portal.usage.field.recordType.serviceId': recordTypes,
  'portal.usage.field.recordType.description': recordTypes,
  'portal.usage.call.record-types': recordTypes,
  'portal.usage.field.list.dateFrom': days,
  'portal.usage.field.list.dateTo': days,
  'portal.usage.field.list.service': narrows,
  'portal.usage.field.list.agreement': narrows,
  'portal.usage.field.list.recordType': narrows,
  'portal.usage.field.list.serviceItem': narrows,
  'portal.usage.field.list.pageNumber': paged,
  'portal.usage.field.list.pageSize': paged,
  'portal.usage.field.list.order': sorted,
  'portal.usage.field.list.orderDirection': sorted,
  'portal.usage.server-paging': paged,
  'portal.usage.date-range-required': badRange,
  'portal.usage.service-missing': narrows,
  'portal.usage.agreement-missing': narrows,
  'portal.usage.record-type-missing': narrows,
  'portal.usage.service-item-missing': narrows,
  'decisions.error.2.reversed-dates': badRange,
  'decisions.2.order-fields': sorted,
  'decisions.2.date-to-included': days,
  'decisions.2.days-utc': days,
  'portal.usage.call.export': by(
    exportFile,
    'are all of an agreement where no dates are given, of all services by service=1',
  ),
  'portal.usage.call.download': download,
  'portal.usage.field.download.parameters': by(
    exportFile,
    'takes its parameters within `parameters` or bare; empty, null and missing mean all',
  ),
  'portal.usage.field.download.startDate': download,
  'portal.usage.constant.download.startDate-format': downloadDates,
  'portal.usage.field.download.endDate': download,
  'portal.usage.constant.download.endDate-format': downloadDates,
  'portal.usage.field.download.agreementId': download,
  'portal.usage.field.download.serviceId': download,
  'portal.usage.field.download.recordTypeId': download,
  'portal.usage.field.download.serviceItemId': download,
};
