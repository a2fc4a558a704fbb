import { defineArea } from '../../lib/area.ts';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';

/** Invoices and one invoice (specification, portal §2). */
export const area = defineArea({
  path: '/invoices',
  label: ({ settings }) => settings.invoiceLabelPlural,
  flag: 'endShowInvoices',
  menu: 2,
  landing: 2,
  page: () => import('./invoices-page.tsx'),
  preload: ({ client }) => void client.prefetchQuery(invoiceQueries.list()),
  preloadAtSignIn: ({ client }) => client.prefetchQuery(invoiceQueries.list()),
  children: [
    {
      path: '$id',
      page: () => import('./invoice-page.tsx'),
      preload: ({ client, params }) => {
        if (params['id'] !== undefined) void client.prefetchQuery(invoiceQueries.detail(params['id']));
      },
    },
  ],
});
