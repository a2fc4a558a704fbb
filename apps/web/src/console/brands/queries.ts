import type {
  AdminBrand,
  AdminBrandDetail,
  BrandPreview,
  BrandValues,
  StandardMailText,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage, getWithState, sendFile } from '../../lib/api/console-api.ts';

const path = '/v1/admin/brands';
const imageOf = (id: number, kind: ImageKind): string => `${path}/${id}/images/${kind}`;

export type ImageKind = 'logo' | 'banner';

export const brandQueries = {
  list: () =>
    infiniteQueryOptions({
      queryKey: ['brands'],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AdminBrand>(path, { query: { limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['brand', id],
      queryFn: ({ signal }) => getWithState<AdminBrandDetail>(`${path}/${encodeURIComponent(id)}`, signal),
      // What is being edited stays as it was read: what somebody else changes meanwhile shows when it is published.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
    }),
  standardMailTexts: () =>
    queryOptions({
      queryKey: ['standard-mail-texts'],
      queryFn: ({ signal }) =>
        consoleApi.get<readonly StandardMailText[]>('/v1/admin/mail-texts', { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** The subject of a mail that is drawn, which stands nowhere in it. @param address of its page */
  subject: (address: string) =>
    queryOptions({
      queryKey: ['brand-preview-subject', address],
      queryFn: async ({ signal }) => {
        const { blob } = await consoleApi.file(`${address}&only=subject`, { signal });
        return blob.text();
      },
      gcTime: 60_000,
      retry: false,
      meta: { quiet: () => true },
    }),
  /** Where the screens of a draft are drawn; an address is good for an hour. */
  preview: (id: number, values: BrandValues) =>
    queryOptions({
      queryKey: ['brand-preview', id, values],
      queryFn: ({ signal }) => consoleApi.post<BrandPreview>(`${path}/${id}/previews`, values, { signal }),
      staleTime: 30 * 60_000,
      gcTime: 60_000,
      retry: false,
    }),
};

/** What a brand begins with; all else has its default. */
export interface NewBrandValues extends Pick<BrandValues, 'name' | 'hosts' | 'currency' | 'timeZone'> {
  readonly settings: Partial<BrandValues['settings']>;
}

/** Makes a brand. @throws {ApiError} precondition.failed where one has this reference already */
export const makeBrand = (reference: string, values: NewBrandValues) =>
  consoleApi.put<AdminBrand>(`${path}/by-reference/${encodeURIComponent(reference)}`, values, {
    headers: { 'If-None-Match': '*' },
  });

/** Publishes a brand. @param state as it was read; another one is refused */
export const publishBrand = (id: number, values: BrandValues, state: string) =>
  consoleApi.put<AdminBrand>(`${path}/${id}`, values, { headers: { 'If-Match': state } });

export const storeImage = (id: number, kind: ImageKind, file: Blob) =>
  sendFile<AdminBrand>('PUT', imageOf(id, kind), file);

export const removeImage = (id: number, kind: ImageKind) => consoleApi.delete<AdminBrand>(imageOf(id, kind));
