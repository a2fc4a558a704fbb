import { expect, it, vi } from 'vitest';
import { listPaths, methodQueries } from './queries.ts';
import { detailsOf } from './test-support.ts';

const get = vi.hoisted(() => vi.fn(async () => ({})));
vi.mock('../../lib/api/api.ts', () => ({ api: { get } }));

it('allow-reseller-charge is asked of the reseller’s host [payments.auto-pay.get-host]', async () => {
  const { signal } = new AbortController();
  await methodQueries.charge().queryFn?.({ signal } as never);
  expect(get).toHaveBeenCalledWith('/v1/ec/allow-reseller-charge', { signal, host: 'reseller' });
});

it('one list for both kinds is asked for once, none without a gateway', () => {
  const paths = { cards: '/cards', accounts: '/cards', defaultSource: '/default' };
  expect(listPaths(detailsOf({ paths }))).toEqual(['/cards']);
  expect(listPaths(detailsOf())).toEqual(['/cards', '/accounts']);
  expect(listPaths(detailsOf({ paths: null }))).toEqual([]);
});
