import type { Service, ServiceItem } from '@counterfoil/contract/service-items.ts';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';

/**
 * Item, description, cost centre, and a button that opens the item.
 * @param label the brand's or the service's word for an item
 * @param services names each item's service, where items of several stand together: a number may be in each of them
 */
export const itemColumns = (
  label: string,
  onEdit: (item: ServiceItem) => void,
  services?: readonly Service[],
): readonly GridColumn<ServiceItem>[] => [
  { id: 'serviceItem', label, type: 'text', value: (item) => item.serviceItem, card: 'lead' },
  ...(services === undefined
    ? []
    : [
        {
          id: 'service',
          label: t('service'),
          type: 'text',
          value: (item: ServiceItem) => serviceNameOf(services, item),
          card: 'rest',
          cardLabel: t('service'),
        } as const,
      ]),
  {
    id: 'description',
    label: t('description'),
    type: 'text',
    value: (item) => item.description,
    shortens: true,
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
    cellState: 'none',
    width: '7rem',
    sortable: false,
    screenOnly: true,
    card: 'state',
  },
];

/** The name of an item's service; empty when it is not known. */
export const serviceNameOf = (services: readonly Service[], { serviceId }: ServiceItem): string =>
  services.find(({ id }) => id === serviceId)?.name ?? '';
