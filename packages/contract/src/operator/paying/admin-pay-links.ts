import { attemptStates } from '@counterfoil/domain/paying/attempt.ts';
import * as z from 'zod/mini';
import { invoiceStates } from '../billing/admin-invoices.ts';
import { cursor, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about pay links: `/v1/admin/pay-links`, `/v1/admin/invoices/{id}/pay-link`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));

export const payLinkStates = ['active', 'expired'] as const;

export const payLinkQuery = z.object({
  customer: said(z.optional(text(200)), 'Our id of a customer, or the provider’s own reference of it.'),
  invoice: said(z.optional(text(200)), 'The link of the invoice with this number.'),
  state: said(z.optional(z.enum(payLinkStates)), 'Those that work, or those whose time is over.'),
  limit: pageLimit,
  cursor,
});

/** The pay link of an invoice. Whoever has it sees that invoice and can pay it. */
export const adminPayLink = z
  .object({
    invoiceId: said(z.uuid(), 'The invoice that it pays; one invoice has one link at a time.'),
    invoice: said(z.string(), 'The number of that invoice.'),
    customerId: said(z.uuid(), 'Whose invoice it is.'),
    customer: said(z.string(), 'The name of the customer.'),
    url: said(z.string(), 'The address of the pay page, at the brand’s own host.'),
    state: said(z.enum(payLinkStates), '`expired`: it only tells that its time is over.'),
    createdAt: said(z.string(), 'When it was made, ISO 8601 in UTC.'),
    expiresAt: said(z.string(), 'Until when it works, ISO 8601 in UTC.'),
    invoiceStatus: said(z.enum(invoiceStates), 'Where the invoice stands: what became of asking for it.'),
    currency: said(z.string(), 'ISO 4217.'),
    due: said(z.string(), 'What is still due of the invoice. An exact decimal, such as `12.50`.'),
    payment: said(
      z.nullable(
        z.object({
          id: said(z.uuid(), '`GET /v1/admin/payments/{id}` tells of it.'),
          at: said(z.string(), 'When it was tried, ISO 8601 in UTC.'),
          state: said(z.enum(attemptStates), 'Where it stands.'),
        }),
      ),
      'The last payment of the invoice that was tried by a pay link; null where there is none.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          invoiceId: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
          invoice: 'INV-1001',
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          customer: 'Harbour Office',
          url: 'https://bills.northline.example/pay/Zq3b0Yk2mV1x8s5dT7uPwg',
          state: 'active',
          createdAt: '2026-03-01T10:00:00.000Z',
          expiresAt: '2026-07-13T00:00:00.000Z',
          invoiceStatus: 'paid',
          currency: 'NZD',
          due: '0.00',
          payment: {
            id: '0199a3c1-8b20-7e13-9c2d-5f4f7f2f0b31',
            at: '2026-03-02T08:14:31.000Z',
            state: 'succeeded',
          },
        },
      ],
    }),
  );
export type AdminPayLink = z.infer<typeof adminPayLink>;

export const payLinkPage = z.object({
  data: z.array(adminPayLink),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** Body of `POST /v1/admin/invoices/{id}/pay-link`. */
export const newPayLink = z
  .strictObject({
    replace: said(
      z._default(z.boolean(), false),
      '`true`: a link that works is ended, and another one is made. Else it is answered as it is.',
    ),
    note: said(z._default(z.string().check(z.maxLength(500)), ''), 'Why; kept in the audit trail.'),
  })
  .check(z.meta({ examples: [{ replace: true, note: 'Sent to the wrong person' }] }));
export type NewPayLink = z.output<typeof newPayLink>;
