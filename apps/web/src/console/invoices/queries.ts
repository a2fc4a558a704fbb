import type {
  AdminInvoice,
  AdminInvoiceDetail,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type { EInvoiceReport } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

const path = '/v1/admin/invoices';
const ofInvoice = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** What the list is narrowed by. */
export interface InvoiceFilter {
  readonly customer?: string;
  readonly number?: string;
  readonly status?: AdminInvoice['status'];
}

export const invoiceQueries = {
  list: (filter: InvoiceFilter) =>
    infiniteQueryOptions({
      queryKey: ['invoices', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<AdminInvoice>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['invoice', id],
      queryFn: ({ signal }) => consoleApi.get<AdminInvoiceDetail>(ofInvoice(id), { signal }),
      staleTime: 0,
    }),
  eInvoice: (id: string) =>
    queryOptions({
      queryKey: ['invoice', id, 'e-invoice'],
      queryFn: ({ signal }) => consoleApi.get<EInvoiceReport>(`${ofInvoice(id)}/e-invoice`, { signal }),
      staleTime: 0,
    }),
};

/** What can be done about an invoice, with the reason why. */
export type InvoiceAct = 'dispute' | 'void' | 'reopen';

export const actOnInvoice = (id: string, act: InvoiceAct, note: string) =>
  consoleApi.post<AdminInvoice>(`${ofInvoice(id)}/${act}`, { note });

/** What the customer is shown: the provider's own document, or the one that is made here. */
export const fetchPdf = (id: string) => consoleApi.file(`${ofInvoice(id)}/pdf`);

/** @throws {ApiError} invoice.noEInvoice where a rule keeps it back */
export const fetchEInvoice = (id: string, form: 'ubl' | 'facturX') =>
  consoleApi.file(`${ofInvoice(id)}/e-invoice/${form === 'ubl' ? 'ubl' : 'factur-x'}`);
