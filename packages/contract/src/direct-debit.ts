import * as z from 'zod/mini';

/** One input of a form, by the gateway's name of it; lengths in characters. */
export const formField = z.object({
  name: z.string(),
  required: z.boolean(),
  min: z.optional(z.int()),
  max: z.optional(z.int()),
});

/** The form of one kind of bank account, and what its holder agrees to. */
export const debitForm = z.object({
  /** `paymentMethodType` of the calls that take an account. */
  scheme: z.string(),
  /** Direct Debit, ACH, BACS or SEPA. */
  title: z.string(),
  currency: z.string(),
  fields: z.array(formField),
  mandate: z.nullable(
    z.object({
      version: z.string(),
      text: z.string(),
      terms: z.nullable(z.object({ words: z.string(), url: z.string() })),
    }),
  ),
});
export type DebitForm = z.infer<typeof debitForm>;
