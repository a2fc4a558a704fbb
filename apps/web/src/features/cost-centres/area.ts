import { defineArea } from '../../lib/area.ts';
import { serviceItemQueries } from '../../shared/service-items/queries.ts';
import { t } from './messages.ts';

/** Cost centre allocation (specification, portal §2). */
export const area = defineArea({
  path: '/cost-centre',
  label: () => t('menu'),
  flag: 'endShowCostCentre',
  menu: 6,
  landing: 6,
  page: () => import('./cost-centres-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(serviceItemQueries.services()),
});
