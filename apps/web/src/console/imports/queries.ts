import type {
  AdminImport,
  AdminImportDetail,
  ImportState,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type {
  QuarantinedEntry,
  QuarantineRetried,
  QuarantineRetry,
} from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import type { ImportColumnsBody, ImportKind } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReceivedFile } from '../../lib/api/calls.ts';
import { consoleApi, getCursorPage, sendFile } from '../../lib/api/console-api.ts';
import { kindOfFile } from './kind-of-file.ts';

const path = '/v1/admin/imports';
const quarantine = '/v1/admin/quarantine';
const ofImport = (id: string): string => `${path}/${encodeURIComponent(id)}`;
const ofEntry = (id: string): string => `${quarantine}/${encodeURIComponent(id)}`;

/** While a worker is at it, it is looked at so often. */
const LOOK_EVERY_MS = 1_000;
const moving: ReadonlySet<ImportState> = new Set(['checking', 'waiting', 'running', 'stopping', 'undoing']);

/** Whether a worker changes it soon. */
export const isMoving = ({ state }: Pick<AdminImport, 'state'>): boolean => moving.has(state);

export const importQueries = {
  list: () =>
    infiniteQueryOptions({
      queryKey: ['imports'],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AdminImport>(path, { query: { limit: 25, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
      refetchInterval: ({ state: { data } }) =>
        data?.pages.some((page) => page.data.some(isMoving)) === true && LOOK_EVERY_MS,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['import', id],
      queryFn: ({ signal }) => consoleApi.get<AdminImportDetail>(ofImport(id), { signal }),
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => data !== undefined && isMoving(data) && LOOK_EVERY_MS,
    }),
  /** What files of rows may hold; the same for everybody. */
  kinds: () =>
    queryOptions({
      queryKey: ['import-kinds'],
      queryFn: ({ signal }) => consoleApi.get<readonly ImportKind[]>('/v1/admin/import-kinds', { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  quarantine: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['import', id, 'quarantine'],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<QuarantinedEntry>(quarantine, {
          query: { import: id, limit: 50, cursor: pageParam },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
};

/** What is said of a file beside its content. */
export interface FileOptions {
  readonly mapping?: string;
  readonly customer?: string;
  /** What a file of rows holds. */
  readonly kind?: string;
}

/** Sends a file, to be looked at only. */
export const lookAt = (file: File, options: FileOptions): Promise<AdminImport> =>
  sendFile<AdminImport>('POST', path, file, {
    type: kindOfFile(file.name),
    query: { fileName: file.name, dryRun: 'true', ...options },
  });

/** Says how the columns of a file are read; it is looked at anew. */
export const setColumns = (id: string, body: ImportColumnsBody) =>
  consoleApi.put<AdminImportDetail>(`${ofImport(id)}/columns`, body);

/** A file of a kind to fill in. */
export const getTemplate = (kind: string): Promise<ReceivedFile> =>
  consoleApi.file(`/v1/admin/import-kinds/${encodeURIComponent(kind)}/template`);

export const startImport = (id: string) => consoleApi.post<AdminImport>(`${ofImport(id)}/start`);
export const discardImport = (id: string) => consoleApi.post<AdminImport>(`${ofImport(id)}/discard`);
export const stopImport = (id: string) => consoleApi.post<AdminImport>(`${ofImport(id)}/stop`);
export const undoImport = (id: string, note: string) =>
  consoleApi.post<AdminImport>(`${ofImport(id)}/undo`, { note });

/** Tries a quarantined row again, with other values where they are given. */
export const retryEntry = (id: string, body: Partial<QuarantineRetry> = {}) =>
  consoleApi.post<QuarantineRetried>(`${ofEntry(id)}/retry`, body);
/** Has all that waits of an import tried again. */
export const retryAll = (importId: string) =>
  consoleApi.post<{ readonly queued: number }>(`${quarantine}/retry`, { import: importId });
export const dropEntry = (id: string) => consoleApi.delete<void>(ofEntry(id));
