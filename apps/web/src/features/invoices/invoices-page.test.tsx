import type { Invoice, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { preferencesQuery } from '../../lib/preferences.ts';
import { tabStorage } from '../../lib/session/tab-storage.ts';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { overviewOf } from '../../shared/invoices/overview-of.ts';
import { createSelectionStore } from '../../shared/invoices/selection-store.ts';
import { holdInvoices, invoiceOf } from '../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import InvoicesPage from './invoices-page.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));
const store = createSelectionStore(tabStorage(), 'c-1');
beforeEach(() => store.save(new Set()));

const settled = { amountDue: 0, paid: true, status: 11, state: 'paid', canPay: false } as const;
const paid = invoiceOf({ id: 'c', number: 'INV-3', ...settled });
const list = [
  invoiceOf({ id: 'a', number: 'INV-1', amountDue: 100.1 }),
  invoiceOf({ id: 'b', number: 'INV-2', amountDue: 23.35, state: 'overdue' }),
  paid,
  invoiceOf({ id: 'd', number: 'INV-4', amountDue: 9, currency: 'EUR' }),
];

interface Options {
  readonly bulk?: boolean;
  readonly paymentType?: number;
  readonly enabled?: boolean;
  readonly invoices?: readonly Invoice[];
  readonly overview?: InvoiceOverview;
}

async function pageOf(options: Options = {}) {
  const { bulk = true, paymentType = 1, enabled = true, invoices = list } = options;
  const client = new QueryClient();
  holdInvoices(client, invoices);
  if (options.overview) client.setQueryData(invoiceQueries.overview().queryKey, options.overview);
  client.setQueryData(preferencesQuery().queryKey, {});
  const portal = {
    customer: { customerId: 'c-1' },
    brand: { name: 'Northline', currency: 'USD' },
    settings: {
      invoiceLabelSingular: 'Invoice',
      invoiceLabelPlural: 'Invoices',
      payments: { enabled, bulk, paymentType },
    },
  } as unknown as Portal;
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/invoices', component: InvoicesPage });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/invoices'] }),
  });
  await router.load();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PortalContext value={portal}>
        <RouterProvider router={router as never} />
      </PortalContext>
    </QueryClientProvider>,
  );
  const text = markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const boxes = [...markup.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([tag]) => tag);
  const columns = markup.match(/<col[ />]/g)?.length;
  return { markup, text, columns, boxes: boxes.filter((tag) => tag.includes('Select')) };
}
const labels = (boxes: readonly string[]) => boxes.map((tag) => /aria-label="([^"]*)"/.exec(tag)?.[1]);

