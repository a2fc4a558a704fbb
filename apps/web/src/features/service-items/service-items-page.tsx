import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ListSearch, NothingFound } from '../../lib/lists/list-search.tsx';
import { usePagedList } from '../../lib/lists/use-paged-list.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { EditDialog } from '../../shared/service-items/edit-dialog.tsx';
import { itemColumns } from '../../shared/service-items/item-columns.tsx';
import { serviceItemList, serviceItemQueries } from '../../shared/service-items/queries.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { Grid } from '../../ui/data/grid/grid.tsx';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { t } from './messages.ts';

const filters = ['search'] as const;
const typed = { replace: true };

/** The customer's items of the brand's service, or of all services; each can be edited. */
export default function ServiceItemsPage() {
  const { brand } = usePortal();
  const title = brand.endServiceItemDisplayName;
  const [{ search }, choose] = useUrlParameters(filters, typed);
  const [state, setState] = useGridUrlState();
  const filter = { service: brand.endServiceId ?? undefined, search };
  const list = usePagedList<ServiceItem>({ source: serviceItemList, state, filter });
  const [edited, setEdited] = useState<ServiceItem>();
  const services = useQuery({
    ...serviceItemQueries.services(),
    enabled: brand.endServiceId === null,
    meta: { quiet: true },
  });
  // The same number may be an item of several services.
  const mixed = services.data !== undefined && services.data.length > 1 ? services.data : undefined;
  const columns = useMemo(() => itemColumns(title, setEdited, mixed), [title, mixed]);
  const { rows } = list;
  const paper = useMemo(() => ({ rows: list.onPaper }), [list.onPaper]);
  const known = useQuery({ ...serviceItemQueries.costCentres(), enabled: edited !== undefined }).data;
  useTitle(title, brand.name);
  const preference = usePreference('grid.service-items');
  return (
    <>
      <PageHead title={title} />
      <FilterBar>
        <ListSearch
          hint={t('search.hint')}
          value={search}
          total={list.stale ? undefined : list.total}
          onChange={(search) => choose({ search })}
        />
      </FilterBar>
      <Grid
        preference={preference}
        label={title}
        columns={columns}
        rows={rows}
        rowId={(item) => item.id}
        state={state}
        onState={setState}
        paging={list.paging}
        stale={list.stale}
        paper={paper}
        error={list.error}
        empty={
          search === undefined ? (
            <EmptyState level={2} title={t('empty')}>
              {t('emptyWhy')}
            </EmptyState>
          ) : (
            <NothingFound why={t('found.noneWhy')} onClear={() => choose({ search: undefined })} />
          )
        }
      />
      {edited && (
        <EditDialog
          title={t('edit.title', { name: title })}
          item={edited}
          known={known ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
