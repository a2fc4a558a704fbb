import * as z from 'zod/mini';
import { serviceItemOrders } from './list-orders.ts';
import { listPaging, rowIds, searchText } from './paging.ts';

/** What a provider sells, with its own words for what a record of it carries; null: the portal's default words. */
export const service = z.object({
  id: z.string(),
  name: z.string(),
  serviceItemLabel: z.nullable(z.string()),
  serviceItem2Label: z.nullable(z.string()),
  serviceItem3Label: z.nullable(z.string()),
  unitsLabel: z.nullable(z.string()),
  recordTypeLabel: z.nullable(z.string()),
});
export type Service = z.infer<typeof service>;

/** A telephone number, line or device of the customer. */
export const serviceItem = z.object({
  id: z.string(),
  serviceId: z.string(),
  serviceItem: z.string(),
  description: z.nullable(z.string()),
  costCentre: z.nullable(z.string()),
});
export type ServiceItem = z.infer<typeof serviceItem>;

/**
 * `GET /v1/ec/service-items?service={id}`; without it, those of all services. `serviceItem`, `description` and `costCentre` are
 * parts of these texts, `search` is one of any of them. `label` is words that stand in an item and its description, as a choice
 * shows the two.
 */
export const serviceItemsQuery = z.extend(listPaging, {
  service: z.optional(z.uuid()),
  order: z.optional(z.enum(serviceItemOrders)),
  serviceItem: searchText,
  description: searchText,
  costCentre: searchText,
  label: searchText,
  ids: rowIds,
});
export type ServiceItemsQuery = z.infer<typeof serviceItemsQuery>;

/** The longest description and cost centre, characters. */
export const SERVICE_ITEM_TEXT_MAX = 200;

/** Blank is null: there is no difference between nothing and nothing but blanks. */
const freeText = z.pipe(
  z.nullable(z.string().check(z.trim(), z.maxLength(SERVICE_ITEM_TEXT_MAX))),
  z.transform((text) => (text === '' ? null : text)),
);

/** Body of `PUT /v1/ec/service-items/{id}`; what is left out stays as it is. */
export const serviceItemChange = z.object({
  description: z.optional(freeText),
  costCentre: z.optional(freeText),
});
export type ServiceItemChange = z.infer<typeof serviceItemChange>;
