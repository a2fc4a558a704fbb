import { LIST_SEARCH_MAX } from '@counterfoil/contract/list-orders.ts';
import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { type PagedList, usePagedList } from '../../lib/lists/use-paged-list.ts';
import { filterItems, type ItemFilters } from '../../shared/service-items/filter-items.ts';
import { serviceItemList, serviceItemQueries } from '../../shared/service-items/queries.ts';
import type { GridState } from '../../ui/data/grid/grid-types.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { everyItem } from './every-item.ts';
import { t } from './messages.ts';

const chosenNames = ['service'] as const;
const typedNames = ['serviceItem', 'description', 'costCentre'] as const;
const typed = { replace: true };
/** In the URL instead of a service's id. */
export const ALL_SERVICES = 'all';

export interface Allocation {
  readonly services: readonly Service[] | undefined;
  /** Id of the chosen service, or {@link ALL_SERVICES}. */
  readonly chosen: string;
  readonly chooseService: (id: string) => void;
  readonly filters: ItemFilters;
  readonly setFilters: (change: ItemFilters) => void;
  readonly isFiltered: boolean;
  /** All services, while items of several stand together. */
  readonly mixed: readonly Service[] | undefined;
  /** Name of the chosen service. */
  readonly serviceName: string;
  /** The page of what the filters leave. */
  readonly list: PagedList<ServiceItem>;
  /** Whether service and filters leave an item. */
  readonly isShown: (item: ServiceItem) => boolean;
  /** All that they leave, in the order of the page. */
  readonly every: () => Promise<readonly ServiceItem[]>;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

/** A part of a text as the server takes it; undefined: any. */
const part = (text: string | undefined): string | undefined =>
  text?.trim().slice(0, LIST_SEARCH_MAX) || undefined;

/** The items of the service in the URL, as the filters in the URL leave them, by the page. @param state of the grid */
export function useAllocation(state: GridState): Allocation {
  const client = useQueryClient();
  const services = useQuery(serviceItemQueries.services());
  const [{ service }, choose] = useUrlParameters(chosenNames);
  const [typedIn, setFilters] = useUrlParameters(typedNames, typed);
  const { serviceItem, description, costCentre } = typedIn;
  const filters = useMemo(
    () => ({ serviceItem: part(serviceItem), description: part(description), costCentre: part(costCentre) }),
    [serviceItem, description, costCentre],
  );
  // When none is chosen, the first one is.
  const known = services.data?.find(({ id }) => id === service) ?? services.data?.[0];
  const isAll = service === ALL_SERVICES;
  const ofService = isAll ? undefined : known?.id;
  const page = usePagedList<ServiceItem>({
    source: serviceItemList,
    state,
    filter: { service: ofService, ...filters },
    enabled: isAll || known !== undefined,
  });
  const list = services.data?.length === 0 ? { ...page, rows: none, total: 0 } : page;
  const isShown = (item: ServiceItem) =>
    (isAll || item.serviceId === ofService) && filterItems([item], filters).length > 0;
  const mixed = isAll ? services.data : undefined;
  return {
    services: services.data,
    chosen: isAll ? ALL_SERVICES : (known?.id ?? ''),
    chooseService: (id) => choose({ service: id }),
    filters: typedIn,
    setFilters,
    isFiltered: Object.values(filters).some((text) => text !== undefined),
    mixed,
    serviceName: isAll ? t('service.all') : (known?.name ?? ''),
    list,
    isShown,
    every: () => everyItem(client, { service: ofService ?? null, filters, sort: state.sort, mixed }),
    error:
      services.isError && services.data === undefined
        ? { requestId: requestIdOf(services.error), retry: () => void services.refetch() }
        : list.error,
  };
}

const none: readonly ServiceItem[] = [];
