import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** Saved payment methods and Auto-Pay of a customer, for the provider: `/v1/admin/customers/{id}/payment-methods`, `…/auto-pay`. */

export const customerMethodParams = z.object({
  id: said(z.uuid(), 'Of the customer.'),
  methodId: said(z.uuid(), 'Of the method.'),
});

/** Why something of a customer’s is ended; it stands in the audit trail. */
export const endRequest = z
  .strictObject({
    reason: said(
      z.string().check(
        z.trim(),
        z.minLength(3),
        z.maxLength(300),
        z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
      ),
      'Why; it stands in the audit trail.',
    ),
  })
  .check(z.meta({ examples: [{ reason: 'Ticket 5521: asked for by telephone' }] }));
export type EndRequest = z.output<typeof endRequest>;

/** A saved card or bank account as the provider is told of it; no number, and nothing that could be charged. */
export const customerMethod = z
  .object({
    id: said(z.uuid(), 'Calls about it name it.'),
    kind: z.enum(['card', 'bank']),
    gateway: said(z.string(), 'Code of its gateway.'),
    brand: said(
      z.nullable(z.string()),
      'Of the card, or the bank’s name; null where the gateway does not tell.',
    ),
    last4: said(z.nullable(z.string()), 'Two to four digits.'),
    expires: said(z.nullable(z.string()), '`YYYY-MM`, of a card.'),
    isDefault: said(z.boolean(), 'Auto-Pay takes this one.'),
    status: said(
      z.enum(['ready', 'pending', 'unusable', 'expired']),
      '`pending`: the bank or the customer has yet to confirm it; `unusable`: its mandate has ended.',
    ),
    mandate: said(z.nullable(z.string()), 'Reference of the mandate of a bank account.'),
    agreedAt: said(z.nullable(z.string()), 'When its holder agreed to the mandate, ISO 8601.'),
    createdAt: said(z.string(), 'When it was saved, ISO 8601.'),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
          kind: 'card',
          gateway: 'stripe',
          brand: 'visa',
          last4: '4242',
          expires: '2028-08',
          isDefault: true,
          status: 'ready',
          mandate: null,
          agreedAt: null,
          createdAt: '2026-01-14T10:30:00.000Z',
        },
      ],
    }),
  );
export type CustomerMethod = z.infer<typeof customerMethod>;

const consent = z.object({
  at: said(z.string(), 'When somebody agreed, ISO 8601.'),
  by: said(z.string(), 'Who.'),
  text: said(z.string(), 'The words that were read.'),
  revokedAt: said(z.nullable(z.string()), 'When it was taken back; null: it stands.'),
  revokedBy: said(z.nullable(z.string()), 'By whom.'),
});

/** Whether due invoices of a customer are charged by themselves, and what was agreed to. */
export const customerAutoPay = z
  .object({
    isOn: said(z.boolean(), 'Due invoices are charged to the default method.'),
    asksCustomer: said(
      z.boolean(),
      'The customer decides. Else the provider’s terms do, and there is nothing to end here.',
    ),
    consents: said(z.array(consent), 'What was agreed to, the latest first; at most twenty.'),
  })
  .check(
    z.meta({
      examples: [
        {
          isOn: true,
          asksCustomer: true,
          consents: [
            {
              at: '2026-01-14T10:30:00.000Z',
              by: 'mia@harbour.example',
              text: 'I allow Northline to charge my invoices to my default payment method when they are due.',
              revokedAt: null,
              revokedBy: null,
            },
          ],
        },
      ],
    }),
  );
export type CustomerAutoPay = z.infer<typeof customerAutoPay>;
