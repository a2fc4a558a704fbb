import type { KeyValueStorage } from '../../lib/session/session-store.ts';

/** What a tab remembers of a selection: it is there again after a look at an invoice, a visit at the bank, a reload. */
export interface SelectionStore {
  readonly load: () => ReadonlySet<string>;
  readonly save: (ids: ReadonlySet<string>) => void;
}

const key = 'counterfoil.selectedInvoices';

/** @param customerId whose invoices they are; another customer's selection is none */
export const createSelectionStore = (storage: KeyValueStorage, customerId: string): SelectionStore => ({
  load() {
    try {
      const kept = JSON.parse(storage.getItem(key) ?? 'null') as {
        customerId?: unknown;
        ids?: unknown;
      } | null;
      const isMine = kept?.customerId === customerId && Array.isArray(kept.ids);
      return new Set(isMine ? (kept.ids as unknown[]).filter((id) => typeof id === 'string') : []);
    } catch {
      return new Set();
    }
  },
  save: (ids) =>
    ids.size === 0
      ? storage.removeItem(key)
      : storage.setItem(key, JSON.stringify({ customerId, ids: [...ids] })),
});
