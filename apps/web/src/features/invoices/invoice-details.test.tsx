import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { pdfName } from '../../shared/invoices/invoice-pdf.ts';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { invoiceOf, lineOf } from '../../shared/invoices/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { pageRows } from '../../ui/data/grid/grid-model.ts';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Facts, SumBelow, SumCards } from './invoice-details.tsx';
import { detailsText, discrepancyTexts, priceText, sumLines, sumOfCards } from './invoice-figures.ts';
import { dayDistance } from './invoice-head.tsx';
import { initialUsageSort, usageColumns, usageFileName } from './lines/usage-tab.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const textOf = (element: React.ReactNode): string =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

describe('details of an invoice', () => {
  it('show number, customer, dates [portal.invoice-detail.field.{number,customer,date,due-date}]', () => {
    const text = textOf(<Facts invoice={invoiceOf()} label="Invoice" />);
    expect(text).toBe(
      'Invoice number INV-20431 Customer name Harbour & Finch Invoice date 11.05.2026 Due date 12.05.2026 Period October 2026',
    );
  });
  it("a missing due date is '-' [portal.invoice-detail.text.due-date-missing]", () => {
    expect(textOf(<Facts invoice={invoiceOf({ dateDue: null })} label="Invoice" />)).toContain('Due date -');
  });
  it('three cards, each with 2 decimals: Subtotal + Tax = Invoice Amount [portal.invoice-detail.field.card.*]', () => {
    expect(textOf(<SumCards invoice={invoiceOf()} />)).toBe(
      'Subtotal $1,167.42 Tax $116.74 Invoice Amount $1,284.16',
    );
    expect(textOf(<SumCards invoice={invoiceOf({ subtotal: 1, tax: 0 })} />)).toContain(
      'Subtotal $1.00 Tax $0.00',
    );
    // Exactly: 0.1 + 0.2.
    expect(sumOfCards({ subtotal: 0.1, tax: 0.2, currency: 'USD' })).toBe('0.30');
  });
  it('rounding, prepaid, payments and credits stand below, down to the amount due [decisions.1.rounding-line, decisions.1.prepaid-line, decisions.1.amount-due-line]', () => {
    expect(sumLines(invoiceOf())).toEqual([]);
    const invoice = invoiceOf({
      rounding: -0.02,
      prepaid: 10,
      paidAmount: 5,
      creditedAmount: 1,
      amountDue: 94,
    });
    expect(textOf(<SumBelow invoice={invoice} />)).toBe(
      'Rounding −$0.02 Prepaid −$10.00 Payments −$5.00 Credits −$1.00 Amount due $94.00',
    );
  });
  it('the breadcrumb reads Invoices / {number} [portal.invoice-detail.control.back, portal.invoice-detail.text.breadcrumb]', () => {
    const markup = renderToStaticMarkup(
      <Breadcrumb parent={{ label: 'Invoices', href: '/invoices' }} current="INV-20431" />,
    );
    expect(markup).toContain('Back to Invoices');
    expect(textOf(<Breadcrumb parent={{ label: 'Invoices', href: '/invoices' }} current="INV-20431" />)).toBe(
      // The stroke between them is drawn: 'Invoices / INV-20431'.
      'Invoices INV-20431',
    );
  });
  it('says where figures do not add up', () => {
    const invoice = invoiceOf({
      discrepancies: [
        { kind: 'linesVsSubtotal', lineNo: null, expected: 90, stated: 100 },
        { kind: 'lineAmount', lineNo: 3, expected: 1, stated: 2 },
      ],
    });
    expect(discrepancyTexts(invoice)).toEqual([
      'The lines add up to $90.00; the subtotal says $100.00.',
      'Line 3: quantity times price is $1.00; the line says $2.00.',
    ]);
  });
});

describe('lines', () => {
  it('usage prices have 4 decimals, others 2, with their points under one another', () => {
    expect(priceText(lineOf(), 'USD')).toBe('$32.50\u2007\u2007');
    expect(priceText(lineOf({ price: 1.1, unit: 'GB' }), 'USD')).toBe('$1.1000');
    expect(priceText(lineOf({ price: 0.0125 }), 'USD')).toBe('$0.0125');
    expect(priceText(lineOf({ price: 96, unit: 'MON' }), 'USD')).toBe('$96.00\u2007\u2007');
  });
  it('details tell what, for which number, in which time', () => {
    expect(detailsText(lineOf())).toBe('20 services, 11.01.2026 – 11.30.2026');
    expect(detailsText(lineOf({ details: '', serviceItem: '0491 570 313', dateTo: null }))).toBe(
      '0491 570 313',
    );
    expect(detailsText(lineOf({ details: 'x', baseQuantity: 100, dateFrom: null }))).toBe('x, price per 100');
  });
});

describe('the usage of an invoice', () => {
  const row = (serviceItem: string, invoiceTotal: number) => ({
    serviceItem,
    service: 'Voice',
    recordType: 'National',
    quantity: 1,
    unit: null,
    invoiceAmount: invoiceTotal,
    invoiceTax: 0,
    invoiceTotal,
  });
  const rows = Array.from({ length: 30 }, (_, i) => row(String(30 - i), i));
  it('is sorted by its first column at first, ascending, and paged [portal.invoice-detail.{usage-sortable,usage-paged,usage-initial-sort}]', () => {
    const columns = usageColumns('USD');
    expect([initialUsageSort.sort?.column, initialUsageSort.sort?.direction]).toEqual([
      columns[0]?.id,
      'asc',
    ]);
    const page = pageRows(
      rows,
      columns,
      { ...initialUsageSort, page: 2 },
      { mode: 'client', size: 25 },
      'en',
    );
    expect([page.rows.map(({ serviceItem }) => serviceItem), page.total]).toEqual([
      ['26', '27', '28', '29', '30'],
      30,
    ]);
    expect(columns.every(({ sortable }) => sortable !== false)).toBe(true);
  });
  it('is saved as {number}_usage.csv [portal.format.constant.csv-invoice-usage, portal.format.constant.invoice-pdf]', () => {
    expect(usageFileName('INV-1')).toBe('INV-1_usage.csv');
    expect(usageFileName('2026/17')).toBe('2026_17_usage.csv');
    expect(pdfName('INV-1')).toBe('invoice_INV-1.pdf');
  });
});

describe('loading', () => {
  it('asks for an invoice only if it is not already held [portal.invoice-detail.loaded-once]', async () => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
    const held = invoiceOf();
    const query = invoiceQueries.detail('i-1');
    client.setQueryData(query.queryKey, held);
    await expect(client.fetchQuery(query)).resolves.toBe(held);
  });
  it('a payment lets go of all that is held of invoices', async () => {
    for (const { queryKey } of [
      invoiceQueries.page({}),
      invoiceQueries.detail('i'),
      invoiceQueries.lineUsage('l', 1, 25),
    ])
      expect(queryKey[0]).toBe(invoiceQueries.all[0]);
  });
});

describe('the due date', () => {
  it('is told in days from today in the brand’s time zone [decisions.5.zone-due-dates]', () => {
    const now = new Date('2026-11-21T23:30:00Z');
    expect(dayDistance('2026-12-05', 'UTC', now)).toBe('in 14 days');
    expect(dayDistance('2026-12-05', 'Australia/Sydney', now)).toBe('in 13 days');
    expect(dayDistance('2026-11-21', 'UTC', now)).toBe('today');
  });
});
