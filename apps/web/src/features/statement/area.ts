import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/** The running account; in the Settings menu after the specified entries (decisions 4). */
export const area = defineArea({
  path: '/statement',
  label: () => t('title'),
  settings: 4,
  page: () => import('./statement-page.tsx'),
});
