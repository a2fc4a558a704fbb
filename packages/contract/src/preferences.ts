import * as z from 'zod/mini';

export const MAX_PREFERENCES = 50;
/** Of a value as JSON, in bytes. */
export const MAX_PREFERENCE_BYTES = 4096;

const isSmall = (value: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(value) ?? '').length <= MAX_PREFERENCE_BYTES;

export const preferenceParams = z.object({
  /** What the choice is about, such as 'grid.invoices'. */
  key: z.string().check(z.regex(/^[a-z][a-z0-9.-]{0,99}$/)),
});

/** Body of `PUT /v1/ec/preferences/{key}`: anything JSON can say; null removes. */
export const preferenceChange = z.object({
  value: z.unknown().check(
    z.refine((value) => value !== undefined, 'is missing'),
    z.refine(isSmall, `is longer than ${MAX_PREFERENCE_BYTES} bytes`),
  ),
});

/** Answer of `GET /v1/ec/preferences`: all of the user's, by key. */
export const preferences = z.record(z.string(), z.unknown());
export type Preferences = z.infer<typeof preferences>;
