import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import * as z from 'zod/mini';

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
  /** Street and what stands above it, from top to bottom. */
  lines: z._default(z.array(line(200)).check(z.maxLength(6)), []),
  city: maybe(line(200)),
  postalCode: maybe(line(40)),
  region: maybe(line(200)),
});
export type PostalAddress = z.output<typeof postalAddress>;

const noAddress: PostalAddress = { lines: [], city: null, postalCode: null, region: null };

/** Body of `PUT /v1/admin/customers/by-reference/{reference}`: all that is kept; what is left out is taken away. */
export const customerValues = z.strictObject({
  /** Its name, also that in the customer selector. */
  label: line(200),
  /** Where receipts and notices go. */
  email: maybe(mailAddress),
  /** ISO 3166-1, two capital letters. */
  country: maybe(z.string().check(z.regex(/^[A-Z]{2}$/))),
  address: z._default(postalAddress, noAddress),
  /** One of the reseller's brands; null: its first. */
  brandId: maybe(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
});
export type CustomerValues = z.output<typeof customerValues>;

/** The provider's own number of a customer, unique within the reseller. */
export const customerReference = line(200);
export const referenceParams = z.object({ reference: customerReference });

export const customerStates = ['active', 'disabled'] as const;

/** A customer as programs and commands are told of it. */
export const adminCustomer = z.object({
  id: z.uuid(),
  /** Null where it was made without one. */
  reference: z.nullable(z.string()),
  label: z.string(),
  email: z.nullable(z.string()),
  country: z.nullable(z.string()),
  address: z.object({
    lines: z.array(z.string()),
    city: z.nullable(z.string()),
    postalCode: z.nullable(z.string()),
    region: z.nullable(z.string()),
  }),
  brandId: z.nullable(z.int()),
  status: z.enum(customerStates),
  createdAt: z.string(),
  /** Grows with each change; in quotes it is the ETag. */
  version: z.int(),
});
export type AdminCustomer = z.infer<typeof adminCustomer>;

export const customerQuery = z.object({
  reference: z.optional(customerReference),
  /** The whole address. */
  email: z.optional(mailAddress),
  /** How its name begins, in capitals or not. */
  label: z.optional(line(200)),
  status: z.optional(z.enum(customerStates)),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
});

export const customerPage = z.object({
  data: z.array(adminCustomer),
  /** Null on the last page. */
  nextCursor: z.nullable(z.string()),
});

/** A line of `POST /v1/admin/customers/bulk`. */
export const bulkCustomer = z.extend(customerValues, { reference: customerReference });

/** A line of its answer. */
export interface BulkCustomerResult {
  /** Of the file that was sent, from 1. */
  readonly line: number;
  /** Null where the line could not be read. */
  readonly reference: string | null;
  readonly status: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly id?: string;
  readonly version?: number;
  /** Why it was refused, from the catalogue of errors. */
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export const customerUserParams = z.object({ id: z.uuid(), email: mailAddress });

/** Body of `PUT /v1/admin/customers/{id}/users/by-email/{email}`. */
export const customerUserValues = z.strictObject({
  displayName: line(200),
  /** Mails a new user the link to finish the registration. */
  invite: z._default(z.boolean(), true),
});
export type CustomerUserValues = z.output<typeof customerUserValues>;

/** Who may sign in for a customer. */
export const customerUser = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  /** False: shut out everywhere. */
  isActive: z.boolean(),
  /** False until the invitation was followed; others sign in by their company's provider. */
  hasPassword: z.boolean(),
});
export type CustomerUser = z.infer<typeof customerUser>;
