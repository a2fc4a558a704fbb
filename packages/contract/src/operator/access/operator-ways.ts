import * as z from 'zod/mini';
import { passkeyAssertion } from '../../people/passkeys.ts';
import { typedOtp } from '../../people/second-factor.ts';
import { said } from '../parts.ts';

/** How operators get in beside password and code. */

/** Body of calls about the operator's own ways in. */
export const operatorProof = z.strictObject({
  code: said(
    z.optional(typedOtp),
    'The newest code of the operator’s authenticator app; asked for when the sign-in was more than ten minutes ago.',
  ),
});
export type OperatorProof = z.output<typeof operatorProof>;

/** Body of `POST /v1/operator/session/passkey`. */
export const operatorPasskeySignIn = z.strictObject({
  challengeId: z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/)),
  credential: passkeyAssertion,
});
export type OperatorPasskeySignIn = z.output<typeof operatorPasskeySignIn>;
