import * as z from 'zod/mini';
import {
  calendarDay,
  customerCursor,
  customerNamed,
  maybe,
  nextCursor,
  ownedParts,
  ownReference,
  pageLimit,
  said,
  textLine,
} from '../parts.ts';

/** What a provider's programs call about agreements and billing periods: `/v1/admin/agreements`, `…/billing-periods`. */

export const agreementNamed = said(
  maybe(textLine(200)),
  'The provider’s own reference of an agreement of the customer, or our id of it.',
);

const exampleIds = {
  id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b33',
  customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  customer: 'C-1001',
};
const exampleAgreement = { name: 'Business voice', startedOn: '2025-01-01' };

/** Body of `PUT /v1/admin/agreements/by-reference/{reference}`: all that is kept. */
export const agreementValues = z
  .strictObject({
    customer: customerNamed,
    name: said(textLine(200), 'What the agreement selector shows.'),
    startedOn: said(
      maybe(calendarDay),
      'The day it began. Charges that name no agreement stand with the oldest one.',
    ),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...exampleAgreement }] }));
export type AgreementValues = z.output<typeof agreementValues>;

/** An agreement as programs are told of it. */
export const adminAgreement = z
  .object({
    ...ownedParts,
    name: said(z.string(), 'What the agreement selector shows.'),
    startedOn: said(z.nullable(z.string()), 'The day it began.'),
  })
  .check(z.meta({ examples: [{ ...exampleIds, reference: 'A-1', ...exampleAgreement }] }));

export const customerThingsQuery = z.object({
  customer: z.optional(customerNamed),
  limit: pageLimit,
  cursor: customerCursor,
});
export const agreementPage = z.object({ data: z.array(adminAgreement), nextCursor });

const examplePeriod = { agreement: 'A-1', from: '2026-03-01', to: '2026-03-31' };

/** Body of `PUT /v1/admin/billing-periods/by-reference/{reference}`. */
export const billingPeriodValues = z
  .strictObject({
    customer: customerNamed,
    agreement: said(textLine(200), 'The provider’s own reference of the agreement, or our id of it.'),
    from: said(calendarDay, 'Its first day.'),
    to: said(calendarDay, 'Its last day.'),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...examplePeriod }] }));
export type BillingPeriodValues = z.output<typeof billingPeriodValues>;

/** A billing period as programs are told of it. */
export const adminBillingPeriod = z
  .object({
    ...ownedParts,
    agreement: said(z.string(), 'The provider’s own reference of its agreement, else our id of it.'),
    from: said(z.string(), 'Its first day.'),
    to: said(z.string(), 'Its last day.'),
  })
  .check(z.meta({ examples: [{ ...exampleIds, reference: 'A-1-2026-03', ...examplePeriod }] }));
export const billingPeriodPage = z.object({ data: z.array(adminBillingPeriod), nextCursor });

export const ownReferenceParams = z.object({ reference: ownReference });
