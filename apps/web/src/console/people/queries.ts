import type {
  ApiKeyMade,
  ApiKeyRotation,
  ApiKeyShown,
  NewApiKeyBody,
  NewOperatorBody,
  OperatorChange,
  OperatorInvited,
  OperatorShown,
} from '@counterfoil/contract/operator/access/operator-people.ts';
import type { OperatorProof } from '@counterfoil/contract/operator/access/operator-ways.ts';
import type { OperatorPlace } from '@counterfoil/contract/operator/access/operators.ts';
import type { Passkey, PasskeyName, PasskeyRegistration } from '@counterfoil/contract/people/passkeys.ts';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from '../../lib/api/console-api.ts';
import { makePasskey } from '../../lib/passkeys.ts';

const operators = '/v1/operator/operators';
const keys = '/v1/operator/api-keys';
const sessions = '/v1/operator/sessions';
const passkeys = '/v1/operator/passkeys';

export const peopleQueries = {
  operators: () =>
    queryOptions({
      queryKey: ['people', 'operators'],
      queryFn: ({ signal }) => consoleApi.get<readonly OperatorShown[]>(operators, { signal }),
      staleTime: 0,
    }),
  keys: () =>
    queryOptions({
      queryKey: ['people', 'keys'],
      queryFn: ({ signal }) => consoleApi.get<readonly ApiKeyShown[]>(keys, { signal }),
      staleTime: 0,
    }),
  passkeys: () =>
    queryOptions({
      queryKey: ['people', 'passkeys'],
      queryFn: ({ signal }) => consoleApi.get<readonly Passkey[]>(passkeys, { signal }),
      staleTime: 0,
    }),
  sessions: () =>
    queryOptions({
      queryKey: ['people', 'sessions'],
      queryFn: ({ signal }) => consoleApi.get<readonly OperatorPlace[]>(sessions, { signal }),
      staleTime: 0,
    }),
};

export const addOperator = (body: NewOperatorBody) => consoleApi.post<OperatorInvited>(operators, body);

export const changeOperator = (id: string, body: OperatorChange) =>
  consoleApi.put<OperatorShown>(`${operators}/${id}`, body);

export const disableOperator = (id: string) => consoleApi.post<OperatorShown>(`${operators}/${id}/disable`);

export const enableOperator = (id: string, code: string) =>
  consoleApi.post<OperatorShown>(`${operators}/${id}/enable`, { code });

/** Invites once more who has not come in yet. */
export const inviteAgain = (id: string, code: string) =>
  consoleApi.post<OperatorInvited>(`${operators}/${id}/invitation`, { code });

export const withdrawInvitation = (id: string) =>
  consoleApi.post<OperatorShown>(`${operators}/${id}/invitation/withdrawal`);

export const removeOperator = (id: string) => consoleApi.post<void>(`${operators}/${id}/removal`);

/** Takes every way in away and invites again. */
export const resetOperator = (id: string, code: string) =>
  consoleApi.post<OperatorInvited>(`${operators}/${id}/reset`, { code });

export const addKey = (body: NewApiKeyBody) => consoleApi.post<ApiKeyMade>(keys, body);

export const rotateKey = (id: string, body: ApiKeyRotation) =>
  consoleApi.post<ApiKeyMade>(`${keys}/${id}/rotate`, body);

export const revokeKey = (id: string) => consoleApi.post<ApiKeyShown>(`${keys}/${id}/revoke`);

export const endSession = (id: string) => consoleApi.delete<void>(`${sessions}/${id}`);

/** Begins to add a passkey. @throws {ApiError} operator.codeNeeded when the sign-in was a while ago */
export const startPasskey = (proof: OperatorProof) =>
  consoleApi.post<PasskeyRegistration>(`${passkeys}/registration`, proof);

/** Has the device make it, and the server keep it. */
export const finishPasskey = async ({ challengeId, options }: PasskeyRegistration) =>
  consoleApi.post<Passkey>(passkeys, { challengeId, credential: await makePasskey(options) });

export const renamePasskey = (id: string, name: string) =>
  consoleApi.put<Passkey>(`${passkeys}/${id}`, { name } satisfies PasskeyName);

export const removePasskey = (id: string, proof: OperatorProof) =>
  consoleApi.post<void>(`${passkeys}/${id}/removal`, proof);
