import { bulkInvoice } from '@counterfoil/contract/operator/billing/put-invoice.ts';
import type * as z from 'zod/mini';
import type { BulkKind } from '../../bulk/bulk.ts';
import { type BulkRouteDeps, bulkRoute } from '../../bulk/bulk-route.ts';
import type { App } from '../../http/app-type.ts';
import type { InvoicePutDeps } from './put-invoice.ts';
import { putInvoices } from './put-invoices.ts';

type BulkInvoiceDeps = Omit<InvoicePutDeps, 'now'>;

/** Invoices by lines; a line is taken whatever state its invoice is in. */
export const bulkInvoices = (deps: BulkInvoiceDeps): BulkKind<z.output<typeof bulkInvoice>> => ({
  name: 'invoice',
  schemaOf: () => bulkInvoice,
  put: (tx, of, lines, now) =>
    putInvoices(
      tx,
      { ...deps, now },
      of,
      lines.map(({ reference: number, ...values }) => ({ number, values })),
    ),
});

/** Invoices in bulk, for a provider's programs. */
export function invoiceBulkRoutes(app: App, bulk: BulkRouteDeps, deps: BulkInvoiceDeps): void {
  bulkRoute(app, bulk, bulkInvoices(deps), {
    path: '/v1/admin/invoices/bulk',
    scope: 'invoices:write',
    tags: ['invoices of customers'],
    operationId: 'putInvoicesInBulk',
    summary: 'Takes in or corrects many invoices: a line in for each, a line out for each',
    line: 'Each line is the body of `putInvoice` with `reference`, its number, beside it; it is taken whatever state the invoice is in. One that does not fit into a line is sent by itself.\n\n```\n{"reference":"INV-1","customer":"C-1","issuedOn":"2026-03-01","currency":"NZD","lines":[{"name":"Fibre 300","price":"100.00","amount":"100.00"}],"subtotal":"100.00","total":"100.00","payable":"100.00"}\n```',
  });
}
