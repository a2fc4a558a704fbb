import type { Invoice, InvoiceDetail, InvoiceLine } from '@counterfoil/contract/invoices.ts';
import type { QueryClient } from '@tanstack/react-query';
import { firstPage, invoiceQueries, latestPage } from './invoice-queries.ts';
import { overviewOf } from './overview-of.ts';

/** An open invoice; a test states only what matters to it. */
export const invoiceOf = (over: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  id: 'i-1',
  kind: 'invoice',
  number: 'INV-20431',
  amount: 1284.16,
  amountDue: 1284.16,
  subtotal: 1167.42,
  tax: 116.74,
  total: 1284.16,
  rounding: 0,
  prepaid: 0,
  paidAmount: 0,
  creditedAmount: 0,
  currency: 'USD',
  dateInvoice: '2026-11-05',
  dateDue: '2026-12-05',
  dateGenerated: '2026-11-05T00:00:00.000Z',
  periodLabel: 'October 2026',
  status: 10,
  state: 'open',
  paid: false,
  canPay: true,
  waitsForPayer: false,
  payToken: 'token',
  hasDiscrepancy: false,
  customer: { name: 'Harbour & Finch' },
  supplierName: 'Northline',
  costCentre: null,
  note: null,
  lines: [],
  usage: [],
  taxes: [],
  discrepancies: [],
  credits: [],
  payments: [],
  ...over,
});

export const lineOf = (over: Partial<InvoiceLine> = {}): InvoiceLine => ({
  id: 'l-1',
  lineNo: 1,
  kind: 'line',
  product: 'Business Mobile 20',
  details: '20 services',
  serviceItem: '',
  costCentre: null,
  dateFrom: '2026-11-01',
  dateTo: '2026-11-30',
  quantity: 20,
  unit: '',
  quantityUnit: null,
  price: 32.5,
  baseQuantity: 1,
  amount: 650,
  tax: 65,
  taxPercent: 10,
  usageRecords: 0,
  ...over,
});

/** As if the server had answered with these invoices, in this order. */
export function holdInvoices(client: QueryClient, invoices: readonly Invoice[]): void {
  const page = { data: invoices, totalCount: invoices.length };
  client.setQueryData(invoiceQueries.page(firstPage).queryKey, page);
  client.setQueryData(invoiceQueries.page(latestPage).queryKey, page);
  client.setQueryData(invoiceQueries.overview().queryKey, overviewOf(invoices));
}
