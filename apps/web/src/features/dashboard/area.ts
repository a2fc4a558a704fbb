import { defineArea, type SignInPreload } from '../../lib/area.ts';
import { invoiceQueries, latestPage } from '../../shared/invoices/invoice-queries.ts';
import { t } from './messages.ts';
import { dashboardQueries } from './queries.ts';

/** What only some brands show. */
const asked = ({ client, portal: { brand } }: SignInPreload): Promise<void>[] => [
  ...(brand.endShowOpeningBalance ? [client.prefetchQuery(dashboardQueries.openingBalance())] : []),
  ...(brand.dataUsageChart ? [client.prefetchQuery(dashboardQueries.dataUsage())] : []),
];

const invoices = ({ client }: Pick<SignInPreload, 'client'>): Promise<void>[] => [
  client.prefetchQuery(invoiceQueries.overview()),
  client.prefetchQuery(invoiceQueries.page(latestPage)),
];

/** What is due, the latest invoices, and how much has been used (specification, portal §2). */
export const area = defineArea({
  path: '/dashboard',
  label: () => t('title'),
  flag: 'endShowDashboard',
  menu: 1,
  landing: 1,
  page: () => import('./dashboard-page.tsx'),
  preload: (args) =>
    void Promise.all([
      ...invoices(args),
      args.client.prefetchQuery(dashboardQueries.credit()),
      ...asked(args),
      args.client.prefetchQuery(dashboardQueries.bundles()),
      args.client.prefetchQuery(dashboardQueries.nextBill()),
    ]),
  preloadAtSignIn: (args) => Promise.all([...invoices(args), ...asked(args)]),
});
