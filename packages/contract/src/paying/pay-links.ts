import * as z from 'zod/mini';

/** `POST /v1/ec/payment/link-by-mail`: a new link in the place of one that has expired. */
export const payLinkRequest = z.object({ uid: z.string().check(z.minLength(1), z.maxLength(128)) });

/** Always the same, whether or not anybody has such a link. */
export const payLinkAnswer = z.object({ status: z.literal('accepted') });
export type PayLinkAnswer = z.infer<typeof payLinkAnswer>;

export const rotateParams = z.object({ id: z.uuid() });

/** Answer of `POST /v1/ec/invoice/{id}/pay-link`: the address of the new link. */
export const rotatedLink = z.object({ payToken: z.string(), payLink: z.string() });
export type RotatedLink = z.infer<typeof rotatedLink>;
