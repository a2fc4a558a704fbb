import { session } from './session-store.ts';

const originKey = 'signIn.origin';
const endedKey = 'signIn.ended';
const reloadedKey = 'customer.reloaded';

/** Remembers where the person was, for after the sign-in (specification, portal §2 'Route guards'). */
export function rememberOrigin(location: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  const path = location.pathname + location.search + location.hash;
  if (path !== '/' && !path.startsWith('/login') && !path.startsWith('/logout')) {
    globalThis.sessionStorage.setItem(originKey, path);
  }
}

/** The remembered place, once. */
export function takeOrigin(): string | null {
  const origin = globalThis.sessionStorage.getItem(originKey);
  globalThis.sessionStorage.removeItem(originKey);
  return origin;
}

/** To the sign-in page, which is an entry of its own, and back here afterwards. */
export function goToSignIn(): void {
  rememberOrigin(globalThis.location);
  globalThis.location.replace('/login');
}

let beforeEnd = (): void => undefined;

/** What is to be done while the page of a session that has ended still stands. */
export const onSessionEnd = (act: () => void): void => {
  beforeEnd = act;
};

/** The session of this page is over: the sign-in page says why it is shown. */
export function leaveEnded(): void {
  beforeEnd();
  globalThis.sessionStorage.setItem(endedKey, 'true');
  goToSignIn();
}

/** Whether a session has ended that the person did not end, once. */
export function takeEnded(): boolean {
  const hasEnded = globalThis.sessionStorage.getItem(endedKey) !== null;
  globalThis.sessionStorage.removeItem(endedKey);
  return hasEnded;
}

/** Stores the chosen customer and loads the page again with it (specification, portal §4). */
export function switchCustomer(id: string): void {
  session.saveCustomerId(id);
  globalThis.location.reload();
}

/**
 * The stored customer is not the user's: forget it and reload, but never twice in a row.
 * @returns whether the page is being loaded again
 */
export function dropForeignCustomer(): boolean {
  const stored = session.customerId();
  session.forgetCustomer();
  if (stored === null || globalThis.sessionStorage.getItem(reloadedKey) === stored) return false;
  globalThis.sessionStorage.setItem(reloadedKey, stored);
  globalThis.location.reload();
  return true;
}

/** To where a second factor is set up, as a new page: what the old one was allowed to see may be shut by now. */
export function goToSecurity(): void {
  if (globalThis.location.pathname !== '/security') globalThis.location.replace('/security');
}
