import * as z from 'zod/mini';
import { mfaMethod, typedPassword } from './auth.ts';

/** Grant that finishes a sign-in begun with a password. */
export const MFA_GRANT = 'urn:counterfoil:mfa';
/** A begun sign-in must be finished within this time, and within this many wrong answers. */
export const MFA_CHALLENGE_SECONDS = 5 * 60;
export const MFA_CHALLENGE_TRIES = 5;
/** So many wrong codes in so many seconds over all sign-ins, then codes have to wait. */
export const WRONG_CODES = 10;
export const WRONG_CODES_SECONDS = 15 * 60;
/** How long a set-up that was begun may be finished. */
export const ENROLMENT_SECONDS = 60 * 60;
export const RECOVERY_CODES = 10;
/** Setting up asks for the password again when the sign-in was longer ago than this. */
export const FRESH_SIGN_IN_SECONDS = 10 * 60;

/** Six digits of an authenticator app, spaces as typed. */
export const typedOtp = z.string().check(z.minLength(1), z.maxLength(20));
/** One of the recovery codes, with or without its hyphens. */
export const typedRecoveryCode = z.string().check(z.minLength(1), z.maxLength(50));

/** Answer of `GET /v1/ec/second-factor`. */
export const secondFactorState = z.object({
  isOn: z.boolean(),
  /** ISO 8601; null while it is off. */
  since: z.nullable(z.string()),
  /** Unused ones. */
  recoveryCodesLeft: z.int(),
  /** The brand asks its users for a second factor: it cannot be turned off. */
  isRequired: z.boolean(),
  /** False for who signs in without a password: there is nothing to add a second step to. */
  hasPassword: z.boolean(),
  /** The sign-in was a while ago: setting up asks for the password. */
  needsPassword: z.boolean(),
  /** Ways in which a sign-in by password is finished now. */
  methods: z.array(mfaMethod),
});
export type SecondFactorState = z.infer<typeof secondFactorState>;

/** Proves that the person still has the factor: a code of the app, or a recovery code. */
const factorProof = {
  otp: z.optional(typedOtp),
  recoveryCode: z.optional(typedRecoveryCode),
};

/**
 * Body of `POST /v1/ec/second-factor/enrolment`. The password is needed some time after the sign-in; while the factor
 * is on, a proof of it is needed too.
 */
export const enrolmentStart = z.object({ password: z.optional(typedPassword), ...factorProof });
export type EnrolmentStart = z.infer<typeof enrolmentStart>;

/** Its answer: what the authenticator app is given, as text and as the address in a QR code. */
export const enrolment = z.object({ secret: z.string(), uri: z.string() });
export type Enrolment = z.infer<typeof enrolment>;

/** Body of `POST /v1/ec/second-factor/enrolment/confirm`. */
export const enrolmentConfirm = z.object({ otp: typedOtp });
export type EnrolmentConfirm = z.infer<typeof enrolmentConfirm>;

/** Recovery codes; they are shown this once. */
export const recoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** Body of `POST /v1/ec/second-factor/recovery-codes`: one of the two. */
export const recoveryCodesRequest = z.object({
  password: z.optional(typedPassword),
  otp: z.optional(typedOtp),
});
export type RecoveryCodesRequest = z.infer<typeof recoveryCodesRequest>;

/** Body of `POST /v1/ec/second-factor/removal`. */
export const factorRemoval = z.object({ password: typedPassword, ...factorProof });
export type FactorRemoval = z.infer<typeof factorRemoval>;
