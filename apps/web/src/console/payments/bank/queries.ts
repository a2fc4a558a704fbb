import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type { BankEntryDetail, BankEntryState } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { consoleApi, getCursorPage } from '../../../lib/api/console-api.ts';

const path = '/v1/admin/bank-entries';
const of = (id: string): string => `${path}/${encodeURIComponent(id)}`;

/** What the list is narrowed by. */
export interface EntryFilter {
  readonly state?: BankEntryState;
  /** Those that this import has brought. */
  readonly import?: string;
}

export const entryQueries = {
  list: (filter: EntryFilter) =>
    infiniteQueryOptions({
      queryKey: ['bankEntries', filter],
      queryFn: ({ pageParam, signal }) =>
        getCursorPage<BankEntryDetail>(path, { query: { ...filter, limit: 50, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['bankEntry', id],
      queryFn: ({ signal }) => consoleApi.get<BankEntryDetail>(of(id), { signal }),
      staleTime: 0,
    }),
};

/** To what an entry is booked. */
export interface Booking {
  readonly customer?: string;
  readonly invoices?: readonly string[];
  readonly payment?: string;
  readonly note?: string;
}

export const book = (id: string, booking: Booking) =>
  consoleApi.post<BankEntryDetail>(`${of(id)}/book`, booking);

export const dismiss = (id: string, note: string) =>
  consoleApi.post<BankEntryDetail>(`${of(id)}/dismiss`, { note });

export const reopen = (id: string, note: string) =>
  consoleApi.post<BankEntryDetail>(`${of(id)}/reopen`, { note });

/** Invoices of a number; several customers may have one each. */
export const invoicesNumbered = async (number: string, customer: string | undefined) =>
  (
    await getCursorPage<AdminInvoice>('/v1/admin/invoices', {
      query: { number, limit: 20, ...(customer !== undefined && { customer }) },
    })
  ).data;
