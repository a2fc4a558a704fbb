import { ExportType, type Report } from '@counterfoil/contract/reports.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { invoiceQueries, latestPage } from '../../shared/invoices/invoice-queries.ts';
import { invoiceOf } from '../../shared/invoices/test-support.ts';
import { GenerateDialog } from './generate-dialog.tsx';
import { reportQueries } from './queries.ts';
import type { RunState } from './report-run.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z'), toFake: ['Date'] }));

const portal = {
  brand: { timeZone: 'UTC' },
  settings: { invoiceLabelSingular: 'Bill' },
} as unknown as Portal;
const reportWith = (...parameters: Report['parameters']): Report => ({
  id: 'calls',
  name: 'Calls abroad',
  exportTypeId: ExportType.PDF,
  isStandard: false,
  parameters,
});
const [dates, service, invoice] = (['DateRange', 'ServiceId', 'InvoiceId'] as const).map((name) => ({
  optional: { name, required: false },
  required: { name, required: true },
}));
if (!dates || !service || !invoice) throw new Error('three parameters');

/** The dialog as it stands, with one service and one invoice to choose from. */
function dialogOf(report: Report, state: RunState = { phase: 'form' }): string {
  const client = new QueryClient();
  client.setQueryData(reportQueries.services().queryKey, [
    {
      id: 's-1',
      name: 'Voice',
      serviceItemLabel: null,
      serviceItem2Label: null,
      serviceItem3Label: null,
      unitsLabel: null,
      recordTypeLabel: null,
    },
  ]);
  client.setQueryData(invoiceQueries.page(latestPage).queryKey, { data: [invoiceOf()], totalCount: 1 });
  const run = {
    state: () => state,
    subscribe: () => () => undefined,
    generate: async () => undefined,
    leave: () => undefined,
  };
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PortalContext value={portal}>
        <GenerateDialog report={report} run={run} onClose={() => undefined} onEnd={() => undefined} />
      </PortalContext>
    </QueryClientProvider>,
  );
}
const textOf = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const buttons = (markup: string) =>
  [...markup.matchAll(/<button.*?<\/button>/g)].map(([button]) => textOf(button).trim());
const labels = (markup: string) =>
  [...markup.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, label = '']) => textOf(label).trim());

describe('the modal of a report', () => {
  it('is titled Generate {report name}, with Cancel and Generate [portal.reports.{screen.modal,text.modal-title,control.cancel,control.generate}]', () => {
    const markup = dialogOf(reportWith());
    expect(markup).toMatch(/<h2[^>]*>Generate Calls abroad<\/h2>/);
    expect(buttons(markup)).toEqual(['Cancel', 'Generate']);
  });

  it.each([
    [[], []],
    [[dates.required], ['From', 'To']],
    [[service.required], ['Service']],
    [[invoice.required], ['Bill']],
    [
      [dates.optional, service.optional, invoice.optional],
      ['From', 'To', 'Service', 'Bill'],
    ],
  ])(
    'shows a field only if the report declares it: %j [portal.reports.control.date-range, portal.reports.control.service, portal.reports.control.invoice]',
    (parameters, shown) => {
      expect(labels(dialogOf(reportWith(...parameters)))).toEqual([...shown, 'Format']);
    },
  );

  it('offers Default where a selector is not required, and a choice where it is [portal.reports.text.default-option]', () => {
    const optional = dialogOf(reportWith(service.optional, invoice.optional));
    expect(optional).toMatch(/<option value=""[^>]*>Default<\/option><option value="s-1">Voice</);
    expect(optional).toMatch(/id="report-invoice"[^>]*><span[^>]*>Default<\/span>/);
    const required = dialogOf(reportWith(service.required, invoice.required));
    expect(textOf(required)).not.toContain('Default');
    expect(required).toMatch(/<option value=""[^>]*>Choose a service…<\/option>/);
  });

  it('begins with the report’s own format, and last month where dates are required', () => {
    const markup = dialogOf(reportWith(dates.required));
    expect(markup).toMatch(/<option value="2" selected="">PDF/);
    expect([...markup.matchAll(/type="date"[^>]*value="([^"]*)"/g)].map(([, day]) => day)).toEqual([
      '2026-10-01',
      '2026-10-31',
    ]);
  });
});

describe('while generating', () => {
  const since = Date.parse('2026-11-22T09:59:48Z');
  it('fields and Cancel are disabled, the time and the file’s name are told', () => {
    const markup = dialogOf(reportWith(dates.required), { phase: 'waiting', since, id: '1' });
    expect(markup).toMatch(/<fieldset[^>]*disabled=""/);
    expect(markup).toMatch(/<button[^>]*disabled=""[^>]*>Cancel/);
    expect(markup).toMatch(/<button[^>]*aria-busy="true"[^>]*>.*Generating…/);
    expect(textOf(markup)).toContain('Generating, 12 seconds so far');
    expect(markup).toMatch(/role="status"[^>]*>Generating…/);
    expect(textOf(markup)).toContain('The file “Report Calls abroad.pdf” is saved as soon as it is ready');
  });

  it('offers Continue in background once the job has an id [decisions.1.control.report-background]', () => {
    const background = (state: RunState) =>
      dialogOf(reportWith(), state).match(/<button[^>]*>Continue in background<\/button>/)?.[0];
    expect(background({ phase: 'starting', since })).toContain('disabled=""');
    expect(background({ phase: 'waiting', since, id: '1' })).not.toContain('disabled');
    expect(background({ phase: 'form' })).toBeUndefined();
  });
});
