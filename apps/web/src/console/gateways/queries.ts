import type {
  GatewayAccountDetail,
  GatewayAccountShown,
  GatewayCheck,
  GatewayKind,
  GatewaySettings,
  GatewayVerification,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi, getWithState } from '../../lib/api/console-api.ts';

const path = '/v1/admin/gateway-accounts';
const ofAccount = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** While a run goes on, how often the page asks how far it is. */
const RUN_LOOK_MS = 1_000;

const goesOn = (run: GatewayVerification | undefined): boolean =>
  run?.state === 'waiting' || run?.state === 'running';

export const gatewayQueries = {
  /** What each gateway takes; it changes with the program only. */
  kinds: () =>
    queryOptions({
      queryKey: ['gateways', 'kinds'],
      queryFn: ({ signal }) => consoleApi.get<readonly GatewayKind[]>('/v1/admin/gateways', { signal }),
    }),
  list: () =>
    queryOptions({
      queryKey: ['gateways', 'accounts'],
      queryFn: ({ signal }) => consoleApi.get<readonly GatewayAccountShown[]>(path, { signal }),
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['gateways', 'account', id],
      queryFn: ({ signal }) => getWithState<GatewayAccountDetail>(ofAccount(id), signal),
      staleTime: 0,
    }),
  run: (id: string) =>
    queryOptions({
      queryKey: ['gateways', 'account', id, 'run'],
      queryFn: ({ signal }) =>
        consoleApi.get<GatewayVerification>(`${ofAccount(id)}/verification`, { signal }),
      refetchInterval: ({ state }) => (goesOn(state.data) ? RUN_LOOK_MS : false),
      staleTime: 0,
    }),
};

/**
 * Gives the reseller a gateway, or changes the settings of the one it has.
 * @param state of the account as it was read; undefined: there is none yet
 * @throws {ApiError} precondition.failed where another state is found
 */
export const setGateway = (gateway: string, settings: GatewaySettings['settings'], state?: string) =>
  consoleApi.put<GatewayAccountDetail>(
    `${path}/by-gateway/${encodeURIComponent(gateway)}`,
    { settings },
    { headers: state === undefined ? { 'If-None-Match': '*' } : { 'If-Match': state } },
  );

export const setInUse = (id: string, inUse: boolean) =>
  consoleApi.post<GatewayAccountDetail>(`${ofAccount(id)}/${inUse ? 'enable' : 'disable'}`);

/** Asks the gateway whether the keys are good. */
export const checkGateway = (id: string) => consoleApi.post<GatewayCheck>(`${ofAccount(id)}/check`);

/** Begins a run of all cases. */
export const beginRun = (
  id: string,
  order: { readonly areTestKeys: boolean; readonly settings?: GatewaySettings['settings'] },
) => consoleApi.post<GatewayVerification>(`${ofAccount(id)}/verification`, order);
