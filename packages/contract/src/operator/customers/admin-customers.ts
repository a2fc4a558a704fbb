import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import * as z from 'zod/mini';
import { cursor, customerNamed, pageLimit, said } from '../parts.ts';

/** What a provider's programs call about customers and their users: `/v1/admin/customers`. */

/** One line of text as it is stored: without blanks around it, without control characters. */
const line = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  );
const mailAddress = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.refine(isMailAddress, { error: 'is no e-mail address' }));
const maybe = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);

const postalAddress = z.strictObject({
  lines: said(
    z._default(z.array(line(200)).check(z.maxLength(6)), []),
    'Street and what stands above it, from top to bottom.',
  ),
  city: said(maybe(line(200)), 'The place.'),
  postalCode: said(maybe(line(40)), 'As the country writes it.'),
  region: said(maybe(line(200)), 'State or province.'),
});
export type PostalAddress = z.output<typeof postalAddress>;

const noAddress: PostalAddress = { lines: [], city: null, postalCode: null, region: null };

const exampleAddress = {
  lines: ['1 Quay Street'],
  city: 'Auckland',
  postalCode: '1010',
  region: null,
};
const exampleValues = {
  label: 'Harbour Office',
  email: 'bills@harbour.example',
  country: 'NZ',
  address: exampleAddress,
  brandId: null,
};

/** Body of `PUT /v1/admin/customers/by-reference/{reference}`: all that is kept; what is left out is taken away. */
export const customerValues = z
  .strictObject({
    label: said(line(200), 'Its name, also that in the customer selector.'),
    email: said(maybe(mailAddress), 'Where receipts and notices go.'),
    country: said(maybe(z.string().check(z.regex(/^[A-Z]{2}$/))), 'ISO 3166-1, two capital letters.'),
    address: said(z._default(postalAddress, noAddress), 'Its postal address, without the country.'),
    brandId: said(
      maybe(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
      'One of the reseller’s brands; null: its first.',
    ),
  })
  .check(z.meta({ examples: [exampleValues] }));
export type CustomerValues = z.output<typeof customerValues>;

export const customerReference = said(
  line(200),
  'The provider’s own name of a customer, unique within the reseller.',
);
export const referenceParams = z.object({ reference: customerReference });

export const customerStates = ['active', 'disabled'] as const;

/** A customer as programs and commands are told of it. */
export const adminCustomer = z
  .object({
    id: said(z.uuid(), 'Its id here; calls about it name it.'),
    reference: said(z.nullable(z.string()), 'The provider’s own; null where it was made without one.'),
    label: said(z.string(), 'Its name.'),
    email: said(z.nullable(z.string()), 'Where receipts and notices go, in small letters.'),
    country: said(z.nullable(z.string()), 'ISO 3166-1, two capital letters.'),
    address: said(
      z.object({
        lines: z.array(z.string()),
        city: z.nullable(z.string()),
        postalCode: z.nullable(z.string()),
        region: z.nullable(z.string()),
      }),
      'Its postal address.',
    ),
    brandId: said(z.nullable(z.int()), 'Its brand; null: the reseller’s first.'),
    status: said(z.enum(customerStates), '`disabled`: nobody acts for it in the portal.'),
    createdAt: said(z.string(), 'When it was made, ISO 8601 in UTC.'),
    version: said(z.int(), 'Grows with each change; in quotes it is the ETag.'),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          reference: 'C-1001',
          ...exampleValues,
          status: 'active',
          createdAt: '2026-03-01T10:00:00.000Z',
          version: 1,
        },
      ],
    }),
  );
export type AdminCustomer = z.infer<typeof adminCustomer>;

export const customerQuery = z.object({
  reference: said(z.optional(customerReference), 'The provider’s own.'),
  email: said(z.optional(mailAddress), 'The whole address.'),
  label: said(z.optional(line(200)), 'How its name begins, in capitals or not.'),
  status: said(z.optional(z.enum(customerStates)), 'Those in this state only.'),
  limit: pageLimit,
  cursor,
});

export const customerPage = z.object({
  data: z.array(adminCustomer),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** A line of `POST /v1/admin/customers/bulk`. */
export const bulkCustomer = z.extend(customerValues, { reference: customerReference });

export const customerUserParams = z.object({ id: z.uuid(), email: mailAddress });

/** Body of `PUT /v1/admin/customers/{id}/users/by-email/{email}`. */
export const customerUserValues = z
  .strictObject({
    displayName: said(line(200), 'The name that is shown to them.'),
    invite: said(
      z._default(z.boolean(), true),
      'Mails a new user the link to finish the registration; says nothing of one who is there.',
    ),
  })
  .check(z.meta({ examples: [{ displayName: 'Mia Harbour' }] }));
export type CustomerUserValues = z.output<typeof customerUserValues>;

/** A line of `POST /v1/admin/users/bulk`: somebody at a customer; their address is what they are known by. */
export const bulkUser = z.pipe(
  z.extend(customerUserValues, { customer: customerNamed, email: mailAddress }),
  z.transform((line) => ({ ...line, reference: line.email })),
);

/** Who may sign in for a customer. */
export const customerUser = z
  .object({
    id: said(z.uuid(), 'Their id here.'),
    email: said(z.string(), 'The address they sign in with, in small letters.'),
    displayName: said(z.string(), 'The name that is shown to them.'),
    isActive: said(z.boolean(), 'False: shut out everywhere.'),
    hasPassword: said(
      z.boolean(),
      'False until the invitation was followed; others sign in by their company’s provider.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-7a10-7d02-8b1c-4f3f6f1f9a10',
          email: 'mia@harbour.example',
          displayName: 'Mia Harbour',
          isActive: true,
          hasPassword: false,
        },
      ],
    }),
  );
export type CustomerUser = z.infer<typeof customerUser>;
