import { memoryStorage } from '../../lib/session/session-store.ts';

/** What the payer typed beside the card. The card never leaves the provider's fields. */
export interface PayDraft {
  readonly cardHolder: string;
  readonly email: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
}

export type DraftField = keyof PayDraft;

export const emptyDraft: PayDraft = {
  cardHolder: '',
  email: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  country: '',
};

export const draftFields = Object.keys(emptyDraft) as readonly DraftField[];

/** Keeps the draft while the payer is at the bank: the page is loaded anew on the way back. */
export interface DraftStore {
  readonly load: () => PayDraft | undefined;
  readonly save: (draft: PayDraft) => void;
  readonly clear: () => void;
}

/** @param storage of this tab only; it is emptied when the payment ends */
export function createDraftStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  uid: string,
): DraftStore {
  const key = `pay.${uid}`;
  return {
    load: () => readDraft(storage.getItem(key)),
    save: (draft) => storage.setItem(key, JSON.stringify(draft)),
    clear: () => storage.removeItem(key),
  };
}

function readDraft(text: string | null): PayDraft | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Record<DraftField, unknown>>;
    const entries = draftFields.map((field) => {
      const typed = value[field];
      return [field, typeof typed === 'string' ? typed : ''];
    });
    return Object.fromEntries(entries) as PayDraft;
  } catch {
    return undefined;
  }
}

/** `sessionStorage`, or memory where the browser refuses it. */
export function tabStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    const storage = globalThis.sessionStorage;
    storage.setItem('counterfoil.probe', '1');
    storage.removeItem('counterfoil.probe');
    return storage;
  } catch {
    return memoryStorage();
  }
}
