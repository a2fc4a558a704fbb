import type {
  OperatorAcceptance,
  OperatorInvitation,
  OperatorSession,
  OperatorSignIn,
} from '@counterfoil/contract/operator/operators.ts';
import { openApi } from '../../lib/api/open-api.ts';

export const signIn = (body: OperatorSignIn) => openApi.post<OperatorSession>('/v1/operator/session', body);

export const showInvitation = (token: string) =>
  openApi.post<OperatorInvitation>('/v1/operator/invitation', { token });

export const acceptInvitation = (body: OperatorAcceptance) =>
  openApi.post<OperatorSession>('/v1/operator/invitation/acceptance', body);
