import { useQuery } from '@tanstack/react-query';
import { useMay } from '../operator.ts';
import { gatewayQueries } from './queries.ts';

/** Gateways as people call them, by what programs call them; until that is known, and for one that is not, the latter. */
export function useGatewayNames(): (gateway: string) => string {
  const mayRead = useMay('gateways:read');
  const { data } = useQuery({
    ...gatewayQueries.kinds(),
    enabled: mayRead,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  return (gateway) => data?.find((kind) => kind.gateway === gateway)?.name ?? gateway;
}

/** A gateway as people call it. */
export const GatewayName = ({ gateway }: { readonly gateway: string }) => useGatewayNames()(gateway);
