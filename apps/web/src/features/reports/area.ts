import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';
import { reportQueries } from './queries.ts';

/** Reports: what can be generated, and what was (specification, portal §2). */
export const area = defineArea({
  path: '/reports',
  label: () => t('title'),
  flag: 'endShowReports',
  menu: 5,
  landing: 5,
  page: () => import('./reports-page.tsx'),
  preload: ({ client }) => {
    void client.prefetchQuery(reportQueries.list());
    void client.prefetchQuery(reportQueries.jobs());
  },
});
