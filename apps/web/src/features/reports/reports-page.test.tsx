import { ExportType, type Report, type ReportJob } from '@counterfoil/contract/reports.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { areasIn, isAreaEnabled } from '../../lib/area.ts';
import { errorBanner } from '../../lib/error-banner.ts';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { area } from './area.ts';
import { reportQueries } from './queries.ts';
import ReportsPage from './reports-page.tsx';

const portal = {
  brand: { name: 'Northline', timeZone: 'UTC' },
  settings: { invoiceLabelSingular: 'Invoice' },
} as unknown as Portal;
const report = (over: Partial<Report> = {}): Report => ({
  id: 'invoice-details',
  name: 'Invoice Details',
  exportTypeId: ExportType.CSV,
  isStandard: true,
  parameters: [{ name: 'DateRange', required: true }],
  ...over,
});
const job = (over: Partial<ReportJob>): ReportJob => ({
  id: 'j',
  status: 30,
  path: 'token',
  name: 'Calls',
  fileName: 'Report Calls.csv',
  rows: 1200,
  createdAt: '2026-11-22T10:00:00.000Z',
  finishedAt: '2026-11-22T10:01:00.000Z',
  expiresAt: '2026-11-29T10:01:00.000Z',
  sizeBytes: 2_048,
  ...over,
});

/** The page, drawn from what is held. */
async function pageOf(reports: readonly Report[], jobs: readonly ReportJob[] = []): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(reportQueries.list().queryKey, reports);
  client.setQueryData(reportQueries.jobs().queryKey, jobs);
  const router = createRouter({
    routeTree: createRootRoute({ component: ReportsPage }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
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
const generateButtons = (markup: string) =>
  [...markup.matchAll(/aria-label="(Generate [^"]*)"/g)].map(([, name]) => name);

describe('the Reports page', () => {
  it('lists the reports in the server’s order, each with its format, what it asks for, and Generate [portal.reports.screen.page, portal.reports.text.title]', async () => {
    const other = report({
      id: 'usage',
      name: 'Usage',
      exportTypeId: ExportType.XLSX,
      isStandard: false,
      parameters: [
        { name: 'DateRange', required: true },
        { name: 'InvoiceId', required: false },
      ],
    });
    const markup = await pageOf([report(), other, report({ id: 'x', name: 'Totals', parameters: [] })]);
    expect(markup).toMatch(/<h1[^>]*>Reports<\/h1>/);
    expect(generateButtons(markup)).toEqual([
      'Generate Invoice Details',
      'Generate Usage',
      'Generate Totals',
    ]);
    expect(textOf(markup)).toContain('Invoice Details CSV By dates Generate');
    expect(textOf(markup)).toContain('Usage XLSX By dates and invoice Generate');
    expect(textOf(markup)).toContain('Totals CSV Needs nothing from you Generate');
    expect(textOf(markup)).toContain('No report was generated yet');
  });

  it('shows 25 reports a page [portal.grid.page-size.constant.reports]', async () => {
    const many = Array.from({ length: 26 }, (_, at) => report({ id: `r${at}`, name: `Report ${at}` }));
    const markup = await pageOf(many);
    expect(generateButtons(markup)).toHaveLength(25);
    expect(textOf(markup)).toContain('1–25 of 26');
    expect(generateButtons(await pageOf(many.slice(0, 25)))).toHaveLength(25);
  });

  it('the job list shows state, when, size, and Download for what is ready', async () => {
    const markup = await pageOf(
      [report()],
      [
        job({ id: '1', status: 20, path: null, sizeBytes: null, expiresAt: null, name: 'Running' }),
        job({ id: '2' }),
        job({ id: '3', status: 40, path: null, name: 'Broken' }),
        job({ id: '4', path: null, name: 'Old' }),
      ],
    );
    const rows = [...markup.matchAll(/<tr.*?<\/tr>/g)].map(([row]) => textOf(row));
    expect(rows[1]).toMatch(/Running, CSV .* – .*Generating/);
    expect(rows[2]).toMatch(/Calls, CSV 11\.22\.2026 10:00.* 1,200 2 KB .*11\.29\.2026 Ready Download/);
    expect(rows[3]).toMatch(/Broken, CSV .*Failed/);
    expect(rows[4]).toMatch(/Old, CSV .*Expired/);
    expect(markup.match(/aria-label="Download [^"]*"/g)).toEqual(['aria-label="Download Report Calls.csv"']);
  });
});

it('looks every two seconds while a job is unfinished, and not otherwise', () => {
  const { refetchInterval } = reportQueries.jobs();
  if (typeof refetchInterval !== 'function') throw new Error('depends on the jobs');
  const interval = (jobs: readonly ReportJob[] | undefined) =>
    refetchInterval({ state: { data: jobs } } as Parameters<typeof refetchInterval>[0]);
  expect(interval([job({}), job({ status: 10, path: null })])).toBe(2_000);
  expect(interval([job({}), job({ status: 40, path: null })])).toBe(false);
  expect(interval(undefined)).toBe(false);
});

it('exists, and stands in the menu, only where the brand shows reports [portal.brand.field.endShowReports, portal.route.screen.reports, portal.shell.control.menu.reports]', () => {
  const portalWith = (endShowReports: boolean) =>
    ({
      brand: { endShowReports },
      me: { needsSecondFactor: false, passwordExpiresAt: null },
    }) as unknown as Portal;
  expect(isAreaEnabled(area, portalWith(true))).toBe(true);
  expect(areasIn('menu', [area], portalWith(true)).map(({ path, label }) => [path, label(portal)])).toEqual([
    ['/reports', 'Reports'],
  ]);
  expect(isAreaEnabled(area, portalWith(false))).toBe(false);
  expect(areasIn('menu', [area], portalWith(false))).toEqual([]);
});

it('a failure of loading the reports is logged and raises the generic error [portal.reports.error.load-failure]', async () => {
  const logged = vi.fn();
  vi.stubGlobal('reportError', logged);
  const fault = new Error('no answer');
  const queryFn = () => Promise.reject(fault);
  const client = createQueryClient();
  // A look at the jobs that fails is made up for by the next.
  await client.fetchQuery({ ...reportQueries.jobs(), queryFn }).catch(() => undefined);
  expect(errorBanner.isShown()).toBe(false);
  await client.fetchQuery({ ...reportQueries.list(), queryFn }).catch(() => undefined);
  expect(errorBanner.isShown()).toBe(true);
  expect(logged).toHaveBeenCalledExactlyOnceWith(fault);
  errorBanner.close();
});
