import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';
import { type PageRequest, usageQueries } from './queries.ts';
import type { UsageFilter } from './usage-filter.ts';

interface PrintUsageProps {
  /** Undefined: nothing to ask for. */
  readonly filter: UsageFilter | undefined;
  readonly sort: Pick<PageRequest, 'order' | 'orderDirection'>;
}

/** Stands for a filter that is not known yet; nothing is asked for with it. */
const none: UsageFilter = { dateFrom: '', dateTo: '' };

/** Fetches what the filter holds, beyond the page shown, and prints; the browser's own menu cannot wait for that. */
export function PrintUsage({ filter, sort }: PrintUsageProps) {
  const [isWanted, setWanted] = useState(false);
  const { data, isFetching } = useQuery({
    ...usageQueries.paper({ ...(filter ?? none), ...sort }),
    enabled: isWanted && filter !== undefined,
  });
  useEffect(() => {
    if (!isWanted || isFetching) return;
    setWanted(false);
    if (data !== undefined) globalThis.print();
  }, [isWanted, isFetching, data]);
  return (
    <Button
      disabled={filter === undefined}
      busy={isWanted}
      busyLabel={t('printing')}
      onClick={() => setWanted(true)}
    >
      {t('print')}
    </Button>
  );
}
