import * as z from 'zod/mini';
import { typedOtp } from '../../people/second-factor.ts';
import { said } from '../parts.ts';
import { type ApiScope, apiScopes } from './api-keys.ts';
import { operatorRoles } from './operators.ts';

/** What owners do about keys and operators: `/v1/operator/api-keys`, `/v1/operator/operators`. */

const scopes = Object.keys(apiScopes) as [ApiScope, ...ApiScope[]];
const line = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  );
const moment = z.iso.datetime();
const whose = said(
  z.nullable(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  'Of which reseller; null: of the installation.',
);
/** What lets further programs or people in asks for it again, so that a session left open is not enough. */
const code = said(typedOtp, 'The newest code of the owner’s authenticator app; it works once.');

/** An API key; its secret is not kept. */
export const apiKeyShown = z.object({
  id: z.uuid(),
  resellerId: whose,
  name: said(z.string(), 'What it is for.'),
  scopes: said(z.array(z.enum(scopes)), 'What it may do.'),
  createdAt: z.string(),
  expiresAt: said(z.nullable(z.string()), 'Null: it does not run out.'),
  rotatedAt: z.nullable(z.string()),
  previousUntil: said(z.nullable(z.string()), 'Until when the secret before works.'),
  lastUsedAt: said(z.nullable(z.string()), 'To the hour.'),
  revokedAt: said(z.nullable(z.string()), 'Null: it is in use.'),
});
export type ApiKeyShown = z.infer<typeof apiKeyShown>;

/** A key with its secret, which is told this once. */
export const apiKeyMade = z.extend(apiKeyShown, { key: said(z.string(), 'Kept nowhere.') });
export type ApiKeyMade = z.infer<typeof apiKeyMade>;

/** Body of `POST /v1/operator/api-keys`. */
export const newApiKey = z.strictObject({
  resellerId: whose,
  name: said(line(100), 'Unique among the keys of the reseller, those that have ended included.'),
  scopes: said(z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length)), 'What it may do.'),
  expiresAt: said(z.nullable(moment), 'Null: it does not run out.'),
  code,
});
export type NewApiKeyBody = z.output<typeof newApiKey>;

/** Body of `POST /v1/operator/api-keys/{id}/rotate`. */
export const apiKeyRotation = z.strictObject({
  graceMinutes: said(
    z._default(z.int().check(z.minimum(0), z.maximum(60 * 24 * 90)), 60 * 24),
    'How long the secret before works on; 0: it ends now.',
  ),
  expiresAt: said(z.optional(z.nullable(moment)), 'When the key runs out; absent: as before.'),
  code,
});
export type ApiKeyRotation = z.output<typeof apiKeyRotation>;

/** An operator as owners see one. */
export const operatorShown = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  role: z.enum(operatorRoles),
  resellerId: whose,
  state: said(
    z.enum(['active', 'invited', 'noWayIn', 'disabled']),
    '`noWayIn`: the invitation has run out or was withdrawn.',
  ),
  invitedUntil: z.nullable(z.string()),
  invitationMail: said(
    z.nullable(
      z.object({
        state: said(z.enum(['waiting', 'sent', 'failing', 'undelivered']), '`failing`: it is tried again.'),
        problem: said(z.nullable(z.string()), 'What the mail server said.'),
      }),
    ),
    'How the mail of the open invitation stands; null: none was mailed.',
  ),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  isSelf: said(z.boolean(), 'Who asks. Nobody changes their own role, nor shuts themselves out.'),
});
export type OperatorShown = z.infer<typeof operatorShown>;

/** An operator with the link of the invitation, which is told this once, and only where there is no mail server. */
export const operatorInvited = z.extend(operatorShown, {
  url: said(
    z.nullable(z.string()),
    'Where password and authenticator app are set up, once; null: it goes to them by mail.',
  ),
  expiresAt: z.string(),
});
export type OperatorInvited = z.infer<typeof operatorInvited>;

const operatorMembers = {
  displayName: line(200),
  role: z.enum(operatorRoles),
  resellerId: whose,
  code,
};
/** Body of `PUT /v1/operator/operators/{id}`. */
export const operatorChange = z.strictObject(operatorMembers);
export type OperatorChange = z.output<typeof operatorChange>;
/** Body of `POST /v1/operator/operators`. */
export const newOperator = z.strictObject({
  email: z.string().check(z.trim(), z.minLength(3), z.maxLength(254)),
  ...operatorMembers,
});
export type NewOperatorBody = z.output<typeof newOperator>;

/** Body of calls that a code alone is needed for. */
export const ownerCode = z.strictObject({ code });
