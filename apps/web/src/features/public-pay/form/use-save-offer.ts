import type { NewMethod } from '@counterfoil/contract/paying/payment-methods.ts';
import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { tabStorage } from '../../../lib/session/tab-storage.ts';
import type { CardSaved, SaveOffer } from './save-offer.ts';

export interface CardSetup {
  /** Undefined: nobody may save a card here. */
  readonly choice: ReactNode;
  readonly isWanted: boolean;
  /** Of the card that is being paid with; saved once the payment has gone through. */
  readonly onCard: (card: NewMethod | undefined) => void;
  /** What became of it, once it is known. */
  readonly endText: string | undefined;
}

/** A glance that brings no code along; who it is, the server says. */
function mayBeSignedIn(): boolean {
  try {
    return globalThis.localStorage.getItem('auth') !== null;
  } catch {
    return false;
  }
}

const wishKey = (uid: string): string => `pay.${uid}.keep`;

/** Whether the card was to be saved, once. */
function takeWish(uid: string): boolean {
  const isWished = tabStorage().getItem(wishKey(uid)) !== null;
  tabStorage().removeItem(wishKey(uid));
  return isWished;
}

/** Keeps the card of a payment for whoever is signed in, if they want it, and only a card that has paid. */
export function useSaveOffer(uid: string | undefined, state: PayState): CardSetup {
  const [offer, setOffer] = useState<SaveOffer>();
  const [isWanted, setWanted] = useState(false);
  const [end, setEnd] = useState<CardSaved>();
  const card = useRef<NewMethod>(undefined);
  useEffect(() => {
    if (uid === undefined || !mayBeSignedIn()) return;
    import('./save-offer.ts').then(({ findSaveOffer }) => findSaveOffer(uid)).then(setOffer, () => undefined);
  }, [uid]);
  useEffect(() => {
    if (state !== 'success' || uid === undefined) return;
    const paid = card.current;
    card.current = undefined;
    // After a visit at the bank the card is not here any more; what was wished is.
    if (takeWish(uid) && paid === undefined) return setEnd('refused');
    if (paid !== undefined) void offer?.save(paid).then(setEnd);
  }, [state, offer, uid]);
  return {
    choice:
      offer && createElement(offer.Choice, { companyName: offer.companyName, isWanted, onChange: setWanted }),
    isWanted: isWanted && offer !== undefined,
    onCard: (typed) => {
      card.current = typed;
      if (uid === undefined) return;
      if (typed === undefined) takeWish(uid);
      else tabStorage().setItem(wishKey(uid), 'true');
    },
    endText: end && offer?.wordsOf(end),
  };
}
