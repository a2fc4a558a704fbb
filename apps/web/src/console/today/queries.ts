import type { InstallationHealth } from '@counterfoil/contract/operator/running/installation.ts';
import type { MoneyOfDay, Need, Today } from '@counterfoil/contract/operator/running/today.ts';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from '../../lib/api/console-api.ts';

const EVERY_MS = 60_000;

export const todayQueries = {
  needs: queryOptions({
    queryKey: ['today'],
    queryFn: ({ signal }) => consoleApi.get<Today>('/v1/admin/today', { signal }),
    refetchInterval: EVERY_MS,
    staleTime: 10_000,
    meta: { quiet: true },
  }),
  money: queryOptions({
    queryKey: ['money'],
    queryFn: ({ signal }) => consoleApi.get<MoneyOfDay>('/v1/admin/money', { signal }),
    refetchInterval: EVERY_MS,
    staleTime: 10_000,
    meta: { quiet: true },
  }),
  health: queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => consoleApi.get<InstallationHealth>('/v1/admin/health', { signal }),
    refetchInterval: EVERY_MS,
    staleTime: 10_000,
    meta: { quiet: true },
  }),
};

/** Puts a thing off for oneself. */
export const snooze = ({ kind, id, state }: Need, until: Date, note: string) =>
  consoleApi.post<void>('/v1/admin/today/snoozes', { kind, id, state, until: until.toISOString(), note });

/** Shows again all that was put off. */
export const endSnoozes = () => consoleApi.delete<void>('/v1/admin/today/snoozes');
