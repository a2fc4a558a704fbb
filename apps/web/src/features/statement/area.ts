import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/**
 * The running account; in the Settings menu after the specified entries (decisions 4), where the brand shows invoices:
 * it lists them with what was paid.
 */
export const area = defineArea({
  path: '/statement',
  label: () => t('title'),
  flag: 'endShowInvoices',
  settings: 4,
  page: () => import('./statement-page.tsx'),
});
