import type { MySession } from '@counterfoil/contract/people/sessions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';

export const sessionQueries = {
  /** Asked for again at each visit: sessions come and go elsewhere. */
  list: () =>
    queryOptions({
      queryKey: ['sessions'],
      queryFn: ({ signal }) => api.get<readonly MySession[]>('/v1/ec/sessions', { signal }),
      staleTime: 0,
    }),
};

/** Ends one session of the user; one that has ended meanwhile is what was wanted. */
export const endSession = (id: string) =>
  api.delete<void>(`/v1/ec/sessions/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'session.notFound') throw error;
  });

/** Ends all sessions of the user but this one. */
export const endOtherSessions = () => api.delete<void>('/v1/ec/sessions');
