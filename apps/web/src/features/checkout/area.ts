import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/** Leads on to the payment provider's page, which is opened when somebody comes here and not when its address is read. */
export const area = defineArea({
  path: '/checkout',
  label: () => t('title'),
  within: '/invoices',
  page: () => import('./checkout-page.tsx'),
});
