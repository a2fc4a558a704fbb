import { useQuery } from '@tanstack/react-query';
import type { UnitSum, UsageSums } from './day-bars.ts';
import type { Counted } from './day-chart.tsx';
import { type LoadedSummary, usageQueries } from './queries.ts';
import { ALL_SERVICES, type UsageFilter } from './usage-filter.ts';
import type { Usage } from './use-usage.ts';

/** Stands for a filter that is not known yet; nothing is asked for with it. */
const none: UsageFilter = { dateFrom: '', dateTo: '' };

interface UnitSums {
  /** What is listed, apart by what its units are. Undefined: still loading. Null: that failed. */
  readonly units: readonly UnitSum[] | undefined | null;
  /** How the units of each day are called and what they are; undefined: different things, which are no sum. */
  readonly counted: Counted | undefined;
}

/**
 * Units of the filter, never seconds added to bytes.
 * @param sums of what is listed
 */
export function useUnitSums(
  { listed, part, serviceId }: Usage,
  summary: LoadedSummary | undefined,
  sums: UsageSums | undefined | null,
  label: string,
): UnitSums {
  const byUnit = summary?.byUnit ?? [];
  // What is chosen in the chart is a sum of days, which do not say it unit by unit.
  const isAsked = listed !== undefined && part !== undefined && byUnit.length > 1;
  const ofPart = useQuery({ ...usageQueries.summary(listed ?? none), enabled: isAsked });
  const [first] = byUnit;
  if (first === undefined || byUnit.length > 1) {
    const units = isAsked ? (ofPart.data?.byUnit ?? (ofPart.isError ? null : undefined)) : summary?.byUnit;
    return { units, counted: undefined };
  }
  // Of several services, what nobody has said the unit of may be different things.
  const counted = first.unit === null && serviceId === ALL_SERVICES ? undefined : { label, unit: first.unit };
  return { units: [{ unit: first.unit, units: sums?.units ?? first.units }], counted };
}
