import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** Body of `POST /v1/admin/customers/{id}/erasure`, and of the same for a user. */
export const erasureRequest = z.strictObject({
  forGood: said(
    z._default(z.boolean(), false),
    'Does it. Without it the answer says what would be done, and nothing is changed.',
  ),
});
export type ErasureRequest = z.output<typeof erasureRequest>;

/** Its answer: what became, or would become, of each table. */
export const erasure = z.object({
  isDone: z.boolean(),
  tables: z.array(
    z.object({
      table: z.string(),
      becomes: z.enum(['deleted', 'changed', 'kept']),
      rows: said(z.int(), 'Not counted where they are kept.'),
      why: said(z.nullable(z.string()), 'Why rows are kept.'),
    }),
  ),
});
export type Erasure = z.output<typeof erasure>;
