import type { SentMail, SentMailWhole } from '@counterfoil/contract/operator/running/mails.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/mails';
const ofMail = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** What the list is narrowed by. */
export interface MailFilter {
  readonly customer?: string;
  readonly address?: string;
  readonly state?: SentMail['state'];
}

/** The mail as a page of its own, for a frame. */
const mailPage = (id: string): string => `/v1/operator/mails/${encodeURIComponent(id)}/page`;

export const mailQueries = {
  list: (filter: MailFilter) =>
    infiniteQueryOptions({
      queryKey: ['mails', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<SentMail>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['mail', id],
      queryFn: ({ signal }) => consoleApi.get<SentMailWhole>(ofMail(id), { signal }),
      staleTime: 0,
      // One that is on its way has gone out a moment later.
      refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 2_000 : false),
    }),
  /** Whether its page can be had: a frame would show a refusal as the program's own words. */
  page: (id: string) =>
    queryOptions({
      queryKey: ['mail', id, 'page'],
      queryFn: async ({ signal }) => {
        await consoleApi.file(mailPage(id), { signal });
        return mailPage(id);
      },
    }),
};

export const resend = (id: string, address: string | undefined) =>
  consoleApi.post<SentMailWhole>(`${ofMail(id)}/resend`, address === undefined ? {} : { address });

export const dismiss = (id: string, note: string) =>
  consoleApi.post<SentMailWhole>(`${ofMail(id)}/dismiss`, { note });
