import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about Auto-Pay: `/v1/admin/auto-pay`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const customer = said(z.optional(text(200)), 'Our id of a customer, or the provider’s own reference of it.');
const aboutInvoice = {
  invoiceId: said(z.uuid(), 'The invoice.'),
  invoice: said(z.string(), 'Its number.'),
  customerId: said(z.uuid(), 'Whose it is.'),
  customer: said(z.string(), 'The name of the customer.'),
  currency: said(z.string(), 'ISO 4217.'),
};
const exampleInvoice = {
  invoiceId: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
  invoice: 'INV-1001',
  customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  customer: 'Harbour Office',
  currency: 'NZD',
} as const;
/** A year that a calendar can go on from. */
const day = z.iso.date().check(z.regex(/^2\d{3}-/));

export const autoPayPreviewQuery = z.object({
  at: said(
    z.optional(z.iso.datetime({ offset: true })),
    'As if it were this moment; else the next 06:00 of the reseller’s first brand, when the next run begins.',
  ),
  customer,
  limit: said(
    pageLimit,
    'How many invoices about; those of one customer stay on one page, for they share its credit.',
  ),
  cursor,
});

/** What the next run would do about an invoice, or why it would not. */
export const foreseenCharge = z
  .object({
    ...aboutInvoice,
    dueOn: said(z.nullable(z.string()), 'The day it is due, `YYYY-MM-DD`; null where it says none.'),
    would: said(
      z.enum(['charge', 'announce', 'tellNoMethod', 'skip', 'nothing']),
      '`charge`: money is taken. `announce`, `tellNoMethod`: a mail goes to the customer. `skip`: it was announced, and is not charged. `nothing`: it stays as it is.',
    ),
    reason: said(
      z.nullable(z.string()),
      'Why it would not be charged, such as `noConsent`, `noMethod`, `notYet`, `byCredit`, `disputed`; null where it would.',
    ),
    amount: decimal('What would be taken, with the fee and less the customer’s credit.'),
    chargeOn: said(z.nullable(z.string()), 'The day it is or will be charged, `YYYY-MM-DD`.'),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleInvoice,
          dueOn: '2026-03-15',
          would: 'charge',
          reason: null,
          amount: '116.15',
          chargeOn: '2026-03-15',
        },
      ],
    }),
  );
export type ForeseenCharge = z.infer<typeof foreseenCharge>;

export const autoPayPreview = z.object({
  at: said(z.string(), 'The moment that is looked at, ISO 8601 in UTC.'),
  data: z.array(foreseenCharge),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

export const autoPayRunQuery = z.object({
  brand: said(
    z.optional(z.coerce.number().check(z.int(), z.positive())),
    'Of the customers of this brand only.',
  ),
  from: said(z.optional(day), 'From this day on; else the last 31 days.'),
  to: said(z.optional(day), 'Until this day; else until today. At most 366 days.'),
});

/** All that Auto-Pay decided to charge, or not to charge, on one day of the customers' brands. */
export const autoPayRun = z
  .object({
    day: said(z.string(), 'The day, `YYYY-MM-DD`; calls about the run name it.'),
    charged: said(z.int(), 'Invoices that were charged.'),
    declined: said(z.int(), 'Charges that the bank declined.'),
    failed: said(z.int(), 'Charges that the gateway did not carry out.'),
    underWay: said(z.int(), 'Charges whose end is not known yet.'),
    skipped: said(z.int(), 'Announced invoices that were not charged.'),
    reasons: said(
      z.array(z.object({ reason: z.string(), invoices: z.int() })),
      'Why they were not, the most frequent first; `GET /v1/admin/auto-pay/runs/{day}` says it of each.',
    ),
    taken: said(
      z.array(z.object({ currency: z.string(), amount: decimal('Their sum, fees included.') })),
      'What was taken, by currency.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          day: '2026-03-15',
          charged: 212,
          declined: 3,
          failed: 0,
          underWay: 1,
          skipped: 4,
          reasons: [
            { reason: 'noMethod', invoices: 3 },
            { reason: 'disputed', invoices: 1 },
          ],
          taken: [{ currency: 'NZD', amount: '24110.90' }],
        },
      ],
    }),
  );
export type AutoPayRun = z.infer<typeof autoPayRun>;

export const autoPayRunList = z.object({ data: z.array(autoPayRun) });

export const autoPayRunParams = z.object({ day: said(day, 'The day of the run.') });

export const autoPayOutcomes = ['charged', 'declined', 'failed', 'underWay', 'skipped'] as const;

export const autoPayRowQuery = z.object({
  brand: autoPayRunQuery.shape.brand,
  customer,
  outcome: said(z.optional(z.enum(autoPayOutcomes)), 'Those that ended so only.'),
  limit: pageLimit,
  cursor,
});

/** One invoice of a run. */
export const autoPayRow = z
  .object({
    ...aboutInvoice,
    at: said(z.string(), 'When it was decided, ISO 8601 in UTC.'),
    outcome: said(z.enum(autoPayOutcomes), 'What became of it.'),
    reason: said(z.nullable(z.string()), 'Why it was skipped; null for others.'),
    amount: said(z.nullable(z.string()), 'What was asked for, fee included; null where it was skipped.'),
    paymentId: said(z.nullable(z.uuid()), 'The payment, which `GET /v1/admin/payments/{id}` tells of.'),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleInvoice,
          at: '2026-03-14T17:00:02.000Z',
          outcome: 'charged',
          reason: null,
          amount: '116.15',
          paymentId: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
        },
      ],
    }),
  );
export type AutoPayRow = z.infer<typeof autoPayRow>;

export const autoPayRowPage = z.object({
  data: z.array(autoPayRow),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});
