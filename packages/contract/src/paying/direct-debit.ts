import * as z from 'zod/mini';
import { entryConfig } from './entry-config.ts';

/** One kind of bank account: its form, and what its holder agrees to. */
export const debitForm = z.object({
  /** `paymentMethodType` of the calls that take an account. */
  scheme: z.string(),
  /** Direct Debit, ACH, BACS or SEPA. */
  title: z.string(),
  currency: z.string(),
  /** Working days until the bank usually confirms a debit. */
  settlesInDays: z.int(),
  /** How it is typed, and what is asked for. */
  entry: entryConfig,
  mandate: z.nullable(
    z.object({
      version: z.string(),
      text: z.string(),
      terms: z.nullable(z.object({ words: z.string(), url: z.string() })),
    }),
  ),
});
export type DebitForm = z.infer<typeof debitForm>;
