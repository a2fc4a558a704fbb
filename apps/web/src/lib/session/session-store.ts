import type { TokenAnswer } from '@counterfoil/contract/people/auth.ts';
import { type KeyValueStorage, memoryStorage } from './memory-storage.ts';

export { type KeyValueStorage, memoryStorage };

/** The answer of `/token` as it is kept. */
export type StoredAuth = TokenAnswer;

/** Names in the browser's storage, as the specification gives them (portal §3). */
export const storageKeys = {
  auth: 'auth',
  superUser: 'superUser',
  customer: 'current_customer_id',
} as const;

/** What this browser knows about who is signed in. It is shared by all tabs of one origin. */
export interface SessionStore {
  readonly auth: () => StoredAuth | null;
  readonly saveAuth: (auth: StoredAuth) => void;
  /** True after a log-in-as by support, false after a normal sign-in. */
  readonly isSuperUser: () => boolean;
  readonly saveSuperUser: (superUser: boolean) => void;
  readonly customerId: () => string | null;
  readonly saveCustomerId: (id: string) => void;
  readonly forgetCustomer: () => void;
  /** Forgets auth, super-user flag and customer: the local half of logging out. */
  readonly clear: () => void;
}

/** @param storage `localStorage`; a browser that refuses it keeps the session for the life of the page */
export function createSessionStore(storage: KeyValueStorage): SessionStore {
  return {
    auth: () => readAuth(storage.getItem(storageKeys.auth)),
    saveAuth: (auth) => storage.setItem(storageKeys.auth, JSON.stringify(auth)),
    isSuperUser: () => storage.getItem(storageKeys.superUser) === 'true',
    saveSuperUser: (superUser) => storage.setItem(storageKeys.superUser, String(superUser)),
    customerId: () => storage.getItem(storageKeys.customer),
    saveCustomerId: (id) => storage.setItem(storageKeys.customer, id),
    forgetCustomer: () => storage.removeItem(storageKeys.customer),
    clear: () => {
      for (const key of Object.values(storageKeys)) storage.removeItem(key);
    },
  };
}

/** A value somebody edited or an older version left counts as none. */
function readAuth(text: string | null): StoredAuth | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    const complete =
      typeof value === 'object' &&
      value !== null &&
      'access_token' in value &&
      typeof value.access_token === 'string' &&
      'refresh_token' in value &&
      typeof value.refresh_token === 'string';
    return complete ? (value as StoredAuth) : null;
  } catch {
    return null;
  }
}

function browserStorage(): KeyValueStorage {
  try {
    // Reading the property throws where storage is blocked; writing throws where it is full or private.
    const storage = globalThis.localStorage;
    storage.setItem('counterfoil.probe', '1');
    storage.removeItem('counterfoil.probe');
    return storage;
  } catch {
    return memoryStorage();
  }
}

/** `localStorage`, or memory where the browser refuses it. */
export const sharedStorage: KeyValueStorage = browserStorage();

/** The session of this browser. */
export const session: SessionStore = createSessionStore(sharedStorage);
