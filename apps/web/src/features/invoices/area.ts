import type { QueryClient } from '@tanstack/react-query';
import { defineArea } from '../../lib/area.ts';
import { firstPage, invoiceQueries } from '../../shared/invoices/invoice-queries.ts';

const preload = (client: QueryClient) =>
  Promise.all([
    client.prefetchQuery(invoiceQueries.page(firstPage)),
    client.prefetchQuery(invoiceQueries.overview()),
  ]);

/** Invoices and one invoice (specification, portal §2). */
export const area = defineArea({
  path: '/invoices',
  label: ({ settings }) => settings.invoiceLabelPlural,
  flag: 'endShowInvoices',
  menu: 2,
  landing: 2,
  page: () => import('./invoices-page.tsx'),
  preload: ({ client }) => void preload(client),
  preloadAtSignIn: ({ client }) => preload(client),
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
