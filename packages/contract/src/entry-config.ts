import * as z from 'zod/mini';

/** One input of a form, by the gateway's name of it; lengths in characters. */
export const formField = z.object({
  name: z.string(),
  required: z.boolean(),
  min: z.optional(z.int()),
  max: z.optional(z.int()),
});
export type FormField = z.infer<typeof formField>;

/** What a page needs to take a method of one kind: how its numbers get to the gateway, and what is asked for. */
export const entryConfig = z.object({
  integrationType: z.string(),
  how: z.enum([
    'providerFrame',
    'providerFields',
    'redirect',
    'ownFieldsToProvider',
    'ownFieldsEncrypted',
    'ownFieldsToUs',
  ]),
  /** `paymentMethodType` of the calls that take a bank account. */
  scheme: z.optional(z.string()),
  /** ISO 4217 code of that kind of account. */
  currency: z.optional(z.string()),
  /** What the gateway's own code in the browser needs to know; no secrets. */
  public: z.record(z.string(), z.union([z.string(), z.boolean()])),
  separateInputs: z.boolean(),
  formFields: z.array(formField),
  /** An entry is made (`POST …/entries`) before anything can be typed. */
  isPrepared: z.boolean(),
});
export type EntryConfig = z.infer<typeof entryConfig>;
