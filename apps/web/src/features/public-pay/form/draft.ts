import { type CardDraft, type DraftField, draftFields } from '../../../paying/card/card-draft.ts';

/** Keeps what was typed over a reload: on the way back from the bank, or by the reader. Never the card. */
export interface DraftStore {
  readonly load: () => CardDraft | undefined;
  readonly save: (draft: CardDraft) => void;
  /** Another amount than all that is due, as typed; undefined: all of it. */
  readonly part: PartStore;
  readonly clear: () => void;
}

export interface PartStore {
  readonly load: () => string | undefined;
  readonly save: (text: string | undefined) => void;
}

/** @param storage of this tab only; it is emptied when the payment ends */
export function createDraftStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  uid: string,
): DraftStore {
  const key = `pay.${uid}`;
  const partKey = `${key}.part`;
  return {
    load: () => readDraft(storage.getItem(key)),
    save: (draft) => storage.setItem(key, JSON.stringify(draft)),
    part: {
      load: () => storage.getItem(partKey) ?? undefined,
      save: (text) =>
        text === undefined || mayBeCard(text) ? storage.removeItem(partKey) : storage.setItem(partKey, text),
    },
    clear: () => {
      storage.removeItem(key);
      storage.removeItem(partKey);
    },
  };
}

/** The fields of the card are near: what has its digits is not kept, whatever field it was typed into. */
const mayBeCard = (text: string): boolean => text.replaceAll(/\D/g, '').length > 12;

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
