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
import { listPage } from '../../lib/lists/list-page.ts';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { preferencesQuery } from '../../lib/preferences.ts';
import { agreementsQuery } from '../../lib/values/agreements.ts';
import { itemChoice, serviceItemList, serviceItemQueries } from '../../shared/service-items/queries.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { MOST_LISTED } from '../../ui/fields/combo-box-model.ts';
import { usageQueries } from './queries.ts';
import UsagePage from './usage-page.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const voice = '018cc251-f400-7000-a214-68d18aa0fdf7';
const portal = {
  brand: { name: 'Northline', endShowUsageCostCentre: true, endShowInvoices: true },
  settings: { invoiceLabelSingular: 'Invoice' },
  me: {},
} as unknown as Portal;
const service = {
  id: voice,
  name: 'Voice',
  serviceItemLabel: 'Calling number',
  serviceItem2Label: 'Called number',
  serviceItem3Label: null,
  unitsLabel: 'Minutes',
  recordTypeLabel: null,
};
const filter = { dateFrom: '2026-02-01', dateTo: '2026-02-28', service: voice };
const address = '/usage?timeframe=dates&from=2026-02-01&to=2026-02-28';
const sums = (over: object) => ({
  records: 1204,
  units: 16.5,
  price: 1234.56785,
  range: { start: '2026-02-01', end: '2026-02-28' },
  days: [
    { day: '2026-02-03', records: 1200, units: 10, price: 1000 },
    { day: '2026-02-04', records: 4, units: 6.5, price: 234.56785 },
  ],
  byUnit: [{ unit: null, records: 1204, units: 16.5, price: 1234.56785 }],
  archived: null,
  ...over,
});
const record = {
  id: 'u-1',
  date: '2026-02-04T03:40:09.000Z',
  serviceItemName: '0491 571 266',
  units: 2.5,
  serviceItemDescription: null,
  serviceItem2: '1800 975 711',
  serviceItem3: '',
  siteName: null,
  price: 0.03165,
  recordType: 'Toll free',
  costCentre: null,
  unit: null,
  billedBy: { invoiceId: 'i-1', invoiceNumber: 'INV-7', invoiceLineId: 'l-1' },
};

/** The page at an address, drawn from what is held; what is not is loading. */
async function pageAt(to: string, summary: object | undefined, pageNumber = 1): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(serviceItemQueries.services().queryKey, [service]);
  client.setQueryData(agreementsQuery().queryKey, []);
  client.setQueryData(listPage(serviceItemList, { ...itemChoice(voice), limit: MOST_LISTED }).queryKey, {
    data: [],
    totalCount: 0,
  });
  client.setQueryData(usageQueries.recordTypes().queryKey, []);
  client.setQueryData(preferencesQuery().queryKey, {});
  if (summary !== undefined) {
    client.setQueryData(usageQueries.summary(filter).queryKey, sums(summary) as never);
    const sort = { order: 'date', orderDirection: 'desc', pageNumber, pageSize: 100 } as const;
    client.setQueryData(usageQueries.page({ ...filter, ...sort }).queryKey, {
      endUsageDetails: [record],
      totalCount: 1204,
      first: (pageNumber - 1) * 100 + 1,
    });
  }
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/usage', component: UsagePage });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [to] }),
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

describe('the usage page', () => {
  it('has totals of the whole filter, its days, and records numbered across pages', async () => {
    const markup = await pageAt(`${address}&page=13`, {}, 13);
    const text = textOf(markup);
    expect(text).toContain('02.01.2026 – 02.28.2026. Days and times are UTC.');
    expect(text).toContain('Records 1,204 Minutes 16.5 Price $1,234.5679');
    expect(text).toContain('1,201 02.04.2026 03:40:09 0491 571 266');
    expect(markup.match(/role="option"/g)).toHaveLength(28);
    expect(markup).toContain('aria-label="02.03.2026: 1,200 records, $1,000.0000"');
    expect(markup).toMatch(/<a(?=[^>]*href="\/invoices\/i-1\?records=l-1")[^>]*title="Invoice INV-7"/);
  });

  it('has the totals of a day that is chosen, and the way back', async () => {
    const text = textOf(await pageAt(`${address}&only=2026-02-04`, {}));
    expect(text).toContain('Records 4 Minutes 6.5 Price $234.5679');
    expect(text).toContain('Only 02.04.2026: 4 records, $234.5679 Show whole timeframe');
  });

  it('has the units apart by what they are: nothing is added to something else', async () => {
    const of = (unit: string | null, units: number) => ({ unit, records: 602, units, price: 0 });
    const totalOf = async (...byUnit: object[]) =>
      textOf(await pageAt(address, { byUnit })).match(/Minutes (.*?) Price \$1,234/)?.[1];
    expect(await totalOf(of('second', 16.5))).toBe('0:00:17');
    expect(await totalOf(of('second', 3_661), of('megabyte', 2_048), of('message', 1))).toBe(
      '1:01:01 2,048 MB 1 message',
    );
    expect(textOf(await pageAt(`${address}&only=2026-02-04`, { byUnit: [of('second', 16.5)] }))).toContain(
      'Records 4 Minutes 0:00:07 Price',
    );
    const several = textOf(
      await pageAt(`${address}&only=2026-02-04`, { byUnit: [of('second', 1), of('byte', 2)] }),
    );
    expect(several).not.toMatch(/Minutes (6\.5|0:00:0)/);
  });

  it('says what is archived, and only where something is', async () => {
    const archived = { records: 1, units: 2, price: 0.5 };
    expect(textOf(await pageAt(address, { archived }))).toContain(
      '1 further record of this timeframe, $0.5000 in all, is archived and not listed here.',
    );
    expect(textOf(await pageAt(address, {}))).not.toContain('archived');
  });

  it('stands with headings and labels while it is loading', async () => {
    const text = textOf(await pageAt(address, undefined));
    for (const word of ['Records per day', 'Minutes', 'Calling number', 'Called number', 'Download Usage'])
      expect(text).toContain(word);
  });

  it('shows nothing rather than something else where its address names what is not there', async () => {
    const markup = await pageAt(`${address}&service=${voice}&connection=x&type=y`, {});
    expect(textOf(markup)).toContain(
      'The connection and record type it names may belong to another customer',
    );
    expect(markup).not.toContain('role="option"');
  });
});
