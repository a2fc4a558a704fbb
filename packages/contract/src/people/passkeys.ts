import * as z from 'zod/mini';
import { typedPassword } from './auth.ts';

/** Grant of `POST /token` for a sign-in by passkey alone (decisions 2). */
export const PASSKEY_GRANT = 'urn:counterfoil:passkey';
/** What an authenticator is asked to sign is good this long, once. */
export const PASSKEY_CHALLENGE_SECONDS = 5 * 60;
/** A user may add a passkey without the password this long after signing in. */
export const PASSKEY_FRESH_SECONDS = 10 * 60;
export const MAX_PASSKEYS = 20;

const base64Url = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[\w-]+$/));
const credentialId = base64Url(1364);
const challengeId = base64Url(100);
const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/** A passkey of the signed-in user. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** The host at which it was made and works. */
  host: z.string(),
  /** Kept by a password manager and there on all its devices. */
  synced: z.boolean(),
  /** ISO instants. */
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof passkey>;

/** Body of `POST /v1/ec/passkeys/registration`. */
export const passkeyRegistrationRequest = z.object({
  /** Asked for when the sign-in was more than ten minutes ago. */
  password: z.optional(typedPassword),
});
export type PasskeyRegistrationRequest = z.infer<typeof passkeyRegistrationRequest>;

/** Options for `navigator.credentials.create` (WebAuthn 3, PublicKeyCredentialCreationOptionsJSON). */
export const passkeyRegistration = z.object({
  challengeId: z.string(),
  options: z.object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
});
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

const transports = z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10));

/** Body of `POST /v1/ec/passkeys`: what the authenticator made (RegistrationResponseJSON). */
export const newPasskey = z.object({
  challengeId,
  credential: z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64Url(8_000),
      attestationObject: base64Url(32_000),
      transports: z.optional(transports),
    }),
  }),
});
export type NewPasskey = z.infer<typeof newPasskey>;

/** Body of `PUT /v1/ec/passkeys/{id}`. */
export const passkeyName = z.object({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)) });
export type PasskeyName = z.infer<typeof passkeyName>;

/** Body of `POST /v1/ec/passkeys/{id}/removal`. The password may be missing only for who has none. */
export const passkeyRemoval = z.object({ password: z.optional(typedPassword) });
export type PasskeyRemoval = z.infer<typeof passkeyRemoval>;

/** Options for `navigator.credentials.get` (WebAuthn 3, PublicKeyCredentialRequestOptionsJSON). */
export const passkeyChallenge = z.object({
  challengeId: z.string(),
  options: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(descriptor),
  }),
});
export type PasskeyChallenge = z.infer<typeof passkeyChallenge>;

/** Member `credential` of the grant, read from its JSON text (AuthenticationResponseJSON). */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64Url(8_000),
    authenticatorData: base64Url(4_000),
    signature: base64Url(4_000),
    userHandle: base64Url(100),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;
