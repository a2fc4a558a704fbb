import * as z from 'zod/mini';

/** Answers of `/v1` are `{data}`; files, markup, `/token` and webhooks are not wrapped. */
export const envelope = <T extends z.ZodMiniType>(data: T) => z.object({ data });

/** A list read page by page: the total stands beside the page. */
export const pageEnvelope = <T extends z.ZodMiniType>(item: T) =>
  z.object({ data: z.array(item), totalCount: z.optional(z.int()) });

/** `application/problem+json` (RFC 9457) with our members. `message` may be shown to a person. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  message: z.string(),
  requestId: z.string(),
  /** The same as `message`, where the specification names the member so: reset and registration. */
  error_description: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problem>;

export const idParams = z.object({ id: z.uuid() });

/** Header that chooses one of the signed-in user's customers. */
export const CUSTOMER_HEADER = 'x-customer-id';
