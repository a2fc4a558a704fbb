import type { BrandSettings, PortalSettings } from '@counterfoil/contract/brand.ts';
import type { Bundle, NextBill } from '@counterfoil/contract/dashboard.ts';
import type { DrawDashboard } from '@counterfoil/contract/first-paint.ts';
import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import DashboardPage from '../../features/dashboard/dashboard-page.tsx';
import { dashboardQueries } from '../../features/dashboard/queries.ts';
import { setRuntimeConfig } from '../../lib/page/runtime-config.ts';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { invoiceQueries, latestPage } from '../../shared/invoices/invoice-queries.ts';
import { overviewOf } from '../../shared/invoices/overview-of.ts';
import { setReaderLocale } from '../../text/catalogue.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { Header } from '../header.tsx';
import styles from '../shell.module.css';

/**
 * The dashboard as a customer of a brand would see it, with sample data, for whoever edits the brand: the portal's own page,
 * drawn by the server and never sent to customers.
 */
export const draw: DrawDashboard = async (config, { locale, now }, settings) => {
  const { brand } = config;
  if (brand === null) return '';
  const portal = samplePortal(brand, settings);
  // The shell without what only a browser has: banners that come and go, and what is said while pages load.
  const root = createRootRoute({
    component: () => (
      <PortalContext value={portal}>
        <Header onSwitch={() => undefined} />
        <main className={styles.page}>
          <Outlet />
        </main>
      </PortalContext>
    ),
  });
  const dashboard = createRoute({ getParentRoute: () => root, path: '/dashboard', component: DashboardPage });
  const router = createRouter({
    routeTree: root.addChildren([dashboard]),
    history: createMemoryHistory({ initialEntries: ['/dashboard'] }),
  });
  await router.load();
  // Drawing is synchronous from here on: what it reads of this one reader is set before, and nobody else's comes between.
  setRuntimeConfig(config);
  setReaderLocale(locale);
  setBrandCurrency({
    code: brand.currency,
    symbol: brand.currencySymbol.symbol,
    digits: brand.moneyDigits,
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={sampleData(brand, new Date(now))}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
};

const customer = { id: 'sample', label: 'Harbour & Finch' };

const samplePortal = (brand: BrandSettings, settings: PortalSettings): Portal =>
  ({
    me: { email: 'ada@harbour.example', displayName: 'Ada Nakamura', customers: [customer] },
    customer,
    brand,
    settings,
    resellerName: brand.name,
    isSuperUser: false,
    actor: undefined,
  }) as unknown as Portal;

const amounts = [1284.16, 1212.45, 1198.75, 1174.02, 1201.33] as const;

function sampleData(brand: BrandSettings, now: Date): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const month = (back: number, day = 5) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, day)).toISOString().slice(0, 10);
  const invoices = amounts.map((amount, back) =>
    sampleInvoice(brand, `INV-${20_431 - back}`, amount, month(back), back > 1),
  );
  const bundles: readonly Bundle[] = [
    {
      bundleName: 'Business Mobile 20',
      bundle_products: [
        { productName: 'Shared data', serviceItem: null, quantity: 50, unitLabel: 'GB', consumption: 38 },
        {
          productName: 'National calls',
          serviceItem: null,
          quantity: 1000,
          unitLabel: 'min',
          consumption: 412,
        },
      ],
    },
  ];
  const sums = { subtotal: 540, tax: 54, total: 594 };
  const nextBill: NextBill = {
    asOf: now.toISOString(),
    currencies: [
      {
        currency: brand.currency,
        dateFrom: month(0, 1),
        dateTo: month(-1, 0),
        charges: [{ name: 'Business Mobile 20', lines: 12, ...sums }],
        ...sums,
      },
    ],
    usage: [{ service: 'Voice', records: 128, price: 14.2 }],
  };
  const latest = { data: invoices, totalCount: invoices.length };
  client.setQueryData(invoiceQueries.page(latestPage).queryKey, latest);
  client.setQueryData(invoiceQueries.overview().queryKey, overviewOf(invoices));
  client.setQueryData(dashboardQueries.openingBalance().queryKey, { balance: 612.45 });
  client.setQueryData(dashboardQueries.credit().queryKey, []);
  client.setQueryData(dashboardQueries.bundles().queryKey, bundles);
  client.setQueryData(dashboardQueries.nextBill().queryKey, nextBill);
  client.setQueryData(
    dashboardQueries.dataUsage().queryKey,
    amounts.map((amount, back) => ({ periodLabel: month(back).slice(0, 7), dataUsage: amount * 1024 ** 3 })),
  );
  return client;
}

function sampleInvoice(
  { currency }: BrandSettings,
  number: string,
  amount: number,
  issued: string,
  paid: boolean,
): Invoice {
  const due = `${issued.slice(0, 8)}28`;
  return {
    id: number,
    kind: 'invoice',
    number,
    amount,
    amountDue: paid ? 0 : amount,
    subtotal: amount,
    tax: 0,
    total: amount,
    rounding: 0,
    prepaid: 0,
    paidAmount: paid ? amount : 0,
    creditedAmount: 0,
    currency,
    dateInvoice: issued,
    dateDue: due,
    dateGenerated: `${issued}T00:00:00.000Z`,
    periodLabel: issued.slice(0, 7),
    status: paid ? 20 : 10,
    state: paid ? 'paid' : 'open',
    paid,
    canPay: !paid,
    waitsForPayer: false,
    payToken: paid ? null : 'preview',
    hasDiscrepancy: false,
    customer: { name: customer.label },
  } as Invoice;
}
