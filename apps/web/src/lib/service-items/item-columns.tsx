import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { Button } from '../../ui/button.tsx';
import type { GridColumn } from '../../ui/grid/grid-types.ts';
import { t } from './messages.ts';

/**
 * Item, description, cost centre, and a button that opens the item.
 * @param label the brand's or the service's word for an item
 */
export const itemColumns = (
  label: string,
  onEdit: (item: ServiceItem) => void,
): readonly GridColumn<ServiceItem>[] => [
  { id: 'serviceItem', label, type: 'text', value: (item) => item.serviceItem, card: 'lead' },
  {
    id: 'description',
    label: t('description'),
    type: 'text',
    value: (item) => item.description,
    muted: (item) => item.description === null,
    card: 'when',
  },
  {
    id: 'costCentre',
    label: t('costCentre'),
    type: 'text',
    value: (item) => item.costCentre,
    muted: (item) => item.costCentre === null,
    card: 'rest',
    cardLabel: t('costCentre'),
  },
  {
    id: 'edit',
    label: t('edit'),
    type: 'text',
    value: () => null,
    cell: (item) => (
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('edit.item', { item: item.serviceItem })}
        onClick={() => onEdit(item)}
      >
        {t('edit')}
      </Button>
    ),
    width: '7rem',
    sortable: false,
    card: 'state',
  },
];
