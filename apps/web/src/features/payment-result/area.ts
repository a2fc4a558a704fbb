import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';

/** Where the bank sends a signed-in payer back to (specification, payments §2). Not for those sent nowhere. */
export const area = defineArea({
  path: '/payment-result',
  label: () => t('title'),
  within: '/invoices',
  page: () => import('./payment-result-page.tsx'),
});
