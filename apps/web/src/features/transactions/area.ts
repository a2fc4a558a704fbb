import { defineArea } from '../../lib/area.ts';
import { t } from './messages.ts';
import { transactionQueries } from './queries.ts';

/** Transactions of a billing period (specification, portal §2). */
export const area = defineArea({
  path: '/transactions',
  label: () => t('title'),
  flag: 'endShowTransactions',
  menu: 3,
  landing: 4,
  page: () => import('./transactions-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(transactionQueries.agreements()),
});
