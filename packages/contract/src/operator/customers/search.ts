import * as z from 'zod/mini';
import { invoiceKinds, invoiceStates } from '../billing/admin-invoices.ts';
import { said } from '../parts.ts';
import { customerStates } from './admin-customers.ts';

/** `GET /v1/admin/search`: everything of a provider's in one field. */

export const searchQuery = z.object({
  q: said(
    z.string().check(
      z.trim(),
      z.minLength(2),
      z.maxLength(100),
      z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
    ),
    'How a name, a word of a customer’s name, a reference, an account code, an invoice number, a line or an e-mail address begins; in capitals or not.',
  ),
  limit: said(
    z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 10),
    'How many of each kind at most.',
  ),
});

const exampleCustomerId = '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21';

/** What was found, by kind, each in the order of what matched. */
export const searchResults = z
  .object({
    customers: said(
      z.array(
        z.object({
          id: z.uuid(),
          reference: said(z.nullable(z.string()), 'The provider’s own.'),
          label: said(z.string(), 'Its name.'),
          email: z.nullable(z.string()),
          status: z.enum(customerStates),
          matched: said(z.string(), 'What begins so.'),
        }),
      ),
      'By name, e-mail address, reference, and whatever else imports know them by.',
    ),
    users: said(
      z.array(
        z.object({
          id: z.uuid(),
          email: z.string(),
          displayName: z.string(),
          isActive: z.boolean(),
          customerIds: said(z.array(z.uuid()), 'Customers that they see; at most ten.'),
        }),
      ),
      'By e-mail address and name.',
    ),
    invoices: said(
      z.array(
        z.object({
          id: z.uuid(),
          number: z.string(),
          kind: z.enum(invoiceKinds),
          status: z.enum(invoiceStates),
          customerId: z.uuid(),
          customer: z.string(),
          issuedOn: z.string(),
          payable: z.string(),
          currency: z.string(),
        }),
      ),
      'By number.',
    ),
    serviceItems: said(
      z.array(
        z.object({
          id: z.uuid(),
          number: said(z.string(), 'The number that begins so.'),
          name: z.string(),
          customerId: z.uuid(),
          customer: z.string(),
        }),
      ),
      'By number.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          customers: [
            {
              id: exampleCustomerId,
              reference: 'C-1001',
              label: 'Harbour Office',
              email: 'bills@harbour.example',
              status: 'active',
              matched: 'Harbour Office',
            },
          ],
          users: [],
          invoices: [],
          serviceItems: [],
        },
      ],
    }),
  );
export type SearchResults = z.infer<typeof searchResults>;
