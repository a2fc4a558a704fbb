import type {
  PaymentDetails,
  ResellerCharge,
  SavedSource,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

/** What the server holds about how a customer pays. Cards and accounts change at the gateway too. */
export const methodQueries = {
  all: ['payment-methods'] as const,
  /** Payment settings, and what the reseller's gateway can do. */
  details: () =>
    queryOptions({
      queryKey: [...methodQueries.all, 'details'],
      queryFn: ({ signal }) => api.get<PaymentDetails>('/v1/ec/payments/details', { signal }),
    }),
  /** Saved methods, the oldest first. @param path one of `details.paths` */
  list: (path: string) =>
    queryOptions({
      queryKey: [...methodQueries.all, 'list', path],
      queryFn: ({ signal }) => api.get<readonly SavedSource[]>(path, { signal }),
      staleTime: 0,
    }),
  /** Whether the reseller may charge by itself; served by its own host (payments §7). */
  charge: () =>
    queryOptions({
      queryKey: [...methodQueries.all, 'charge'],
      queryFn: ({ signal }) =>
        api.get<ResellerCharge>('/v1/ec/allow-reseller-charge', { signal, host: 'reseller' }),
    }),
};

/** The lists a gateway has: one for each kind, or one for both. */
export const listPaths = ({ paths }: PaymentDetails): readonly string[] =>
  paths === null ? [] : [...new Set([paths.cards, paths.accounts])];
