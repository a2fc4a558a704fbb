import { personOf } from './claims.ts';
import { leaveEnded } from './leave.ts';
import { storageKeys } from './session-store.ts';

/** What a change of the shared storage by another tab means for this one. */
export function meaningOf(
  event: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
): 'signedOut' | 'reload' | null {
  // A null key: everything was cleared.
  if (event.key === null) return 'signedOut';
  if (event.key === storageKeys.customer) return 'reload';
  if (event.key !== storageKeys.auth) return null;
  if (event.newValue === null) return 'signedOut';
  // A renewed token is the same person; another person's data must not mix with what stands on this page.
  return event.oldValue !== null && personOf(event.oldValue) !== personOf(event.newValue) ? 'reload' : null;
}

/** Leaves when another tab logs out; loads again when it changes the person or the customer. */
export function followOtherTabs(): void {
  globalThis.addEventListener('storage', (event) => {
    const meaning = meaningOf(event);
    if (meaning === 'signedOut') leaveEnded();
    else if (meaning === 'reload') globalThis.location.reload();
  });
}
