import * as z from 'zod/mini';

/** A one-time login code works for at most this long. */
export const LOGIN_CODE_SECONDS = 5 * 60;
/** A session of support ends after this, however often it is renewed. */
export const SUPPORT_SESSION_SECONDS = 8 * 60 * 60;

/** Body of `POST /v1/ec/login-by-code`: 256 bits in base64url; anything else is as unknown as a wrong one. */
export const loginByCode = z.object({ code: z.string().check(z.minLength(1), z.maxLength(512)) });
