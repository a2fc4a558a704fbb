import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../lib/api/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { everyItem } from './every-item.ts';

afterEach(() => vi.restoreAllMocks());

const item = (n: number): ServiceItem => ({
  id: `i-${n}`,
  serviceId: 's-1',
  serviceItem: `L-${n}`,
  description: n % 2 ? 'Desk' : null,
  costCentre: null,
});
const asked = {
  service: 's-1',
  filters: { description: 'desk' },
  sort: { column: 'serviceItem', direction: 'desc' },
  mixed: undefined,
} as const;

it('what fits on one page is asked for with filter and order, anew each time', async () => {
  const found = [item(3), item(1)];
  const getPage = vi.spyOn(api, 'getPage').mockResolvedValue({ data: found, totalCount: 2 });
  const client = createQueryClient();
  for (const _ of [1, 2]) expect(await everyItem(client, asked)).toEqual(found);
  expect(getPage.mock.calls.map(([, options]) => options?.query)).toEqual(
    Array.from({ length: 2 }, () => ({
      service: 's-1',
      description: 'desk',
      order: 'serviceItem',
      orderDirection: 'desc',
      limit: 1000,
      offset: 0,
    })),
  );
});

it('of more, the whole list is filtered and sorted as the page is', async () => {
  vi.spyOn(api, 'getPage').mockResolvedValue({ data: [item(3)], totalCount: 1001 });
  const get = vi.spyOn(api, 'get').mockResolvedValue([item(2), item(1), item(11), item(3)]);
  const found = await everyItem(createQueryClient(), asked);
  expect(found.map(({ serviceItem }) => serviceItem)).toEqual(['L-11', 'L-3', 'L-1']);
  expect(get.mock.calls[0]?.[1]?.query).toEqual({ service: 's-1' });
});
