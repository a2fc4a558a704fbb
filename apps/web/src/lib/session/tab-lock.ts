import type { KeyValueStorage } from './session-store.ts';

/** Runs `work` while no other tab of this origin runs its own under the same name. */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const LEASE_MS = 15_000;
const POLL_MS = 50;

/** Web Locks where the browser has them (secure contexts), else a lease in storage. */
export function createTabLock(
  locks: Pick<LockManager, 'request'> | undefined,
  storage: KeyValueStorage,
): TabLock {
  return locks ? (name, work) => locks.request(name, work) as ReturnType<typeof work> : leaseLock(storage);
}

/**
 * For plain-http hosts, where Web Locks are missing: the tab that writes its own mark and still finds it a moment
 * later holds the lease. A tab that died leaves one that runs out by itself.
 */
function leaseLock(storage: KeyValueStorage): TabLock {
  return async (name, work) => {
    const key = `lock.${name}`;
    const mark = String(Math.random());
    for (;;) {
      const [, until = '0'] = storage.getItem(key)?.split(' ') ?? [];
      if (Number(until) < Date.now()) {
        storage.setItem(key, `${mark} ${Date.now() + LEASE_MS}`);
        await pause(POLL_MS);
        if (storage.getItem(key)?.startsWith(`${mark} `)) break;
      }
      await pause(POLL_MS);
    }
    try {
      return await work();
    } finally {
      if (storage.getItem(key)?.startsWith(`${mark} `)) storage.removeItem(key);
    }
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
