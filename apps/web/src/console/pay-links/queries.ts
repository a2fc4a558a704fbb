import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type { AdminPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { ApiError } from '../../lib/api/api-error.ts';
import { type CursorPage, consoleApi, getCursorPage } from '../../lib/api/console-api.ts';
import { t } from './messages.ts';

/** What the list is narrowed by. */
export interface PayLinkFilter {
  readonly customer?: string;
  /** Number of an invoice. */
  readonly invoice?: string;
  readonly state?: AdminPayLink['state'];
}

/** A link with what a list knows a row by. */
export interface ListedLink extends AdminPayLink {
  readonly id: string;
}

export const payLinkQueries = {
  list: (filter: PayLinkFilter) =>
    infiniteQueryOptions({
      queryKey: ['pay-links', filter],
      queryFn: async ({ pageParam, signal }): Promise<CursorPage<ListedLink>> => {
        const query = { ...filter, limit: 50, cursor: pageParam };
        const { data, nextCursor } = await getCursorPage<AdminPayLink>('/v1/admin/pay-links', {
          query,
          signal,
        });
        return { data: data.map((link) => Object.assign({ id: link.invoiceId }, link)), nextCursor };
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
};

const ofInvoice = (id: string): string => `/v1/admin/invoices/${id}/pay-link`;

/** The link of an invoice; one is made where there is none that works. */
export const makePayLink = (invoiceId: string) => consoleApi.post<AdminPayLink>(ofInvoice(invoiceId), {});

/** The same by the invoice's number. @throws {ApiError} invoice.notFound where none has it */
export async function makePayLinkByNumber(number: string): Promise<AdminPayLink> {
  const { data } = await getCursorPage<AdminInvoice>('/v1/admin/invoices', {
    query: { number, kind: 'invoice', limit: 1 },
  });
  const [invoice] = data;
  if (invoice === undefined) throw new ApiError(404, 'invoice.notFound', t('new.unknown'));
  return makePayLink(invoice.id);
}

/** Another link in the place of the one there is. */
export const replacePayLink = (invoiceId: string, note: string) =>
  consoleApi.post<AdminPayLink>(ofInvoice(invoiceId), { replace: true, note });

export const endPayLink = (invoiceId: string) => consoleApi.delete<void>(ofInvoice(invoiceId));
