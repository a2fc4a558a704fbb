import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePreference } from '../../lib/preferences.ts';
import { EditDialog } from '../../shared/service-items/edit-dialog.tsx';
import { itemColumns } from '../../shared/service-items/item-columns.tsx';
import { serviceItemQueries } from '../../shared/service-items/queries.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridState } from '../../ui/data/grid/grid-types.ts';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { AllocationFilters } from './allocation-filters.tsx';
import { AllocationSelection } from './allocation-selection.tsx';
import { allChosen, type ChosenItems, chosenBy, selectedOf, withSaved } from './chosen-items.ts';
import { t } from './messages.ts';
import { SetDialog } from './set-dialog.tsx';
import type { Allocation } from './use-allocation.ts';
import type { Notice } from './use-undo.ts';

interface AllocationTabProps {
  readonly allocation: Allocation;
  readonly state: GridState;
  readonly onState: (state: GridState) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** Service items with what they are allocated to: edited one by one, or many at once. */
export function AllocationTab({ allocation, state, onState, onNotice }: AllocationTabProps) {
  const { list, error, isFiltered, setFilters, mixed, isShown } = allocation;
  const { rows } = list;
  const [edited, setEdited] = useState<ServiceItem>();
  const [chosen, setChosen] = useState<ChosenItems>(new Map());
  const [isChoosing, setChoosing] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const columns = useMemo(() => itemColumns(t('filter.serviceItem'), setEdited, mixed), [mixed]);
  const costCentres = useQuery({
    ...serviceItemQueries.costCentres(),
    enabled: edited !== undefined || isSetting,
  });
  const known = costCentres.data ?? [];
  const selected = selectedOf(chosen, rows, isShown);
  const paper = useMemo(() => ({ rows: list.onPaper, where: t('paper.rest') }), [list.onPaper]);
  const chooseAll = async () => {
    setChoosing(true);
    try {
      setChosen(allChosen(await allocation.every()));
    } catch {
      // The query has told it.
    } finally {
      setChoosing(false);
    }
  };
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
        paging={list.paging}
        stale={list.stale}
        paper={paper}
        selection={{
          selected,
          onChange: (ids) => setChosen(chosenBy(ids, chosen, rows)),
          canSelect: () => true,
          all: 'page',
          rowLabel: (item) => t('select.row', { item: item.serviceItem }),
          allLabel: t('select.allLabel'),
        }}
        toolbar={
          // It stands there while rows are on their way, so that nothing moves when they come.
          error === undefined &&
          rows?.length !== 0 && (
            <AllocationSelection
              count={selected.size}
              of={list.stale ? 0 : (list.total ?? 0)}
              choosing={isChoosing}
              onAll={() => void chooseAll()}
              onNone={() => setChosen(new Map())}
              onSet={() => setSetting(true)}
            />
          )
        }
        error={error}
        empty={
          isFiltered && allocation.services?.length !== 0 ? (
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
          onSaved={(saved) => setChosen((before) => withSaved(before, saved))}
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
            setChosen(new Map());
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
