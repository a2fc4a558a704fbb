import * as z from 'zod/mini';

/** How somebody signed in; `support`: staff of the provider, in the user's name. */
export const sessionMethod = z.enum(['password', 'sso', 'passkey', 'support']);
export type SessionMethod = z.infer<typeof sessionMethod>;

/** A place where the user is signed in. */
export const mySession = z.object({
  id: z.string(),
  /** ISO instants. `lastUsedAt` moves with every renewal of the session, every fifteen minutes of use. */
  createdAt: z.string(),
  lastUsedAt: z.string(),
  address: z.nullable(z.string()),
  /** Product names such as 'Firefox' and 'Windows'; null where the browser does not tell. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  method: sessionMethod,
  /** The session this request belongs to. */
  current: z.boolean(),
  /** Who of the provider's staff signed in; null for the user. */
  support: z.nullable(z.string()),
});
export type MySession = z.infer<typeof mySession>;
