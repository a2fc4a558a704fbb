import type { PreparedEntry } from '@counterfoil/contract/entry-config.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Makes an entry at the gateway; rejects with `ApiError`. */
export type PrepareEntry = () => Promise<PreparedEntry>;

/** How the entry of a form stands. `expired`: what was typed into it is lost, and it must be made again. */
export type Preparation =
  | { readonly is: 'none' | 'loading' | 'failed' | 'expired' }
  | { readonly is: 'ready'; readonly prepared: PreparedEntry };

interface Prepared {
  readonly preparation: Preparation;
  /** Makes another one: the last was used, or did not come. */
  readonly renew: () => void;
}

/** An entry that is still good for less than this is not begun with, milliseconds. */
const LEAST_MS = 1_000;

/** Longest wait of a browser's timer, milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The entry of a form that needs one; made when the form comes, and told when it has run out. */
export function usePrepared(isNeeded: boolean, prepare: PrepareEntry | undefined): Prepared {
  const [preparation, setPreparation] = useState<Preparation>({ is: isNeeded ? 'loading' : 'none' });
  const [round, setRound] = useState(0);
  const latest = useRef(prepare);
  useEffect(() => {
    latest.current = prepare;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` makes another one
  useEffect(() => {
    if (!isNeeded) return setPreparation({ is: 'none' });
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const set = (next: Preparation) => {
      if (!isOver) setPreparation(next);
    };
    set({ is: 'loading' });
    const asked = latest.current?.() ?? Promise.reject(new Error('nothing prepares an entry here'));
    asked.then(
      (prepared) => {
        if (isOver) return;
        set({ is: 'ready', prepared });
        const left = prepared.until === undefined ? undefined : leftOf(prepared.until, Date.now());
        if (left !== undefined) timer = setTimeout(() => set({ is: 'expired' }), left);
      },
      () => set({ is: 'failed' }),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isNeeded, round]);
  const renew = useCallback(() => setRound((now) => now + 1), []);
  return { preparation, renew };
}

/** How long an entry can still be used, milliseconds; undefined: as long as a page stands. */
export function leftOf(until: string, now: number): number | undefined {
  const left = Date.parse(until) - now;
  return Number.isNaN(left) || left > LONGEST_TIMER_MS ? undefined : Math.max(left, LEAST_MS);
}
