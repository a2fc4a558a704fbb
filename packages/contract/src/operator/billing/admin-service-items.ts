import * as z from 'zod/mini';
import {
  customerCursor,
  customerNamed,
  maybe,
  nextCursor,
  ownedParts,
  pageLimit,
  said,
  textLine,
} from '../parts.ts';
import { agreementNamed } from './agreements.ts';

/** What a provider's programs call about service items: `/v1/admin/service-items`. */

const exampleItem = {
  service: 'voice',
  name: '+64 9 555 0100',
  description: 'Reception',
  costCentre: 'CC-1',
  site: 'Auckland',
  agreement: 'A-1',
  numbers: ['+64 9 555 0100', '6495550100'],
};

/** Body of `PUT /v1/admin/service-items/by-reference/{reference}`. */
export const serviceItemValues = z
  .strictObject({
    customer: customerNamed,
    service: said(textLine(100), 'The code of its service.'),
    name: said(textLine(200), 'The line, number or device as the portal shows it.'),
    description: said(
      z.optional(z.nullable(textLine(200))),
      'Customers change it in the portal; where it is left out, theirs stays.',
    ),
    costCentre: said(
      z.optional(z.nullable(textLine(200))),
      'Customers change it in the portal; where it is left out, theirs stays.',
    ),
    site: said(maybe(textLine(200)), 'Where it is.'),
    agreement: agreementNamed,
    numbers: said(
      maybe(z.array(textLine(200)).check(z.maxLength(50))),
      'By what usage and invoices know it, each within the reseller once; null: its name.',
    ),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...exampleItem }] }));
export type ServiceItemValues = z.output<typeof serviceItemValues>;

/** A service item as programs are told of it. */
export const adminServiceItem = z
  .object({
    ...ownedParts,
    service: said(z.string(), 'The code of its service.'),
    name: said(z.string(), 'As the portal shows it.'),
    description: said(z.nullable(z.string()), 'What the provider or the customer said of it.'),
    costCentre: said(z.nullable(z.string()), 'Where the customer counts it.'),
    site: said(z.nullable(z.string()), 'Where it is.'),
    agreement: said(z.nullable(z.string()), 'The provider’s own reference of its agreement, else our id.'),
    numbers: said(z.array(z.string()), 'By what usage and invoices know it.'),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b34',
          reference: 'L-1',
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          customer: 'C-1001',
          ...exampleItem,
        },
      ],
    }),
  );

export const serviceItemQuery = z.object({
  customer: z.optional(customerNamed),
  service: said(z.optional(textLine(100)), 'The code of a service.'),
  name: said(z.optional(textLine(200)), 'The whole name.'),
  limit: pageLimit,
  cursor: customerCursor,
});
export const serviceItemPage = z.object({ data: z.array(adminServiceItem), nextCursor });
