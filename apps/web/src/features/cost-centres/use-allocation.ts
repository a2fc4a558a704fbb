import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { filterItems, type ItemFilters } from '../../shared/service-items/filter-items.ts';
import { serviceItemQueries } from '../../shared/service-items/queries.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
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
  /** Its items; undefined: still loading. */
  readonly items: readonly ServiceItem[] | undefined;
  /** Those that match the filters. */
  readonly rows: readonly ServiceItem[] | undefined;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

/** The items of the service in the URL, as the filters in the URL leave them. */
export function useAllocation(): Allocation {
  const services = useQuery(serviceItemQueries.services());
  const [{ service }, choose] = useUrlParameters(chosenNames);
  const [filters, setFilters] = useUrlParameters(typedNames, typed);
  // When none is chosen, the first one is.
  const known = services.data?.find(({ id }) => id === service) ?? services.data?.[0];
  const isAll = service === ALL_SERVICES;
  const list = useQuery({
    ...serviceItemQueries.list(isAll ? null : (known?.id ?? null)),
    enabled: isAll || known !== undefined,
  });
  const items = services.data?.length === 0 ? none : list.data;
  const rows = useMemo(() => items && filterItems(items, filters), [items, filters]);
  const failed = [services, list].find((query) => query.isError && query.data === undefined);
  return {
    services: services.data,
    chosen: isAll ? ALL_SERVICES : (known?.id ?? ''),
    chooseService: (id) => choose({ service: id }),
    filters,
    setFilters,
    isFiltered: typedNames.some((name) => (filters[name] ?? '') !== ''),
    mixed: isAll ? services.data : undefined,
    serviceName: isAll ? t('service.all') : (known?.name ?? ''),
    items,
    rows,
    error: failed && { requestId: requestIdOf(failed.error), retry: () => void failed.refetch() },
  };
}

const none: readonly ServiceItem[] = [];
