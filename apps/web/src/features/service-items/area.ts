import { defineArea } from '../../lib/area.ts';
import { firstItems } from '../../shared/service-items/queries.ts';
import { t } from './messages.ts';

/** Service items of the brand's service (specification, portal §2). */
export const area = defineArea({
  path: '/service-items',
  label: () => t('menu'),
  flag: 'endShowServiceItem',
  menu: 7,
  landing: 7,
  page: () => import('./service-items-page.tsx'),
  preload: ({ client, portal }) => void client.prefetchQuery(firstItems(portal.brand.endServiceId)),
});
