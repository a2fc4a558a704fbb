import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const page = by(
  'e2e/cost-centres.spec.ts',
  'service items: the brand’s word and service, sorted, searched, edited; failures are told',
);
const failed = by(
  'e2e/cost-centres.spec.ts',
  'cost centres: filters, the file of what is filtered, and a row edited by keyboard',
);
const routes = 'apps/api/src/features/service-items/routes.test.ts';
const listed = by(routes, 'lists the items of a service, or of all; a service without items has none');
const updated = by(routes, 'saves description and cost centre; empty and blank ones as null');

/** Tests that prove rows of service-items: row id to file and title. */
export const proofs: Proofs = {
  'portal.service-items.screen.page': page,
  'portal.service-items.title': page,
  'portal.service-items.sortable': page,
  'portal.service-items.end-service-id': page,
  'portal.service-items.field.serviceItem.id': listed,
  'portal.service-items.field.serviceItem.serviceId': listed,
  'portal.service-items.field.serviceItem.serviceItem': listed,
  'portal.service-items.field.serviceItem.description': listed,
  'portal.service-items.field.serviceItem.costCentre': listed,
  'portal.service-items.call.list': listed,
  'portal.service-items.field.list.service': listed,
  'portal.service-items.call.update': updated,
  'portal.service-items.field.update.description': updated,
  'portal.service-items.field.update.costCentre': updated,
  'portal.service-items.error.load-failure': page,
  'portal.service-items.error.update-failure': failed,
};
