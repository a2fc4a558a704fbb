import { defineArea } from '../../lib/area.ts';
import { isBulkEnabled } from '../../paying/bulk/use-bulk-pay.ts';
import { methodQueries } from '../../paying/methods/queries.ts';
import { t } from './messages.ts';

/** Paying several invoices at once (specification, payments §2). */
export const area = defineArea({
  path: '/bulk-pay',
  label: () => t('title.crumb'),
  isEnabled: isBulkEnabled,
  within: '/invoices',
  page: () => import('./bulk-pay-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(methodQueries.details()),
});
