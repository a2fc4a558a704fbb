import * as z from 'zod/mini';

/** One of the signed-in user's customers; `selected` marks the one this request is about. */
export const myCustomer = z.object({
  customerId: z.string(),
  label: z.string(),
  selected: z.boolean(),
  brandId: z.int(),
});
export type MyCustomer = z.infer<typeof myCustomer>;

/** Answer of `GET /v1/ec/me`. */
export const me = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  /** The brand asks for a second factor and there is none: nothing but setting it up is open. */
  needsSecondFactor: z.boolean(),
  /** The person signed in with a password that was made for them, which works until then (ISO instant). */
  passwordExpiresAt: z.nullable(z.string()),
  customers: z.array(myCustomer),
});
export type Me = z.infer<typeof me>;
