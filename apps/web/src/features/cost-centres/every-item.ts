import { LIST_PAGE_MAX } from '@counterfoil/contract/paging.ts';
import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import type { QueryClient } from '@tanstack/react-query';
import { listPage, listQuery } from '../../lib/lists/list-page.ts';
import { filterItems, type ItemFilters } from '../../shared/service-items/filter-items.ts';
import { itemColumns } from '../../shared/service-items/item-columns.tsx';
import { serviceItemList, serviceItemQueries } from '../../shared/service-items/queries.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { sortRows } from '../../ui/data/grid/grid-model.ts';
import type { GridSort } from '../../ui/data/grid/grid-types.ts';

interface Asked {
  /** Id of the service; null: all. */
  readonly service: string | null;
  readonly filters: ItemFilters;
  readonly sort: GridSort | null;
  /** All services, while items of several stand together. */
  readonly mixed: readonly Service[] | undefined;
}

/**
 * All items that the filters leave, in the order of the grid. They are of one moment, so that none is missing or there twice while
 * others write: a single page of the server, or what is found in its whole list where they are more.
 * @throws {ApiError} after the reader was told
 */
export async function everyItem(
  client: QueryClient,
  { service, filters, sort, mixed }: Asked,
): Promise<readonly ServiceItem[]> {
  const query = {
    service: service ?? undefined,
    ...filters,
    ...listQuery({ sort, page: 1 }, serviceItemList.orders, LIST_PAGE_MAX),
  };
  const once = { staleTime: 0, gcTime: 0 };
  const page = await client.fetchQuery({ ...listPage<ServiceItem>(serviceItemList, query), ...once });
  if (page.totalCount <= page.data.length) return page.data;
  const whole = await client.fetchQuery({ ...serviceItemQueries.list(service), ...once });
  const columns = itemColumns('', () => undefined, mixed);
  return sortRows(filterItems(whole, filters), columns, sort, readerLocale());
}
