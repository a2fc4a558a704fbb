import * as z from 'zod/mini';
import { typedPassword } from '../../people/auth.ts';
import { typedOtp } from '../../people/second-factor.ts';
import { type ApiScope, apiScopes } from './api-keys.ts';

/** People of the provider, who sign in to the console: `/v1/operator`. */

export const operatorRoles = ['owner', 'billing', 'support', 'readOnly'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

const scopes = Object.keys(apiScopes) as ApiScope[];
const reading = scopes.filter((scope) => scope.endsWith(':read'));

/** What each role may do, in the scopes of API keys: a call asks for a scope, whoever calls. */
export const roleScopes: Readonly<Record<OperatorRole, readonly ApiScope[]>> = {
  owner: scopes,
  billing: [
    ...reading,
    'customers:write',
    'invoices:write',
    'payments:write',
    'services:write',
    'imports:write',
    'usage:write',
    'mails:write',
    'webhooks:write',
  ],
  support: [...reading, 'users:write', 'users:signInAs', 'mails:write'],
  readOnly: reading,
};

/** A session ends this long after its sign-in, and earlier where nothing was asked for so long. */
export const OPERATOR_SESSION_SECONDS = 12 * 60 * 60;
export const OPERATOR_IDLE_SECONDS = 2 * 60 * 60;
/** How long an invitation may be followed. */
export const OPERATOR_INVITATION_SECONDS = 7 * 24 * 60 * 60;
/** How long a mailed link to a new password works. */
export const OPERATOR_RESET_SECONDS = 60 * 60;
/** They see all customers of a provider, so their passwords are longer than those of customers' users. */
export const OPERATOR_PASSWORD_MIN_LENGTH = 12;

/** Body of `POST /v1/operator/session`: all three at once, so that the answer tells nothing of which was wrong. */
export const operatorSignIn = z.strictObject({
  email: z.string().check(z.trim(), z.minLength(1), z.maxLength(320)),
  password: typedPassword,
  code: typedOtp,
});
export type OperatorSignIn = z.output<typeof operatorSignIn>;

const operatorRole = z.enum(operatorRoles);

/** Who is signed in, what they may do and for whom. */
export const operatorSession = z.object({
  email: z.string(),
  displayName: z.string(),
  role: operatorRole,
  /** What the role may do: scopes of API keys. */
  scopes: z.array(z.string()),
  /** Null: of the whole installation; each call then names its reseller. */
  resellerId: z.nullable(z.int()),
  /** For whom they may act. */
  resellers: z.array(z.object({ id: z.int(), name: z.string() })),
});
export type OperatorSession = z.output<typeof operatorSession>;

const invitationToken = z.string().check(z.minLength(1), z.maxLength(512));

/** Body of `POST /v1/operator/invitation`. */
export const operatorInvitationRequest = z.strictObject({ token: invitationToken });

/** Its answer: whom the invitation is for, and what their authenticator app is given. */
export const operatorInvitation = z.object({
  email: z.string(),
  displayName: z.string(),
  passwordMinLength: z.int(),
  /** For the app: as text, and as the address in a QR code. */
  secret: z.string(),
  uri: z.string(),
});
export type OperatorInvitation = z.output<typeof operatorInvitation>;

/** Body of `POST /v1/operator/invitation/acceptance`. */
export const operatorAcceptance = z.strictObject({
  token: invitationToken,
  password: typedPassword,
  code: typedOtp,
});
export type OperatorAcceptance = z.output<typeof operatorAcceptance>;

/** A place where the operator is signed in. */
export const operatorPlace = z.object({
  id: z.uuid(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  address: z.string(),
  /** Product names such as 'Firefox' and 'Windows'; null where the browser does not tell. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** How the operator signed in there; a password comes with a code. */
  method: z.enum(['password', 'passkey', 'sso']),
  /** The session this request belongs to. */
  current: z.boolean(),
});
export type OperatorPlace = z.output<typeof operatorPlace>;

/** Body of `POST /v1/operator/password-reset-request`. */
export const operatorResetRequest = z.strictObject({
  email: z.string().check(z.trim(), z.minLength(1), z.maxLength(320)),
});

/** Body of `POST /v1/operator/password-reset`. */
export const operatorReset = z.strictObject({ token: invitationToken, password: typedPassword });
export type OperatorReset = z.output<typeof operatorReset>;
