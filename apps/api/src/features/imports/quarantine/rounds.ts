import type { Clock } from '../../../deps.ts';
import { type RetryDeps, retryQuarantined } from './retry.ts';

/** Between two looks whether what was missing has come. */
export const QUARANTINE_EVERY_MS = 60_000;
/** What is left after that is for the next round. */
const ROUND_MS = 30_000;
/** A look at very many entries takes seconds: then at most this part of the time is spent on looking. */
const SHARE = 1 / 20;

/** Takes in what waits, as what was missing comes: rounds that a worker calls again and again. */
export function quarantineRounds({ clock, ...deps }: RetryDeps & { readonly clock: Clock }) {
  let restUntil = 0;
  return {
    async round(): Promise<void> {
      const began = performance.now();
      if (began < restUntil) return;
      const isEnough = () => performance.now() > began + ROUND_MS;
      const { tried } = await retryQuarantined(deps, { only: 'due', now: clock.now(), isEnough });
      if (tried === 0) restUntil = performance.now() + (performance.now() - began) / SHARE;
    },
  };
}
