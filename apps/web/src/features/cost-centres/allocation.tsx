import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useMemo, useState } from 'react';
import { usePreference } from '../../lib/preferences.ts';
import { EditDialog } from '../../shared/service-items/edit-dialog.tsx';
import { knownCostCentres } from '../../shared/service-items/filter-items.ts';
import { itemColumns } from '../../shared/service-items/item-columns.tsx';
import { readerLocale } from '../../text/catalogue.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridState } from '../../ui/data/grid/grid-types.ts';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { AllocationFilters } from './allocation-filters.tsx';
import { AllocationSelection } from './allocation-selection.tsx';
import { t } from './messages.ts';
import { SetDialog } from './set-dialog.tsx';
import type { Allocation } from './use-allocation.ts';
import type { Notice } from './use-undo.ts';

const paper = { where: t('paper.rest') };
/** Given by the specification (portal §9). */
const paging = { mode: 'client', size: 25 } as const;

interface AllocationTabProps {
  readonly allocation: Allocation;
  readonly state: GridState;
  readonly onState: (state: GridState) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** Service items with what they are allocated to: edited one by one, or many at once. */
export function AllocationTab({ allocation, state, onState, onNotice }: AllocationTabProps) {
  const { items, rows, error, isFiltered, setFilters, mixed } = allocation;
  const [edited, setEdited] = useState<ServiceItem>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isSetting, setSetting] = useState(false);
  const columns = useMemo(() => itemColumns(t('filter.serviceItem'), setEdited, mixed), [mixed]);
  const known = useMemo(() => knownCostCentres(items ?? [], readerLocale()), [items]);
  // What a filter hides is not chosen any more: nothing is changed that cannot be seen.
  const selected = useMemo(
    () => new Set(rows?.filter(({ id }) => chosen.has(id)).map(({ id }) => id)),
    [rows, chosen],
  );
  const clear = () => setFilters({ serviceItem: undefined, description: undefined, costCentre: undefined });
  const preference = usePreference('grid.cost-centres');
  return (
    <>
      <AllocationFilters allocation={allocation} />
      <Grid
        preference={preference}
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={(item) => item.id}
        state={state}
        onState={onState}
        paging={paging}
        paper={paper}
        selection={{
          selected,
          onChange: setChosen,
          canSelect: () => true,
          rowLabel: (item) => t('select.row', { item: item.serviceItem }),
          allLabel: t('select.allLabel'),
        }}
        toolbar={
          // It stands there while rows are on their way, so that nothing moves when they come.
          error === undefined &&
          rows?.length !== 0 && (
            <AllocationSelection
              count={selected.size}
              of={rows?.length ?? 0}
              onAll={() => setChosen(new Set(rows?.map(({ id }) => id)))}
              onNone={() => setChosen(new Set())}
              onSet={() => setSetting(true)}
            />
          )
        }
        error={error}
        empty={
          isFiltered && items?.length !== 0 ? (
            <EmptyState
              level={2}
              icon="search"
              title={t('found.none')}
              action={<Button onClick={clear}>{t('found.clear')}</Button>}
            >
              {t('found.noneWhy')}
            </EmptyState>
          ) : (
            <EmptyState level={2} title={t('empty')}>
              {t('emptyWhy')}
            </EmptyState>
          )
        }
      />
      {edited && (
        <EditDialog
          title={t('edit.title')}
          item={edited}
          known={known}
          onClose={() => setEdited(undefined)}
        />
      )}
      {isSetting && (
        <SetDialog
          ids={[...selected]}
          known={known}
          onClose={() => setSetting(false)}
          onDone={({ changeId, changed }, costCentre) => {
            setSetting(false);
            setChosen(new Set());
            const text =
              costCentre === null
                ? t('set.cleared', { count: changed })
                : t('set.done', { count: changed, costCentre });
            onNotice({ tone: 'success', text, undo: changeId ?? undefined });
          }}
        />
      )}
    </>
  );
}
