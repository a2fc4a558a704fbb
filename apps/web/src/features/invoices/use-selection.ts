import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Page } from '../../lib/api/calls.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { tabStorage } from '../../lib/session/tab-storage.ts';
import { invoiceList, invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { createSelectionStore } from '../../shared/invoices/selection-store.ts';
import { changed, type Selection, selectionOf } from './selection.ts';

/** What is chosen over all pages, remembered by the tab. @param rows of the page shown */
export function useSelection(
  rows: readonly Invoice[] | undefined,
): readonly [Selection, (next: ReadonlySet<string>) => void] {
  const { customer, brand } = usePortal();
  const client = useQueryClient();
  const customerId = customer?.customerId ?? '';
  const store = useMemo(() => createSelectionStore(tabStorage(), customerId), [customerId]);
  const [ids, setIds] = useState(store.load);
  const elsewhere = useMemo(() => {
    const here = new Set(rows?.map(({ id }) => id));
    return [...ids].filter((id) => !here.has(id));
  }, [ids, rows]);
  const { data: others } = useQuery({
    ...invoiceQueries.chosen(elsewhere),
    enabled: rows !== undefined && elsewhere.length > 0,
    placeholderData: () => seenOf(client, elsewhere),
  });
  const isWhole = elsewhere.length === 0 || others !== undefined;
  const all = useMemo(
    () => [...(rows ?? []), ...(elsewhere.length === 0 ? [] : (others ?? []))],
    [rows, elsewhere, others],
  );
  const selection = useMemo(() => selectionOf(all, ids, brand.currency), [all, ids, brand.currency]);
  const change = useCallback(
    (next: ReadonlySet<string>) => {
      const known = changed(selection, next, all, brand.currency);
      // Those that are still on their way stay chosen, unless nothing is to be.
      const admitted = isWhole || next.size === 0 ? known : new Set([...known, ...elsewhere]);
      store.save(admitted);
      setIds(admitted);
    },
    [selection, all, isWhole, elsewhere, brand.currency, store],
  );
  return [selection, change];
}

/** The invoices as pages that were shown had them; undefined where one is on none of these. */
function seenOf(client: QueryClient, ids: readonly string[]): readonly Invoice[] | undefined {
  const pages = client.getQueriesData<Page<Invoice>>({ queryKey: invoiceList.key });
  const seen = new Map(pages.flatMap(([, page]) => page?.data ?? []).map((invoice) => [invoice.id, invoice]));
  const found = ids.flatMap((id) => seen.get(id) ?? []);
  return found.length === ids.length ? found : undefined;
}
