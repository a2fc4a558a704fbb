import { personOf } from './claims.ts';
import { goToSignIn } from './leave.ts';
import { type KeyValueStorage, sharedStorage, storageKeys } from './session-store.ts';

/** Whose data stands on a page: the person and the chosen customer. */
export interface Holder {
  readonly person: string | undefined;
  readonly customer: string | null;
}

export const holderOf = (storage: KeyValueStorage): Holder => ({
  person: personOf(storage.getItem(storageKeys.auth) ?? ''),
  customer: storage.getItem(storageKeys.customer),
});

/** What a page must do that was loaded for one holder and is shown again to another. */
export function meaningOfReturn(then: Holder, now: Holder): 'signedOut' | 'reload' | null {
  if (now.person === undefined) return 'signedOut';
  return then.person === now.person && then.customer === now.customer ? null : 'reload';
}

/**
 * On Back a browser may show a page as it was left, out of its memory, without having told it what other pages did
 * meanwhile. One with the data of another person or customer is emptied at once, and loaded again.
 */
export function watchReturn(): void {
  const then = holderOf(sharedStorage);
  globalThis.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    const meaning = meaningOfReturn(then, holderOf(sharedStorage));
    if (meaning === null) return;
    document.body.replaceChildren();
    if (meaning === 'signedOut') goToSignIn();
    else globalThis.location.reload();
  });
}
