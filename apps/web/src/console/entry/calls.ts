import type {
  OperatorAcceptance,
  OperatorInvitation,
  OperatorReset,
  OperatorSession,
  OperatorSignIn,
} from '@counterfoil/contract/operator/operators.ts';
import { openApi } from '../../lib/api/open-api.ts';

export const signIn = (body: OperatorSignIn) => openApi.post<OperatorSession>('/v1/operator/session', body);

export const showInvitation = (token: string) =>
  openApi.post<OperatorInvitation>('/v1/operator/invitation', { token });

export const acceptInvitation = (body: OperatorAcceptance) =>
  openApi.post<OperatorSession>('/v1/operator/invitation/acceptance', body);

/** Asks for a mail to a new password; whether there is such an operator is not told. */
export const askForPassword = (email: string) =>
  openApi.post<void>('/v1/operator/password-reset-request', { email });

export const resetPassword = (body: OperatorReset) => openApi.post<void>('/v1/operator/password-reset', body);
