import { defineArea } from '../../lib/area.ts';
import { agreementsQuery } from '../../lib/values/agreements.ts';
import { serviceItemQueries } from '../../shared/service-items/queries.ts';
import { t } from './messages.ts';

/** Single usage records (specification, portal §2). */
export const area = defineArea({
  path: '/usage',
  label: () => t('title'),
  flag: 'endShowUsage',
  menu: 4,
  landing: 3,
  page: () => import('./usage-page.tsx'),
  preload: ({ client }) => {
    void client.prefetchQuery(serviceItemQueries.services());
    void client.prefetchQuery(agreementsQuery());
  },
});
