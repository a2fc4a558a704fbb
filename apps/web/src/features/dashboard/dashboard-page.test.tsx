import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { holdInvoices, invoiceOf } from '../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import DashboardPage from './dashboard-page.tsx';
import { dashboardQueries } from './queries.ts';
import { usageBars } from './tiles/data-usage-tile.tsx';
import { lastBars, lineText } from './tiles/invoice-chart-tile.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const GB = 1024 ** 3;
const bill = (number: string, dateInvoice: string, amount: number) =>
  invoiceOf({ id: number, number, dateInvoice, dateGenerated: dateInvoice, amount, amountDue: amount });
const invoices = [
  bill('INV-7', '2026-11-05', 1284.16),
  bill('INV-6', '2026-10-05', 1212.45),
  bill('INV-5', '2026-09-05', 1198.75),
  bill('INV-4', '2026-08-05', 1174.02),
  bill('INV-3', '2026-07-05', 1201.33),
  bill('INV-2', '2026-06-05', 999.99),
  { ...bill('INV-1', '2026-11-06', 50), currency: 'EUR' },
];
const used = (percent: number) => ({
  productName: 'Shared data',
  serviceItem: null,
  quantity: 2000,
  unitLabel: 'GB',
  consumption: percent * 20,
});
const bundles = [
  {
    bundleName: 'Business Mobile 20',
    bundle_products: [used(93.7), { ...used(50), productName: 'Voice', serviceItem: '0491 570 156' }],
  },
];
const usage = ['Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'].map((periodLabel, index) => ({
  periodLabel,
  dataUsage: (index + 1) * 100 * GB,
}));
const nextBill = {
  asOf: '2026-11-22T10:00:00.000Z',
  currencies: [
    {
      currency: 'USD',
      dateFrom: '2026-11-01',
      dateTo: '2026-11-30',
      subtotal: 27,
      tax: 2.7,
      total: 29.7,
      charges: [6, 5, 7, 4, 3, 2].map((subtotal) => ({
        name: `Plan ${subtotal}`,
        lines: 1,
        subtotal,
        tax: 0,
        total: subtotal,
      })),
    },
  ],
  usage: [
    { service: 'Plan 7', records: 3, price: 7 },
    { service: 'Voice', records: 12, price: 1.5 },
  ],
};

interface Held {
  readonly invoices?: readonly Invoice[];
  readonly balance?: number;
  readonly usage?: readonly unknown[];
  readonly bundles?: readonly unknown[];
  readonly nextBill?: unknown;
  /** Something is on its way. */
  readonly loading?: boolean;
}

/** The page drawn from what is held; what is not is loading. */
async function page(held: Held, brand: Partial<Portal['brand']> = {}, bulk = false): Promise<string> {
  const portal = {
    brand: {
      name: 'Northline',
      currency: 'USD',
      currencySymbol: { symbol: '$' },
      timeZone: 'UTC',
      endShowInvoices: true,
      endShowOpeningBalance: true,
      dataUsageChart: true,
      ...brand,
    },
    settings: {
      invoiceLabelSingular: 'Invoice',
      invoiceLabelPlural: 'Invoices',
      payments: { enabled: true, bulk },
    },
  } as unknown as Portal;
  const client = new QueryClient();
  const hold = (key: readonly string[], data: unknown) =>
    data !== undefined && client.setQueryData(key, data);
  if (held.invoices !== undefined) holdInvoices(client, held.invoices);
  const { balance } = held;
  hold(dashboardQueries.openingBalance().queryKey, balance === undefined ? undefined : { balance });
  hold(dashboardQueries.dataUsage().queryKey, held.usage);
  hold(dashboardQueries.bundles().queryKey, held.bundles);
  hold(dashboardQueries.nextBill().queryKey, held.nextBill);
  hold(dashboardQueries.credit().queryKey, held.invoices && []);
  if (held.loading) {
    void client.fetchQuery({ ...dashboardQueries.bundles(), queryFn: () => new Promise<never>(() => {}) });
  }
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: '/dashboard', component: DashboardPage });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: ['/dashboard'] }),
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
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
/** The tile with that heading. */
function tile(markup: string, title: string): string {
  const sections = markup.split('<section').filter((part) => part.includes(`>${title}</h2>`));
  expect(sections, title).toHaveLength(1);
  return textOf(`<section${sections[0]}`);
}

const filled: Held = { invoices, balance: 1811.2, usage, bundles, nextBill };
const empty: Held = {
  invoices: [],
  balance: 0,
  usage: [],
  bundles: [],
  nextBill: { asOf: '2026-11-22T10:00:00.000Z', currencies: [], usage: [] },
};

