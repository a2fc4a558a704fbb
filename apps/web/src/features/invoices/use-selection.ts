import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useCallback, useMemo, useState } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { tabStorage } from '../../lib/session/tab-storage.ts';
import { createSelectionStore } from '../../shared/invoices/selection-store.ts';
import { changed, type Selection, selectionOf } from './selection.ts';

const none: readonly Invoice[] = [];

/** What is chosen of the list, remembered by the tab. */
export function useSelection(
  list: readonly Invoice[] | undefined,
): readonly [Selection, (next: ReadonlySet<string>) => void] {
  const { customer, brand } = usePortal();
  const customerId = customer?.customerId ?? '';
  const store = useMemo(() => createSelectionStore(tabStorage(), customerId), [customerId]);
  const [ids, setIds] = useState(store.load);
  const all = list ?? none;
  const selection = useMemo(() => selectionOf(all, ids, brand.currency), [all, ids, brand.currency]);
  const change = useCallback(
    (next: ReadonlySet<string>) => {
      const admitted = changed(selection, next, all, brand.currency);
      store.save(admitted);
      setIds(admitted);
    },
    [selection, all, brand.currency, store],
  );
  return [selection, change];
}
