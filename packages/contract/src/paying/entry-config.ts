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
  /** Of a card: whether it is kept, or pays once by a link. */
  purpose: z.optional(z.enum(['save', 'payOnce'])),
  formFields: z.array(formField),
  /** Fields that the provider's own inputs ask for; absent where they ask for the numbers alone. */
  askedByProvider: z.optional(z.array(z.string())),
  /** An entry is made (`POST …/entries`) before anything can be typed. */
  isPrepared: z.boolean(),
});
export type EntryConfig = z.infer<typeof entryConfig>;

const shortTexts = z.record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(8_000)));

/** What the payer's browser does to enter a method at the gateway. */
const entryAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('browser'), config: z.record(z.string(), z.string()) }),
  z.object({ do: z.literal('frame'), url: z.string(), origins: z.array(z.string()) }),
  z.object({
    do: z.literal('form'),
    url: z.string(),
    fields: z.record(z.string(), z.string()),
    origins: z.array(z.string()),
  }),
  z.object({ do: z.literal('redirect'), to: z.string() }),
]);

/** Answer of `POST …/entries`: what was made at the gateway for one form. It is used once. */
export const preparedEntry = z.object({
  entryId: z.string(),
  action: entryAction,
  /** Until when it can be used, ISO; absent where that is not known. */
  until: z.optional(z.string()),
});
export type PreparedEntry = z.infer<typeof preparedEntry>;

/**
 * A one-time token that a provider's script has made. Providers name no longest one; Accept.js alone makes several hundred
 * characters. What it must look like says the gateway's manifest.
 */
export const oneTimeToken = z.string().check(z.maxLength(4_096));

/** Members of the calls that take a method, beside or instead of a token. */
export const enteredMembers = {
  /** The entry it was typed into, opaque. */
  entryId: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** What the provider's page does not put into the token. */
  beside: z.optional(shortTexts),
  /** Of a form that was encrypted in the browser. */
  fields: z.optional(shortTexts),
};

const payerText = (longest: number) => z.optional(z.string().check(z.maxLength(longest)));

/** What a gateway asks for of its payer, by the names of its fields and of the specification's Nexio customer (payments §3). */
export const payerMembers = z.object({
  payerFirstName: payerText(100),
  payerLastName: payerText(100),
  company: payerText(200),
  phone: payerText(40),
  email: payerText(320),
  billingAddress: payerText(200),
  billingAddress2: payerText(200),
  billingPhone: payerText(40),
  city: payerText(100),
  state: payerText(100),
  zip: payerText(20),
  country: payerText(60),
  shippingAddress: payerText(200),
  shippingPhone: payerText(40),
});
export type PayerMembers = z.infer<typeof payerMembers>;
