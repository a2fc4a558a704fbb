import type { OperatorSignInWays } from '@counterfoil/contract/operator/access/operator-sso.ts';
import type { OperatorPasskeySignIn } from '@counterfoil/contract/operator/access/operator-ways.ts';
import type {
  OperatorAcceptance,
  OperatorInvitation,
  OperatorReset,
  OperatorSession,
  OperatorSignIn,
} from '@counterfoil/contract/operator/access/operators.ts';
import type { PasskeyChallenge } from '@counterfoil/contract/people/passkeys.ts';
import { openApi } from '../../lib/api/open-api.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';

export const signIn = (body: OperatorSignIn) => openApi.post<OperatorSession>('/v1/operator/session', body);

export const showInvitation = (token: string) =>
  openApi.post<OperatorInvitation>('/v1/operator/invitation', { token });

export const acceptInvitation = (body: OperatorAcceptance) =>
  openApi.post<OperatorSession>('/v1/operator/invitation/acceptance', body);

/** Asks for a mail to a new password; whether there is such an operator is not told. */
export const askForPassword = (email: string) =>
  openApi.post<void>('/v1/operator/password-reset-request', { email });

export const resetPassword = (body: OperatorReset) => openApi.post<void>('/v1/operator/password-reset', body);

/** Signs in with whichever passkey the person chooses. @throws {Error} as `whyNot` tells; {ApiError} */
export async function signInWithPasskey(): Promise<OperatorSession> {
  const { challengeId, options } = await openApi.post<PasskeyChallenge>('/v1/operator/passkey-challenge');
  const credential = await signWithPasskey(options);
  const body: OperatorPasskeySignIn = { challengeId, credential };
  return openApi.post<OperatorSession>('/v1/operator/session/passkey', body);
}

/** Which single sign-on there is. */
export const signInWays = () => openApi.get<OperatorSignInWays>('/v1/operator/sign-in-ways');

/** Where a sign-in through a provider begins. @param name undefined: that of the installation */
export const ssoAddress = (name?: string): string =>
  `/v1/operator/sso/login${name === undefined ? '' : `?${new URLSearchParams({ name })}`}`;