describe('the dashboard', () => {
  it('consists of tiles: due, opening balance, recent, last five, summary, next bill, data, bundles, list [portal.dashboard.screen.page]', async () => {
    const markup = await page(filled);
    const headings = [...markup.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual([
      'Amount due',
      'Opening balance',
      'Recent Invoice',
      'Last 5 Invoices',
      'Summary',
      'Next bill',
      '4G WAN data consumption',
      'Business Mobile 20',
      'Invoices',
    ]);
  });
  it('begins with what is due in the brand’s currency, and names what is due in another', async () => {
    const due = tile(await page(filled), 'Amount due');
    expect(due).toContain('$7,070.70');
    expect(due).toContain('Also due: EUR 50.00');
    expect(due).toContain('Choose what to pay');
  });
  it('leads to the pay link of the only invoice that can be paid', async () => {
    const markup = await page({ ...filled, invoices: [bill('INV-1', '2026-11-05', 10)] });
    expect(markup).toMatch(/<a[^>]*href="\/pay\/token"[^>]*>Pay \$10\.00</);
  });
  it('leads to bulk pay with that invoice where bulk pay is enabled', async () => {
    const markup = await page({ ...filled, invoices: [bill('INV-1', '2026-11-05', 10)] }, {}, true);
    expect(markup).toMatch(/<button[^>]*>Pay \$10\.00</);
    expect(markup).not.toContain('href="/pay/token"');
  });
  it('shows the latest invoice with its PDF, and the two previous ones [portal.dashboard.{screen.recent,control.recent-download,constant.recent-previous}]', async () => {
    const recent = tile(await page(filled), 'Recent Invoice');
    expect(recent).toMatch(/INV-1 · 11\.06\.2026 EUR 50\.00 .*PDF INV-7 11\.05\.2026 \$1,284\.16/);
    expect(recent).toContain('INV-6');
    expect(recent).not.toContain('INV-5');
    expect((await page(filled)).split('<table')[0]).toContain('aria-label="PDF: Download invoice_INV-1.pdf"');
  });
  it('lists the invoices, each with an open and a download action [portal.dashboard.{screen.invoice-list,control.invoice-list-open,control.invoice-list-download}]', async () => {
    const markup = await page(filled);
    const list = markup.slice(markup.lastIndexOf('<table'));
    for (const { number } of invoices.slice(0, 3)) {
      expect(list).toMatch(new RegExp(`<a[^>]*href="/invoices/${number}"[^>]*>${number}</a>`));
      expect(list).toContain(`aria-label="PDF: Download invoice_${number}.pdf"`);
    }
  });
  it('opens the newest of those alike; the others stand in the menu of the row [decisions.5.duplicates-newest-opened, decisions.5.duplicates-others-in-menu]', async () => {
    const alike = [bill('INV-7', '2026-11-05', 0.1), { ...bill('INV-7', '2026-10-05', 0.2), id: 'older' }];
    const markup = await page({ ...filled, invoices: alike });
    const grid = markup.slice(markup.lastIndexOf('<table'));
    expect(grid).toContain('$0.30');
    const [row = '', menu = ''] = grid.split('popover="auto"');
    expect(row).toContain('href="/invoices/INV-7"');
    expect(row).toContain('aria-label="1 more with the number INV-7"');
    expect(menu).toContain('href="/invoices/older"');
  });
  it('sums the invoices up [portal.dashboard.screen.summary]', async () => {
    const summary = tile(await page(filled), 'Summary');
    expect(summary).toContain('Amount due (6) $7,070.70');
    expect(summary).toContain('In USD only; what is in EUR stands in the list.');
  });
  it('says what is not billed yet, and that it is not final [decisions.5.next-bill]', async () => {
    const next = tile(await page(filled), 'Next bill');
    expect(next).toContain('Not final');
    expect(next).toContain('Charges from 11.01.2026 to 11.30.2026');
    expect(next).toContain('Charged so far $29.70');
    // What a charge holds already is not named twice.
    expect(next).toMatch(/Plan 7, 3 records \$7\.00 .* not charged yet Voice, 12 records \$1\.50/);
    expect(next.match(/Plan 7/g)).toHaveLength(1);
  });
  it('says that it is loading, by a spinner and in words, and has every tile in its place [portal.dashboard.control.spinner]', async () => {
    const markup = await page({ loading: true });
    for (const title of ['Opening balance', 'Recent Invoice', 'Last 5 Invoices', 'Next bill', 'Invoices'])
      expect(markup).toContain(`>${title}</h2>`);
    const [head = ''] = markup.split('<section');
    expect(head).toMatch(/<span class="[^"]*spin[^"]*" aria-hidden="true">/);
    expect(head).toMatch(/role="status">Loading</);
    expect((await page(filled)).split('<section')[0]).not.toContain('Loading');
  });
});

describe('the opening balance', () => {
  it('stands there only if endShowOpeningBalance is on [portal.dashboard.screen.opening-balance, portal.dashboard.opening-balance-flag]', async () => {
    expect(await page(filled)).toContain('Opening balance');
    expect(await page(filled, { endShowOpeningBalance: false })).not.toContain('Opening balance');
  });
  it('has the currency symbol and 2 decimals, and 0.00 if there is none [portal.dashboard.opening-balance-format, portal.dashboard.text.opening-balance-none]', async () => {
    expect(tile(await page(filled), 'Opening balance')).toContain('$1,811.20 Owed at the start');
    expect(tile(await page(empty), 'Opening balance')).toContain('$0.00 Nothing was carried');
    expect(tile(await page({ ...empty, balance: -5 }), 'Opening balance')).toContain(
      '−$5.00 In your favour at the start',
    );
  });
});

it('a payment that waits for its payer leaves its invoice due, with Pay; one being confirmed has neither', async () => {
  const waiting = invoiceOf({ state: 'overdue', amountDue: 60, canPay: false, waitsForPayer: true });
  const markup = await page({ ...filled, invoices: [waiting] });
  expect(tile(markup, 'Amount due')).toMatch(/\$60\.00 \$60\.00 overdue since .* Pay \$60\.00/);
  expect(markup).toContain('href="/pay/token"');
  expect(tile(markup, 'Summary')).toContain('Overdue (1) $60.00 Amount due (1) $60.00');
  expect(textOf(markup)).toMatch(/^(?!.*eing confirmed).*Waiting for you/);
  const confirming = { ...waiting, state: 'beingConfirmed', waitsForPayer: false } as const;
  const after = await page({ ...filled, invoices: [confirming] });
  expect(tile(after, 'Amount due')).toMatch(/A payment is being confirmed\.$/);
});

describe('the chart of invoices', () => {
  it('has the last 5 of the brand’s currency, oldest first [decisions.5.currency-not-mixed-charts, portal.dashboard.{screen.invoice-chart,constant.invoice-chart-count}]', async () => {
    const bars = lastBars(invoices, 'USD');
    expect(bars.map(({ name }) => name)).toEqual([
      '07.05.2026',
      '08.05.2026',
      '09.05.2026',
      '10.05.2026',
      '11.05.2026',
    ]);
    const chart = tile(await page(filled), 'Last 5 Invoices');
    for (const { figure } of bars) expect(chart).toContain(figure);
    expect(chart).toContain('Show as table');
    expect(chart).toContain('In USD only; what is in EUR stands in the list.');
  });
  it("without invoices says 'There are no invoices yet' [portal.dashboard.text.invoice-chart-empty]", async () => {
    expect(tile(await page(empty), 'Last 5 Invoices')).toContain('There are no invoices yet');
  });
  it('has short figures beside its lines', () => {
    expect([1200, 0.25, 1_500_000].map((value) => lineText(value, '$'))).toEqual([
      '$1,200',
      '$0.25',
      '$1.5M',
    ]);
  });
});

describe('the chart of data', () => {
  it('is shown only where the reseller asks for it [portal.dashboard.constant.data-chart-reseller]', async () => {
    expect(await page(filled)).toContain('4G WAN data consumption');
    expect(await page(filled, { dataUsageChart: false })).not.toContain('4G WAN data consumption');
  });
  it('shows the latest 5 periods, each column labelled with its usage [portal.dashboard.{screen.data-chart,constant.data-chart-periods,data-chart-labels}]', async () => {
    expect(usageBars(usage).map(({ name, figure }) => [name, figure])).toEqual([
      ['Jul', '200 GB'],
      ['Aug', '300 GB'],
      ['Sep', '400 GB'],
      ['Oct', '500 GB'],
      ['Nov', '600 GB'],
    ]);
    const chart = tile(await page(filled), '4G WAN data consumption');
    for (const shown of ['Jul', '200 GB', 'Nov', '600 GB', '400 GB', '800 GB'])
      expect(chart).toContain(shown);
  });
  it("without any says 'There are no data yet' [portal.dashboard.text.data-chart-empty]", async () => {
    expect(tile(await page(empty), '4G WAN data consumption')).toContain('There are no data yet');
  });
});

describe('a bundle', () => {
  it('has its name, and each product with service item, quantity and unit, and progress [portal.dashboard.{screen.bundle,bundle-name,bundle-product,bundle-service-item,bundle-quantity,bundle-progress}]', async () => {
    const markup = await page(filled);
    const shown = tile(markup, 'Business Mobile 20');
    expect(shown).toContain('Shared data 1,874 of 2,000 GB 93% used, 126 GB left');
    expect(shown).toContain('Voice 0491 570 156 1,000 of 2,000 GB 1,000 GB left');
    expect(markup).toMatch(/role="progressbar" aria-label="Shared data"[^>]*aria-valuenow="94"/);
    expect(markup).toMatch(/--tile-min:11\.875rem/);
  });
});
