import * as z from 'zod/mini';

/** Path of `POST /v1/webhooks/{gateway}/{resellerId}`. */
export const gatewayHookParams = z.object({
  gateway: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,30}$/)),
  resellerId: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)),
});
