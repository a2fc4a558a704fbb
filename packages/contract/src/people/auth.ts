import * as z from 'zod/mini';

export const CLIENT_ID = 'counterfoil-portal';
export const ACCESS_TOKEN_SECONDS = 15 * 60;
/** How long a spent refresh token still answers with its successor, for an answer that was lost. */
export const REFRESH_RETRY_SECONDS = 10;

/** Form of `POST /token` (RFC 6749); which members are needed depends on the grant. */
export const tokenRequest = z.object({
  grant_type: z.string().check(z.maxLength(100)),
  client_id: z.optional(z.string().check(z.maxLength(100))),
  username: z.optional(z.string().check(z.maxLength(320))),
  password: z.optional(z.string().check(z.maxLength(1024))),
  refresh_token: z.optional(z.string().check(z.maxLength(512))),
  code: z.optional(z.string().check(z.maxLength(512))),
  redirect_uri: z.optional(z.string().check(z.maxLength(2000))),
  mfa_token: z.optional(z.string().check(z.maxLength(512))),
  otp: z.optional(z.string().check(z.maxLength(100))),
  recovery_code: z.optional(z.string().check(z.maxLength(100))),
  challenge_id: z.optional(z.string().check(z.maxLength(100))),
  /** JSON of what a passkey answered; the form as a whole has at most 16 KB. */
  credential: z.optional(z.string().check(z.maxLength(16_384))),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/** Answer of `POST /token`, not wrapped. */
export const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** How a sign-in may be finished after the password. */
export const mfaMethod = z.enum(['totp', 'recovery', 'passkey']);
export type MfaMethod = z.infer<typeof mfaMethod>;

/** Refusal of `POST /token` (RFC 6749 5.2); `error_description` may be shown to a person. */
export const tokenError = z.object({
  error: z.string(),
  error_description: z.optional(z.string()),
  /** With `mfa_required` (decisions 2): names the sign-in that was begun. */
  mfa_token: z.optional(z.string()),
  /** With `mfa_required`: what the person may finish it with. */
  mfa_methods: z.optional(z.array(mfaMethod)),
});
export type TokenError = z.infer<typeof tokenError>;

/** What the portal reads from the access token. */
export const accessClaims = z.object({
  sub: z.string(),
  sid: z.string(),
  exp: z.int(),
  BrandId: z.int(),
  resellername: z.string(),
  DisplayName: z.string(),
  act: z.optional(z.object({ sub: z.string() })),
});
export type AccessClaims = z.infer<typeof accessClaims>;

/** A reset link lives this long. */
export const RESET_TOKEN_SECONDS = 60 * 60;
/** A registration link lives this long. */
export const REGISTRATION_TOKEN_SECONDS = 7 * 24 * 60 * 60;

/** A token from a mailed link: 256 bits in base64url; anything else is as unknown as a wrong one. */
export const mailedToken = z.string().check(z.minLength(1), z.maxLength(512));
/** A password as typed. Its rules are answered in words of their own; this only bounds the input. */
export const typedPassword = z.string().check(z.minLength(1), z.maxLength(1024));

/** Body of `POST /v1/ec/password-reset-request`. */
export const passwordResetRequest = z.object({
  email: z.string().check(z.trim(), z.minLength(1), z.maxLength(320)),
});
export type PasswordResetRequest = z.infer<typeof passwordResetRequest>;

/** Body of `POST /v1/ec/password-reset`. */
export const passwordReset = z.object({ token: mailedToken, password: typedPassword });
export type PasswordReset = z.infer<typeof passwordReset>;

export const texts = {
  wrongPassword: 'Invalid username or password',
} as const;
