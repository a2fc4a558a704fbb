import { type CardDraft, type DraftField, draftFields } from '../../lib/card-entry/card-draft.ts';

/** Keeps the draft while the payer is at the bank: the page is loaded anew on the way back. */
export interface DraftStore {
  readonly load: () => CardDraft | undefined;
  readonly save: (draft: CardDraft) => void;
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

function readDraft(text: string | null): CardDraft | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Record<DraftField, unknown>>;
    const entries = draftFields.map((field) => {
      const typed = value[field];
      return [field, typeof typed === 'string' ? typed : ''];
    });
    return Object.fromEntries(entries) as CardDraft;
  } catch {
    return undefined;
  }
}
