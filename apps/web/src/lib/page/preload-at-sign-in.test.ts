import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Area, defineArea, type SignInPreload } from '../area.ts';
import type { Portal } from '../portal/portal-context.ts';
import { PRELOAD_WAIT_MS, preloadAtSignIn } from './preload-at-sign-in.ts';

const args: SignInPreload = {
  client: new QueryClient(),
  portal: {
    brand: { endShowInvoices: true, endShowUsage: false },
    me: { needsSecondFactor: false, passwordExpiresAt: null },
  } as unknown as Portal,
};
const area = (path: Area['path'], more: Partial<Area>): Area =>
  defineArea({ path, label: () => path, page: () => Promise.resolve({ default: () => null }), ...more });
const never = () => new Promise<never>(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether it has ended by now, without moving the clock. */
async function isDone(work: Promise<void>): Promise<boolean> {
  let done = false;
  void work.then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

describe('preloads at sign-in', () => {
  it('of enabled areas run at once, with client and portal; those of others do not [portal.redirect-loader.preload-other]', async () => {
    const load = vi.fn(() => Promise.resolve());
    const off = vi.fn(() => Promise.resolve());
    const areas = [
      area('/invoices', { flag: 'endShowInvoices', preloadAtSignIn: load }),
      area('/usage', { flag: 'endShowUsage', preloadAtSignIn: off }),
      area('/settings', { preloadAtSignIn: load }),
      area('/reports', {}),
    ];
    expect(await isDone(preloadAtSignIn(areas, args))).toBe(true);
    expect(load.mock.calls).toEqual([[args], [args]]);
    expect(off).not.toHaveBeenCalled();
  });

  it('are waited for', async () => {
    let finish = () => {};
    const slow = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const work = preloadAtSignIn([area('/invoices', { preloadAtSignIn: slow })], args);
    expect(await isDone(work)).toBe(false);
    finish();
    expect(await isDone(work)).toBe(true);
  });

  it('are waited for three seconds at most', async () => {
    expect(PRELOAD_WAIT_MS).toBe(3_000);
    const work = preloadAtSignIn([area('/invoices', { preloadAtSignIn: never })], args);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(await isDone(work)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isDone(work)).toBe(true);
  });

  it('that fail, at once or later, block nothing', async () => {
    const areas = [
      area('/a', { preloadAtSignIn: () => Promise.reject(new Error('later')) }),
      area('/b', {
        preloadAtSignIn: () => {
          throw new Error('at once');
        },
      }),
    ];
    expect(await isDone(preloadAtSignIn(areas, args))).toBe(true);
  });
});
