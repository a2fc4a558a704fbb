import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import type { Agreement } from '@counterfoil/contract/transactions.ts';
import type { RecordType } from '@counterfoil/contract/usage.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { agreementsQuery } from '../../lib/values/agreements.ts';
import { namedItem, serviceItemQueries } from '../../shared/service-items/queries.ts';
import { isPeriod } from '../../ui/fields/date-range-model.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { usageQueries } from './queries.ts';
import {
  ALL_SERVICES,
  chosenPart,
  daysOf,
  filterNames,
  filterOf,
  isId,
  type NamedThing,
  onService,
  type UsageChoice,
  type UsageFilter,
  unknownThings,
} from './usage-filter.ts';

const replacing = { replace: true };

/** What can be chosen from; undefined while it is loading. */
export interface Offered<T> {
  readonly data: readonly T[] | undefined;
  /** Loading failed: asks again. */
  readonly retry: (() => void) | undefined;
}

export interface Usage {
  readonly choice: UsageChoice;
  /** Goes back to page 1. */
  readonly choose: (change: UsageChoice) => void;
  /** The same for what is typed: no step of the browser's history. */
  readonly typeIn: (change: UsageChoice) => void;
  readonly services: Offered<Service>;
  readonly agreements: Offered<Agreement>;
  /** Those of the chosen service. */
  readonly recordTypes: Offered<RecordType>;
  /** Whose items can be chosen: a service's id; null: those of all; undefined: not known yet, or of none that there is. */
  readonly itemsOf: string | null | undefined;
  /** The chosen connection, once it is known. */
  readonly connection: ServiceItem | undefined;
  /** Id of the chosen service, or {@link ALL_SERVICES}; undefined: not known yet. */
  readonly serviceId: string | undefined;
  /** The chosen service; undefined while all are. */
  readonly service: Service | undefined;
  readonly chooseService: (id: string) => void;
  /** The days of the timeframe; undefined while they are incomplete. */
  readonly range: Period | undefined;
  /** What of them was chosen in the chart. */
  readonly part: Period | undefined;
  /** The filter over the whole timeframe; undefined: not known yet, or it names what is not there. */
  readonly filter: UsageFilter | undefined;
  /** The filter of what is listed. */
  readonly listed: UsageFilter | undefined;
  /** What the URL names that is not there. */
  readonly unknown: readonly NamedThing[];
  /** Without the services there is nothing to ask for. */
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

interface Loaded<T> {
  readonly data: readonly T[] | undefined;
  readonly isError: boolean;
  readonly refetch: () => unknown;
}

const offered = <T>({ data, isError, refetch }: Loaded<T>): Offered<T> => ({
  data,
  retry: isError && data === undefined ? () => void refetch() : undefined,
});

/** The filters as the URL holds them, and what they can be set to. */
export function useUsage(): Usage {
  const [choice, choose] = useUrlParameters(filterNames);
  const [, typeIn] = useUrlParameters(filterNames, replacing);
  const services = useQuery(serviceItemQueries.services());
  const agreements = useQuery(agreementsQuery());
  const types = useQuery(usageQueries.recordTypes());
  // When none is chosen, the first one is: only a single service has words and units of its own.
  const serviceId = choice.service ?? (services.data && (services.data[0]?.id ?? ALL_SERVICES));
  const isAll = serviceId === ALL_SERVICES;
  const service = services.data?.find(({ id }) => id === serviceId);
  const itemsOf = isAll ? null : service?.id;
  const { connection = '' } = choice;
  const { data: named } = useQuery({
    ...namedItem(connection, itemsOf ?? null),
    enabled: itemsOf !== undefined && isId(connection),
  });
  const ofService = useMemo(
    () => types.data?.filter((type) => isAll || type.serviceId === serviceId),
    [types.data, isAll, serviceId],
  );
  const unknown = unknownThings(choice, {
    service: services.data,
    agreement: agreements.data,
    type: ofService,
    connection: named?.data,
  });
  const days = daysOf(choice, new Date());
  const range = isPeriod(days) ? days : undefined;
  const part = range && chosenPart(choice, range);
  const filterIn = (span: Period | undefined): UsageFilter | undefined =>
    span === undefined || serviceId === undefined || unknown.length > 0
      ? undefined
      : filterOf(choice, isAll ? null : serviceId, span);
  return {
    choice,
    choose,
    typeIn,
    serviceId,
    service,
    range,
    part,
    unknown,
    services: offered(services),
    agreements: offered(agreements),
    recordTypes: offered({ ...types, data: ofService }),
    itemsOf,
    connection: named?.data[0],
    chooseService: (id) => choose(onService(id)),
    filter: filterIn(range),
    listed: filterIn(part ?? range),
    error:
      services.isError && services.data === undefined
        ? { requestId: requestIdOf(services.error), retry: () => void services.refetch() }
        : undefined,
  };
}
