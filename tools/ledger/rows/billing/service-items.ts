import { call, error, field, type Row, rule, screen, section } from '../../row.ts';

const page = section({ prefix: 'portal.service-items', source: 'portal §2 Service items page' }, [
  screen('page', '/service-items shows all service items.'),
  rule('title', "The title is the brand's service item display name.", {
    source: 'portal §1, §2 Service items page',
  }),
  rule('sortable', 'The grid is sortable.'),
  rule('end-service-id', "The service items are listed by the brand's endServiceId."),
]);

const model = section({ prefix: 'portal.service-items', source: 'portal §3' }, [
  field('serviceItem.id', 'A service item has id.'),
  field('serviceItem.serviceId', 'A service item has serviceId.'),
  field('serviceItem.serviceItem', 'A service item has serviceItem.'),
  field('serviceItem.description', 'A service item has description.'),
  field('serviceItem.costCentre', 'A service item has costCentre.'),
]);

const calls = section({ prefix: 'portal.service-items', source: 'portal §7 Billing data' }, [
  call('list', 'GET /v1/ec/service-items?service={id} answers the service items of a service.'),
  field('list.service', 'The service-items call takes service.'),
  call('update', 'PUT /v1/ec/service-items/{id} changes a service item.'),
  field('update.description', 'Changing a service item sends description.'),
  field('update.costCentre', 'Changing a service item sends costCentre.'),
  error('load-failure', 'A failure of service items is logged and the generic error is raised.', {
    source: 'portal §8',
  }),
  error('update-failure', 'A failure of an item update is logged and the generic error is raised.', {
    source: 'portal §8',
  }),
]);

/** Service items. */
export const rows: readonly Row[] = [...page, ...model, ...calls];
