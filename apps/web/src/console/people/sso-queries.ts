import type {
  OperatorSsoChange,
  OperatorSsoList,
  OperatorSsoTested,
} from '@counterfoil/contract/operator/access/operator-sso.ts';
import { queryOptions } from '@tanstack/react-query';
import { consoleApi } from '../../lib/api/console-api.ts';

const path = '/v1/operator/sso';

export const ssoQuery = () =>
  queryOptions({
    queryKey: ['people', 'sso'],
    queryFn: ({ signal }) => consoleApi.get<OperatorSsoList>(path, { signal }),
    staleTime: 0,
  });

export const setSso = (body: OperatorSsoChange) => consoleApi.put<OperatorSsoList>(path, body);

export const testSso = (resellerId: number | null) =>
  consoleApi.post<OperatorSsoTested>(`${path}/test`, { resellerId });

export const removeSso = (resellerId: number | null, code: string) =>
  consoleApi.post<void>(`${path}/removal`, { resellerId, code });
