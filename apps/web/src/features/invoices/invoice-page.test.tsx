import type { InvoicePayment } from '@counterfoil/contract/invoices.ts';
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
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { invoiceOf, lineOf } from '../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import InvoicePage from './invoice-page.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const portal = {
  brand: { name: 'Northline' },
  settings: {
    invoiceLabelSingular: 'Invoice',
    invoiceLabelPlural: 'Invoices',
    companyName: 'Northline Ltd',
    payments: { enabled: true, bulk: true },
  },
} as unknown as Portal;
const held = invoiceOf({
  lines: [lineOf()],
  usage: [
    {
      serviceItem: '0491 570 313',
      service: 'Voice',
      recordType: 'National',
      quantity: 91.5,
      unit: 'second',
      invoiceAmount: 1.51,
      invoiceTax: 0.15,
      invoiceTotal: 1.66,
    },
  ],
});

/** The page at an address, drawn from what is held of the invoice. */
async function pageAt(address: string, invoice = held): Promise<string> {
  const client = new QueryClient();
  client.setQueryData(invoiceQueries.detail('i-1').queryKey, invoice);
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: '/invoices/$id', component: InvoicePage });
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
const tabs = (markup: string) =>
  [...markup.matchAll(/role="tab"[^>]*aria-selected="(\w+)"[^>]*>([^<]+)</g)].map(([, on, name]) => [
    name,
    on === 'true',
  ]);

describe('the page of an invoice', () => {
  it('opens with its details: tabs Details and Usage, number, sums, lines, View PDF [portal.invoice-detail.screen.page, portal.invoice-detail.control.tab.details]', async () => {
    const markup = await pageAt('/invoices/i-1');
    expect(tabs(markup)).toEqual([
      ['Details', true],
      ['Usage', false],
    ]);
    const text = textOf(markup);
    for (const shown of ['Invoice INV-20431', 'View PDF', 'Invoice Amount $1,284.16', 'Business Mobile 20'])
      expect(text).toContain(shown);
    expect(text).not.toContain('Download Usage');
  });
  it('offers the payment link of an open invoice, and none of a paid one', async () => {
    expect(textOf(await pageAt('/invoices/i-1'))).toContain('Payment link');
    const paid = invoiceOf({ status: 11, state: 'paid', paid: true, canPay: false, amountDue: 0 });
    expect(textOf(await pageAt('/invoices/i-1', paid))).not.toContain('Payment link');
  });
  it('has Pay where a payment waits for its payer, and says so; none while one is being confirmed', async () => {
    const over = { state: 'beingConfirmed', canPay: false } as const;
    const pay = />Pay<\/button>/;
    const waits = { state: 'overdue', canPay: false, waitsForPayer: true } as const;
    const waiting = await pageAt('/invoices/i-1', invoiceOf(waits));
    expect(textOf(waiting)).toMatch(/Overdue since 12\.05\.2026\s+Waiting for you/);
    expect(waiting).toMatch(pay);
    const confirming = await pageAt('/invoices/i-1', invoiceOf(over));
    expect(textOf(confirming)).toContain('Being confirmed');
    expect(confirming).not.toMatch(pay);
  });
  it('has the usage grid and Download Usage under its tab Usage [portal.invoice-detail.{control.tab.usage,screen.usage,control.download-usage}]', async () => {
    const markup = await pageAt('/invoices/i-1?tab=usage');
    expect(tabs(markup)).toEqual([
      ['Details', false],
      ['Usage', true],
    ]);
    const text = textOf(markup);
    for (const shown of ['Download Usage', '0491 570 313', 'Voice', 'National', '0:01:32', '$1.51', '$1.66'])
      expect(text).toContain(shown);
  });
});

describe('what became of a payment', () => {
  const payment: InvoicePayment = {
    kind: 'payment' as const,
    date: '2026-11-20',
    amount: 1284.16,
    inAll: 1300,
    fee: 15.84,
    reference: 'AB12',
    method: 'Visa ending 4242',
    receiptOf: 'c-1',
  };
  const back: InvoicePayment = { ...payment, date: '2026-11-22', receiptOf: null };

  it('a payment and its refund stand on the page, with day, method, reference and receipt', async () => {
    const payments = [payment, { ...back, kind: 'refund' as const, amount: 50, inAll: 50, fee: 0 }];
    const over = { state: 'paid', paid: true, canPay: false, amountDue: 0, paidAmount: 1284.16 } as const;
    const text = textOf(await pageAt('/invoices/i-1', invoiceOf({ ...over, payments })));
    expect(text).toContain(
      'Payment 11.20.2026 · Visa ending 4242 · $1,300.00 in all, of which fee $15.84 · AB12 Receipt AB12',
    );
    expect(text).toContain('Refund 11.22.2026 · Visa ending 4242 · AB12 −$50.00');
    expect(text).not.toContain('due again');
  });

  it('one that came back says why the invoice is due again; one that was received again does not', async () => {
    const returned = { ...back, kind: 'returned' } as const;
    const due = await pageAt('/invoices/i-1', invoiceOf({ payments: [payment, returned] }));
    expect(textOf(due)).toContain('A payment came back on 11.22.2026, so it is due again.');
    const payments = [payment, returned, { ...back, kind: 'restored' } as const];
    const settled = await pageAt('/invoices/i-1', invoiceOf({ amountDue: 0, state: 'paid', payments }));
    expect(textOf(settled)).not.toContain('due again');
  });

  it('says why there is no Pay while it is being confirmed or in dispute', async () => {
    const shown = (state: 'beingConfirmed' | 'disputed') =>
      pageAt('/invoices/i-1', invoiceOf({ state, canPay: false })).then(textOf);
    expect(await shown('beingConfirmed')).toContain('A payment is on its way. Please don’t pay again.');
    expect(await shown('disputed')).toContain(
      'It need not be paid while it is in dispute. Northline Ltd can tell you more.',
    );
  });
});
