import type {
  Passkey,
  PasskeyName,
  PasskeyRegistration,
  PasskeyRemoval,
} from '@counterfoil/contract/people/passkeys.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { makePasskey } from '../../lib/passkeys.ts';

const path = '/v1/ec/passkeys';
const at = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const passkeyQueries = {
  list: () =>
    queryOptions({
      queryKey: ['passkeys'],
      queryFn: ({ signal }) => api.get<readonly Passkey[]>(path, { signal }),
      staleTime: 0,
    }),
};

/** Begins to add one. @throws {ApiError} passkey.passwordNeeded when the sign-in was a while ago */
export const startPasskey = (password?: string) =>
  api.post<PasskeyRegistration>(`${path}/registration`, password === undefined ? {} : { password });

/** Has the device make it, and the server keep it. */
export async function finishPasskey({ challengeId, options }: PasskeyRegistration): Promise<Passkey> {
  return api.post<Passkey>(path, { challengeId, credential: await makePasskey(options) });
}

export const renamePasskey = (id: string, name: string) =>
  api.put<Passkey>(at(id), { name } satisfies PasskeyName);

/** Removes one and ends what was begun with it elsewhere; one that is gone already is what was wanted. */
export const removePasskey = (id: string, proof: PasskeyRemoval) =>
  api.post<void>(`${at(id)}/removal`, proof).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'passkey.notFound') throw error;
  });
