import type { Statement } from '@counterfoil/contract/statement.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { setBrandCurrency } from '../../text/format.ts';
import StatementPage from './statement-page.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));
beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z'), toFake: ['Date'] }));

const portal = {
  brand: { name: 'Northline', companyName: 'Northline', timeZone: 'UTC' },
  customer: { label: 'Harbour & Finch' },
  settings: { invoiceLabelSingular: 'Invoice' },
} as unknown as Portal;
const held: Statement = {
  dateFrom: '2026-08-22',
  dateTo: '2026-11-22',
  currency: 'USD',
  currencies: ['USD'],
  opening: 0,
  entries: [],
  billed: 0,
  paidAndCredited: 0,
  closing: 0,
  ageing: {
    notDue: 0,
    days1To30: 12.5,
    days31To60: 0,
    days61To90: 0,
    over90: 0,
    total: 12.5,
    credit: 3,
  },
};

/** The page at an address, drawn from what is held for its span. */
async function pageOf(statement: Statement, address = '/statement', currency?: string): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(['statement', statement.dateFrom, statement.dateTo, currency], statement);
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/statement', component: StatementPage });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PortalContext value={portal}>
        <RouterProvider router={router as never} />
      </PortalContext>
    </QueryClientProvider>,
  );
}
const textOf = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

it('shows the last three months: balance, age of what is open, and that there are no entries', async () => {
  const markup = await pageOf(held);
  const text = textOf(markup);
  expect(text).toContain('Opening balance, 08.22.2026 $0.00');
  expect(text).toContain('Closing balance, 11.22.2026 $0.00');
  expect(text).toContain('1–30 days overdue $12.50');
  expect(text).toContain('Total $12.50 Unused credit $3.00');
  expect(text).toContain('There are no entries in this period');
  expect(text).toContain('Currency USD');
  expect(text).not.toContain('EUR');
});

it('links an invoice, keeps signs, and offers the currencies when there are several', async () => {
  const markup = await pageOf(
    {
      ...held,
      dateFrom: '2026-03-01',
      dateTo: '2026-03-31',
      currency: 'EUR',
      currencies: ['USD', 'EUR'],
      entries: [
        {
          kind: 'invoice',
          date: '2026-03-05',
          reference: 'INV-7',
          invoiceId: 'i-7',
          receiptOf: null,
          amount: 120,
          balance: 120,
        },
        {
          kind: 'payment',
          date: '2026-03-09',
          reference: 'P7',
          invoiceId: null,
          receiptOf: 'c-7',
          amount: -20,
          balance: 100,
        },
      ],
    },
    '/statement?from=2026-03-01&to=2026-03-31&currency=EUR',
    'EUR',
  );
  expect(markup).toMatch(/<a[^>]*href="\/invoices\/i-7"[^>]*>INV-7<\/a>/);
  expect(textOf(markup)).toMatch(/03\.09\.2026 Payment P7 Receipt P7 −EUR\s20\.00/);
  expect(textOf(markup)).toContain('Currency USD EUR');
});
