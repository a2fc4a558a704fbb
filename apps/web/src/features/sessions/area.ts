import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';
import { sessionQueries } from './queries.ts';

/** Where the user is signed in; in the Settings menu after the specified entries (decisions 4). */
export const area = defineArea({
  path: '/sessions',
  label: () => t('title'),
  settings: 2,
  page: () => import('./sessions-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(sessionQueries.list()),
});
