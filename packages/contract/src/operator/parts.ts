import * as z from 'zod/mini';

/** What the calls for a provider's programs have in common. */

/** What the document says of a member. */
export const said = <T extends z.ZodMiniType>(schema: T, description: string): T =>
  schema.check(z.describe(description));

/** One line of text as it is stored: without blanks around it, without control characters. */
export const textLine = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  );

/** May be left out, or null. */
export const maybe = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);

/** A quantity or price: an exact decimal. */
export const exactRate = (what: string) =>
  said(z.string().check(z.regex(/^-?\d{1,12}(\.\d{1,6})?$/)), `${what} At most six decimals.`);

/** An exact amount in the currency that stands beside it. */
export const exactAmount = (what: string) =>
  said(z.string().check(z.regex(/^-?\d{1,12}(\.\d{1,3})?$/)), `${what} An exact decimal of the currency.`);

export const calendarDay = z.iso
  .date()
  .check(
    z.refine((one) => one >= '1900-01-01' && one <= '2199-12-31', { error: 'is not between 1900 and 2199' }),
  );

/** The provider's own name of a thing. */
export const ownReference = said(textLine(200), 'The provider’s own name of it, unique within the reseller.');
export const customerNamed = said(
  textLine(200),
  'The provider’s own reference of the customer, or our id of it.',
);

/** How many a page has: 1 to 500, else 100. */
export const pageLimit = said(
  z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  'How many at most.',
);

/** Where a page begins: the id of the last one before it, without hyphens. */
export const cursor = said(
  z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  '`nextCursor` of the page before.',
);

/** Where a page begins in a list over customers: customer and thing that end the page before, without hyphens. */
export const customerCursor = said(
  z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  '`nextCursor` of the page before.',
);

/** What every thing of a customer that has the provider's own reference is told with. */
export const ownedParts = {
  id: said(z.uuid(), 'Its id here.'),
  reference: said(z.nullable(z.string()), 'The provider’s own; null where it was made without one.'),
  customerId: said(z.uuid(), 'Our id of its customer.'),
  customer: said(z.nullable(z.string()), 'The provider’s own reference of the customer.'),
};

export const nextCursor = said(z.nullable(z.string()), 'Null on the last page.');

/** A line of the answer to a bulk call, such as `POST /v1/admin/customers/bulk`. */
export interface BulkResult {
  /** Of the file that was sent, from 1. */
  readonly line: number;
  /** Null where the line could not be read. */
  readonly reference: string | null;
  readonly status: 'created' | 'changed' | 'unchanged' | 'removed' | 'refused';
  readonly id?: string;
  readonly version?: number;
  /** Why it was refused, from the catalogue of errors. */
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}
