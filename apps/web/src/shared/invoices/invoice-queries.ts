import type { Invoice, InvoiceDetail, InvoiceOverview } from '@counterfoil/contract/invoices.ts';
import { invoiceOrders, LIST_IDS_MAX } from '@counterfoil/contract/list-orders.ts';
import type { EInvoiceForm } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import type { UsagePage } from '@counterfoil/contract/usage.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { type ListQuery, type ListSource, listPage, listQuery } from '../../lib/lists/list-page.ts';
import type { GridState } from '../../ui/data/grid/grid-types.ts';

export type { EInvoiceForm } from '@counterfoil/contract/operator/billing/e-invoices.ts';

/** How often a page looks again while a payment on it is being confirmed, by the bank or by its payer. */
const CONFIRMING_LOOK_MS = 5_000;

const isConfirming = ({ state, waitsForPayer }: Invoice): boolean =>
  state === 'beingConfirmed' || waitsForPayer;

/** When a page is looked at again. */
export const lookAgain = (rows: readonly Invoice[]): number | false =>
  rows.some(isConfirming) ? CONFIRMING_LOOK_MS : false;

const CHOSEN_KEPT_MS = 600_000;

/** Of invoices with more, the lines are read by the page. */
const FEW_LINES = 200;

const pathOf = (id: string): string => `/v1/ec/invoice/${encodeURIComponent(id)}`;

/** The list, by the page. */
export const invoiceList: ListSource = {
  key: ['invoices', 'list'],
  path: '/v1/ec/invoices',
  orders: invoiceOrders,
};

/** The latest first, as the list begins. */
export const latestFirst: Pick<GridState, 'sort'> = { sort: { column: 'dateInvoice', direction: 'desc' } };
export const firstPage: ListQuery = listQuery({ ...latestFirst, page: 1 }, invoiceOrders);

/** As many of the latest as a look at the whole needs, for who has very many. */
export const LATEST_INVOICES = 500;
export const latestPage: ListQuery = { ...firstPage, limit: LATEST_INVOICES };

/** What the server holds about invoices. Loaded once; a payment invalidates `all`. */
export const invoiceQueries = {
  all: ['invoices'] as const,
  /** A page of the list. */
  page: (query: ListQuery) => listPage<Invoice>(invoiceList, query, lookAgain),
  /** All of them in a few sums. */
  overview: () =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'overview'],
      queryFn: ({ signal }) => api.get<InvoiceOverview>('/v1/ec/invoices/overview', { signal }),
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && (data.confirming > 0 || data.offersPay > data.payable)
          ? CONFIRMING_LOOK_MS
          : false,
    }),
  /** Those that were chosen, wherever they stand in the list. */
  chosen: (ids: readonly string[]) =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'chosen', ids],
      queryFn: async ({ signal }): Promise<readonly Invoice[]> => {
        const found: Invoice[] = [];
        for (let from = 0; from < ids.length; from += LIST_IDS_MAX) {
          const query = { ids: ids.slice(from, from + LIST_IDS_MAX).join(','), limit: LIST_IDS_MAX };
          found.push(...(await api.getPage<Invoice>(invoiceList.path, { signal, query })).data);
        }
        return found;
      },
      gcTime: CHOSEN_KEPT_MS,
    }),
  /** One invoice, with lines and usage where it has few lines; null when the customer has none of that id. */
  detail: (id: string) =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'detail', id],
      queryFn: ({ signal }) =>
        api
          .get<InvoiceDetail>(pathOf(id), { signal, query: { linesMost: FEW_LINES } })
          .catch((error: unknown) => {
            if (isUnknown(error)) return null;
            throw error;
          }),
      refetchInterval: ({ state }) => (state.data && isConfirming(state.data) ? CONFIRMING_LOOK_MS : false),
    }),
  /** The lines of an invoice that has many. */
  lines: (id: string): ListSource => ({
    key: [...invoiceQueries.all, 'lines', id],
    path: `${pathOf(id)}/lines`,
    orders: [],
  }),
  /** The usage of an invoice that has many lines. */
  usage: (id: string) =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'usage', id],
      queryFn: async ({ signal }) =>
        (await api.get<InvoiceDetail>(pathOf(id), { signal, query: { only: 'usage' } })).usage,
    }),
  /** The forms in which it can be had as data. */
  eInvoices: (id: string) =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'e-invoices', id],
      queryFn: ({ signal }) => api.get<readonly EInvoiceForm[]>(`${pathOf(id)}/e-invoices`, { signal }),
    }),
  /** A page of the records one line billed; pages are counted from 1. */
  lineUsage: (invoiceLine: string, pageNumber: number, pageSize: number) =>
    queryOptions({
      queryKey: [...invoiceQueries.all, 'line-usage', invoiceLine, pageNumber, pageSize],
      queryFn: ({ signal }) =>
        api.get<UsagePage>('/v1/ec/usage', { signal, query: { invoiceLine, pageNumber, pageSize } }),
    }),
};

/** An id that does not exist and one that is no id are the same to a reader. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/** The invoice as a PDF. */
export const fetchInvoicePdf = (id: string) => api.file(`/v1/ec/invoices/${encodeURIComponent(id)}`);

const eInvoiceFiles: Readonly<Record<EInvoiceForm, string>> = {
  ubl: 'e-invoice.xml',
  facturX: 'factur-x.pdf',
};

/** The invoice as data. */
export const fetchEInvoice = (id: string, form: EInvoiceForm) =>
  api.file(`${pathOf(id)}/${eInvoiceFiles[form]}`);

/** The usage of an invoice as CSV. */
export const fetchInvoiceUsage = (id: string) => api.file(`${pathOf(id)}/usage.csv`);
