import { useMemo, useState } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { Button } from '../../ui/fields/button.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { DownloadUsage } from './download-usage.tsx';
import { usageLabels } from './labels.ts';
import { t } from './messages.ts';
import { PrintUsage } from './print-usage.tsx';
import { Records } from './records.tsx';
import { initialSort, type NamedThing, orderOf, pageSizeOf } from './usage-filter.ts';
import { UsageFilters } from './usage-filters.tsx';
import { type Usage, useUsage } from './use-usage.ts';

const gridOptions = { initial: initialSort };

/** Single usage records: filters, what they come to, by day, and page by page. */
export default function UsagePage() {
  const { brand } = usePortal();
  const usage = useUsage();
  const [state, setState] = useGridUrlState(gridOptions);
  const remembered = usePreference('usage.page-size');
  const [refused, setRefused] = useState<string>();
  useTitle(t('title'), brand.name);
  const { service, error, unknown, range } = usage;
  const labels = useMemo(() => usageLabels(service), [service]);
  const sort = orderOf(state.sort, { hasCostCentre: brand.endShowUsageCostCentre });
  return (
    <>
      <PageHead
        title={t('title')}
        tools={
          <>
            <PrintUsage filter={usage.listed} sort={sort} />
            <DownloadUsage
              filter={usage.listed}
              sort={sort}
              serviceName={service?.name ?? t('filter.service.all')}
              onRefused={setRefused}
            />
          </>
        }
      />
      {refused !== undefined && (
        <Banner tone="danger" onClose={() => setRefused(undefined)}>
          {t('download.failed', { reason: refused })}
        </Banner>
      )}
      <UsageFilters usage={usage} labels={labels} />
      {error ? (
        <SectionError level={2} requestId={error.requestId} onRetry={error.retry} />
      ) : unknown.length > 0 ? (
        <Unknown names={unknown} usage={usage} />
      ) : range === undefined ? (
        <EmptyState level={2} icon="clock" title={t('dates.title')}>
          {t('dates.why')}
        </EmptyState>
      ) : (
        <Records
          usage={usage}
          labels={labels}
          range={range}
          sort={sort}
          size={remembered.isLoading ? undefined : pageSizeOf(state.size, remembered.value)}
          state={state}
          onState={(next) => {
            if (next.size !== undefined && next.size !== state.size) remembered.choose(() => next.size);
            setState(next);
          }}
        />
      )}
    </>
  );
}

/** The URL names things this customer does not have. They are given up, the rest stays. */
function Unknown({ names, usage }: { readonly names: readonly NamedThing[]; readonly usage: Usage }) {
  const without = Object.fromEntries(names.map((name) => [name, undefined]));
  const words = names.map((name) => t(`unknown.${name}`));
  return (
    <EmptyState
      level={2}
      icon="search"
      title={t('unknown.title')}
      action={
        <Button onClick={() => usage.choose(without)}>{t('unknown.clear', { count: names.length })}</Button>
      }
    >
      {t('unknown.why', { names: new Intl.ListFormat(readerLocale()).format(words) })}
    </EmptyState>
  );
}
