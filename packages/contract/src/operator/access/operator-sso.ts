import * as z from 'zod/mini';
import { typedOtp } from '../../people/second-factor.ts';
import { said } from '../parts.ts';

/** Single sign-on of operators: `/v1/operator/sso`. */

const line = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  );
const whose = said(
  z.nullable(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  'Of which reseller’s operators; null: of the installation’s, and of resellers that have none of their own.',
);
const code = said(typedOtp, 'The newest code of the owner’s authenticator app; it works once.');

/** Settings of single sign-on; the secret is never told. */
export const operatorSso = z.object({
  resellerId: whose,
  name: said(z.string(), 'What operators of a reseller type to find it.'),
  issuer: z.string(),
  clientId: z.string(),
  hasSecret: z.boolean(),
  isDemanded: said(
    z.boolean(),
    'Password and passkey sign in no more, but those of owners of the installation.',
  ),
  people: said(z.int(), 'How many operators have signed in by it.'),
  updatedAt: z.string(),
});
export type OperatorSso = z.infer<typeof operatorSso>;

/** Answer of `GET /v1/operator/sso`. */
export const operatorSsoList = z.object({
  redirectUri: said(z.string(), 'To be registered at the provider, for the console at this host.'),
  settings: z.array(operatorSso),
});
export type OperatorSsoList = z.infer<typeof operatorSsoList>;

/** Body of `PUT /v1/operator/sso`. */
export const operatorSsoChange = z.strictObject({
  resellerId: whose,
  name: line(100),
  issuer: said(line(500), 'Such as `https://login.example.com`.'),
  clientId: line(500),
  clientSecret: said(
    z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(2000)))),
    'Kept sealed. Absent: as before with the same issuer and client, else none; null: none.',
  ),
  isDemanded: z.boolean(),
  code,
});
export type OperatorSsoChange = z.output<typeof operatorSsoChange>;

/** Body of `POST /v1/operator/sso/test`. */
export const operatorSsoTest = z.strictObject({ resellerId: whose });

/** Its answer: what was tried, in order. */
export const operatorSsoTested = z.object({
  steps: z.array(
    z.object({
      step: said(
        z.enum(['provider', 'pkce', 'client']),
        'It answers with whole settings; it takes PKCE; it takes this client.',
      ),
      isGood: z.boolean(),
      told: said(z.nullable(z.string()), 'What the provider said; null: nothing to tell.'),
    }),
  ),
});
export type OperatorSsoTested = z.infer<typeof operatorSsoTested>;

/** Body of `POST /v1/operator/sso/removal`. */
export const operatorSsoRemoval = z.strictObject({ resellerId: whose, code });

/** Answer of `GET /v1/operator/sign-in-ways`: what the sign-in page offers. */
export const operatorSignInWays = z.object({
  ssoOfInstallation: said(z.boolean(), 'There is single sign-on without a name.'),
  ssoByName: said(z.boolean(), 'There is some that a name leads to.'),
});
export type OperatorSignInWays = z.infer<typeof operatorSignInWays>;

/** Query of `GET /v1/operator/sso/login`. */
export const operatorSsoLogin = z.object({
  name: said(z.optional(z.string().check(z.maxLength(100))), 'Absent: that of the installation.'),
});