describe('the invoices grid', () => {
  it('has a checkbox column only when bulk pay is enabled; rows that cannot be paid have none [portal.invoices.control.column.checkbox]', async () => {
    expect(labels((await pageOf()).boxes)).toEqual([
      'Select all payable invoices on this page',
      'Select INV-1',
      'Select INV-2',
      'Select INV-4',
    ]);
    const without = await pageOf({ bulk: false });
    expect(without.boxes).toEqual([]);
    expect(without.text).not.toContain('together');
  });
  it.each([
    ['no gateway is set up', { paymentType: 0 }],
    ['payments are off', { enabled: false }],
    ['bulk pay is off', { bulk: false }],
  ] as const)('keeps no place for checkboxes nor for a bar where %s', async (_why, options) => {
    const unpayable = list.map((invoice) => ({ ...invoice, canPay: false }));
    const { boxes, columns, text } = await pageOf({ ...options, invoices: unpayable });
    expect(boxes).toEqual([]);
    expect(columns).toBe(6);
    expect(text).not.toMatch(/Select|Nothing/);
    expect((await pageOf()).columns).toBe(7);
  });
  it.each<[string, readonly Invoice[]]>([
    ['Nothing is due', [paid, invoiceOf({ ...paid, id: 'v', state: 'void', status: 13, paid: false })]],
    [
      'Nothing else is due while payments are being confirmed',
      [paid, invoiceOf({ id: 'x', state: 'beingConfirmed', canPay: false })],
    ],
    [
      'Nothing can be paid at the moment',
      [paid, invoiceOf({ id: 'x', state: 'disputed', status: 14, canPay: false })],
    ],
  ])('says why there is nothing to choose, without a column for it: %s', async (sentence, invoices) => {
    const { boxes, columns, text } = await pageOf({ invoices });
    expect(text).toMatch(new RegExp(` ${sentence} (?!at|while)`));
    expect([boxes, columns]).toEqual([[], 6]);
  });
  it('has a bar with the sum of the selection, Deselect all and Pay [portal.invoices.control.pay-selection, portal.invoices.control.deselect-all]', async () => {
    store.save(new Set(['a', 'b']));
    const { text, boxes } = await pageOf();
    expect(text).toContain('2 selected, $123.45');
    expect(text).toMatch(/Deselect all\s+Pay/);
    expect(labels(boxes.filter((tag) => tag.includes('checked')))).toEqual([
      'Select all payable invoices on this page',
      'Select INV-1',
      'Select INV-2',
    ]);
  });
  it('keeps the place of the bar while nothing is selected, and pays all overdue at once', async () => {
    const { text } = await pageOf();
    expect(text).toContain('Select invoices to pay them together');
    expect(text).toContain('Pay all overdue, $23.35');
    expect(text).not.toContain('Deselect all');
  });
  it('says how many it pays at once of more, and what these come to', async () => {
    const many = Array.from({ length: 3 }, (_, n) =>
      invoiceOf({ id: `o${n}`, amountDue: 10, state: 'overdue' }),
    );
    const overview = overviewOf(many);
    const [sums] = overview.currencies;
    if (sums === undefined) throw new Error('no sums');
    const together = { ...sums, payableOverdueTogether: { count: 2, amount: 20 } };
    const { text } = await pageOf({ invoices: many, overview: { ...overview, currencies: [together] } });
    expect(text).toContain('Pay the 2 overdue longest, $20.00');
    expect(text).not.toContain('Pay all overdue');
  });
  it('says why an invoice in another currency cannot be added', async () => {
    store.save(new Set(['a']));
    const { text, boxes } = await pageOf();
    expect(boxes.at(-1)).toMatch(/aria-disabled="true"/);
    expect(boxes.at(-1)).toContain('In EUR: it cannot be paid together with invoices in USD');
    expect(text).toContain('Invoices in EUR are paid separately');
  });
  it('Pay of a row leads to bulk pay with bulk enabled, else to its pay page [decisions.6.row-pay-bulk]', async () => {
    expect((await pageOf()).markup).not.toContain('href="/pay/');
    expect((await pageOf({ bulk: false })).markup).toContain('href="/pay/token"');
  });
  it('says of a payment that waits for its payer that it does, with Pay and no checkbox', async () => {
    const over = { number: 'INV-5', state: 'beingConfirmed', canPay: false } as const;
    const waiting = [invoiceOf({ ...over, state: 'open', waitsForPayer: true })];
    const bulk = await pageOf({ invoices: waiting });
    expect(bulk.text).toMatch(/Pay\s+Waiting for you/);
    expect(bulk.text).not.toContain('Being confirmed');
    expect(bulk.text).toContain('A payment waits for you: Pay starts it again');
    expect(bulk.markup).toMatch(/<button[^>]*aria-describedby="invoice-i-1"/);
    expect(labels(bulk.boxes)).not.toContain('Select INV-5');
    expect((await pageOf({ invoices: waiting, bulk: false })).markup).toContain('href="/pay/token"');
    const confirming = await pageOf({ invoices: [invoiceOf(over)], bulk: false });
    expect(confirming.text).toContain('Being confirmed');
    expect(confirming.markup).not.toContain('href="/pay/token"');
  });
});
