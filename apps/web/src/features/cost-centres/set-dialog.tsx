import { COST_CENTRE_ITEMS_MAX, type CostCentreChanged } from '@counterfoil/contract/cost-centres.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { CostCentreInput } from '../../shared/service-items/cost-centre-input.tsx';
import { orNull } from '../../shared/service-items/edit-dialog.tsx';
import { t } from './messages.ts';
import { allocateItems } from './queries.ts';

interface SetDialogProps {
  /** Ids of the chosen items; at most {@link COST_CENTRE_ITEMS_MAX}. */
  readonly ids: readonly string[];
  readonly known: readonly string[];
  readonly onDone: (changed: CostCentreChanged, costCentre: string | null) => void;
  readonly onClose: () => void;
}

/** One cost centre for many items. */
export function SetDialog({ ids, known, onDone, onClose }: SetDialogProps) {
  const client = useQueryClient();
  const [costCentre, setCostCentre] = useState('');
  const set = async () => {
    const value = orNull(costCentre);
    onDone(await allocateItems(client, { serviceItemIds: [...ids], costCentre: value }), value);
  };
  return (
    <FormDialog
      title={t('set.title')}
      discard={t('set.cancel')}
      act={t('set.act')}
      busyAct={t('set.busy')}
      onSubmit={set}
      onClose={onClose}
    >
      <p>{t('set.about', { count: ids.length })}</p>
      <CostCentreInput value={costCentre} onChange={setCostCentre} known={known} hint={t('set.hint')} />
    </FormDialog>
  );
}

/** Whether so many can be set at once. */
export const canSet = (count: number): boolean => count <= COST_CENTRE_ITEMS_MAX;
