import type { CostCentreSummary } from '@counterfoil/contract/cost-centres.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Period } from '@counterfoil/domain/time/period.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { useQuery } from '@tanstack/react-query';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { costCentreQueries } from './queries.ts';
import { type SpanChoice, spanDays } from './summary-span.ts';

const names = ['span', 'from', 'to'] as const;

export interface CostSummary {
  /** Today where the brand is. */
  readonly day: Day;
  readonly choice: SpanChoice;
  readonly choose: (change: SpanChoice) => void;
  /** The days chosen; null while they are incomplete or reversed. */
  readonly days: Period | null;
  readonly data: CostCentreSummary | undefined;
  readonly error: { readonly requestId: string | undefined; readonly retry: () => void } | undefined;
}

/** What each cost centre cost in the days the URL names. @param isShown false: nothing is loaded */
export function useCostSummary(isShown: boolean): CostSummary {
  const { brand } = usePortal();
  const [choice, choose] = useUrlParameters(names);
  const day = today(brand.timeZone, new Date());
  const days = spanDays(choice, day);
  const query = useQuery({
    ...costCentreQueries.summary(days?.start ?? '', days?.end ?? ''),
    enabled: isShown && days !== null,
  });
  const { data, isError, error, refetch } = query;
  return {
    day,
    choice,
    choose,
    days,
    data,
    error:
      isError && data === undefined
        ? { requestId: requestIdOf(error), retry: () => void refetch() }
        : undefined,
  };
}
