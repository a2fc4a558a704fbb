import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/** Change Password, the first entry of the Settings menu (specification, portal §2). */
export const area = defineArea({
  path: '/settings',
  label: () => t('title'),
  settings: 1,
  choosesPassword: true,
  page: () => import('./change-password-page.tsx'),
});
