import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../lib/query-client.ts';
import { isRefusal } from './parts/failed.tsx';

/** The portal's, but the banner is for faults alone: what is refused says so where it would stand. */
export function createConsoleQueryClient(): QueryClient {
  const client = createQueryClient();
  const { queries, ...others } = client.getDefaultOptions();
  client.setDefaultOptions({ ...others, queries: { ...queries, meta: { quiet: isRefusal } } });
  return client;
}
