import { SERVICE_ITEM_TEXT_MAX, type ServiceItem } from '@counterfoil/contract/service-items.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { CostCentreInput } from './cost-centre-input.tsx';
import { t } from './messages.ts';
import { saveServiceItem } from './queries.ts';

interface EditDialogProps {
  readonly title: string;
  readonly item: ServiceItem;
  /** Cost centres in use, to choose from. */
  readonly known: readonly string[];
  /** Told the item as it is then. */
  readonly onSaved?: (item: ServiceItem) => void;
  readonly onClose: () => void;
}

/** What an emptied field is saved as (specification, portal §5). */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Description and cost centre of one item; Save closes it. */
export function EditDialog({ title, item, known, onSaved, onClose }: EditDialogProps) {
  const client = useQueryClient();
  const [description, setDescription] = useState(item.description ?? '');
  const [costCentre, setCostCentre] = useState(item.costCentre ?? '');
  const save = async () => {
    const saved = await saveServiceItem(client, item.id, {
      description: orNull(description),
      costCentre: orNull(costCentre),
    });
    onSaved?.(saved);
    onClose();
  };
  return (
    <FormDialog
      title={title}
      discard={t('discard')}
      act={t('save')}
      busyAct={t('saving')}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        <b>{item.serviceItem}</b>
      </p>
      <TextInput
        label={t('description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        maxLength={SERVICE_ITEM_TEXT_MAX}
        autoComplete="off"
      />
      <CostCentreInput value={costCentre} onChange={setCostCentre} known={known} />
    </FormDialog>
  );
}
