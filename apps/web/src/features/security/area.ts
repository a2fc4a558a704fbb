import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/** Security, after the specified entries of the Settings menu (decisions 4). */
export const area = defineArea({
  path: '/security',
  label: () => t('title'),
  settings: 3,
  beforeSecondFactor: true,
  page: () => import('./security-page.tsx'),
});
