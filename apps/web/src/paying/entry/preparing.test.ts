import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leftOf, Preparing } from './preparing.ts';

const entryOf = (entryId: string, until?: string): PreparedEntry => ({
  entryId,
  action: { do: 'browser', config: {} },
  ...(until !== undefined && { until }),
});

/** Entries that come when the test says so. */
function made() {
  const asked: { come: (entry: PreparedEntry) => void; fail: () => void }[] = [];
  const preparing = new Preparing(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ come: resolve, fail: () => reject(new Error('no')) });
      }),
  );
  const seen: string[] = [];
  preparing.subscribe(() => seen.push(preparing.view().is));
  return { preparing, asked, seen };
}

describe('the entry of a form', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-24T12:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it('loads, is ready, runs out, and is made again', async () => {
    const { preparing, asked, seen } = made();
    const first = preparing.renew();
    asked[0]?.come(entryOf('e-1', '2026-11-24T12:10:00Z'));
    expect(await first).toMatchObject({ entryId: 'e-1' });
    vi.advanceTimersByTime(10 * 60_000);
    const second = preparing.renew();
    asked[1]?.come(entryOf('e-2'));
    await second;
    expect(seen).toEqual(['loading', 'ready', 'expired', 'loading', 'ready']);
    expect(preparing.view()).toMatchObject({ prepared: { entryId: 'e-2' } });
  });

  it('does not come, and says so until it is asked for again', async () => {
    const { preparing, asked, seen } = made();
    const first = preparing.renew();
    asked[0]?.fail();
    expect(await first).toBeUndefined();
    expect(seen).toEqual(['loading', 'failed']);
  });

  it('is the last one that was asked for, however late an earlier one comes; its end ends no other', async () => {
    const { preparing, asked } = made();
    const first = preparing.renew();
    const second = preparing.renew();
    asked[1]?.come(entryOf('e-2'));
    await second;
    asked[0]?.come(entryOf('e-1', '2026-11-24T12:00:30Z'));
    expect(await first).toBeUndefined();
    vi.advanceTimersByTime(60_000);
    expect(preparing.view()).toMatchObject({ is: 'ready', prepared: { entryId: 'e-2' } });
  });

  it('is nothing any more once the form is gone', async () => {
    const { preparing, asked } = made();
    const first = preparing.renew();
    preparing.stop();
    asked[0]?.come(entryOf('e-1'));
    await first;
    expect(preparing.view()).toEqual({ is: 'none' });
  });

  it.each([
    ['2026-11-24T12:10:00Z', 600_000],
    ['2026-11-24T11:00:00Z', 1_000],
    ['2027-11-24T12:00:00Z', undefined],
    ['soon', undefined],
  ])('can be used until %s', (until, left) => {
    expect(leftOf(until, Date.now())).toBe(left);
  });
});
