import type { InvoiceLine } from '@counterfoil/contract/invoices.ts';
import { LIST_PAGE_MAX } from '@counterfoil/contract/paging.ts';
import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { addDays, dayOfUtcMs, isDay } from '@counterfoil/domain/time/day.ts';
import { startOfDay } from '@counterfoil/domain/time/time-zone.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listPage } from '../../../lib/lists/list-page.ts';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { serviceItemList } from '../../../shared/service-items/queries.ts';
import { buttonClass } from '../../../ui/fields/button.tsx';
import { t } from '../messages.ts';

type Line = Pick<InvoiceLine, 'dateFrom' | 'dateTo' | 'serviceItem'>;

/**
 * The usage page's filter for the days and the service item of a line. Its days are those of the brand, the page's are
 * UTC: the first and the last that hold an instant of them.
 * @param items undefined: not loaded
 * @returns undefined for a line without days
 */
export function usageSearch(
  { dateFrom, dateTo, serviceItem }: Line,
  timeZone: string,
  items: readonly Pick<ServiceItem, 'id' | 'serviceId' | 'serviceItem'>[] | undefined,
): Readonly<Record<string, string>> | undefined {
  if (dateFrom === null || dateTo === null || !isDay(dateFrom) || !isDay(dateTo)) return undefined;
  const item = items?.find((one) => one.serviceItem === serviceItem);
  return {
    timeframe: 'dates',
    from: dayOfUtcMs(startOfDay(dateFrom, timeZone).getTime()),
    to: dayOfUtcMs(startOfDay(addDays(dateTo, 1), timeZone).getTime() - 1),
    ...(item ? { service: item.serviceId, connection: item.id } : { service: 'all' }),
  };
}

/** Leads from the records of a line to the usage page, where they can be searched and sorted. */
export function LineUsageLink({ line }: { readonly line: Line }) {
  const { brand } = usePortal();
  const items = useQuery({
    ...listPage<ServiceItem>(serviceItemList, { serviceItem: line.serviceItem, limit: LIST_PAGE_MAX }),
    enabled: brand.endShowUsage && line.serviceItem !== '',
    meta: { quiet: true },
  });
  const search = usageSearch(line, brand.timeZone, items.data?.data);
  if (!brand.endShowUsage || search === undefined) return null;
  return (
    <Link to="/usage" search={search as never} className={buttonClass({})}>
      {t('records.inUsage')}
    </Link>
  );
}
