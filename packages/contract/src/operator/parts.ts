import * as z from 'zod/mini';

/** What the calls for a provider's programs have in common. */

/** What the document says of a member. */
export const said = <T extends z.ZodMiniType>(schema: T, description: string): T =>
  schema.check(z.describe(description));

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
