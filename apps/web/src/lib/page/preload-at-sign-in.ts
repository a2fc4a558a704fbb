import { type Area, isAreaEnabled, type SignInPreload } from '../area.ts';

/** However slow a preload is, nobody waits longer for the page they came for. */
export const PRELOAD_WAIT_MS = 3_000;

/**
 * Loads what the enabled areas want to have at hand right after the sign-in, all at once. Resolves when everything
 * has ended, well or badly, or when the time is up; it never fails.
 */
export async function preloadAtSignIn(areas: readonly Area[], args: SignInPreload): Promise<void> {
  const loads = areas
    .filter((area) => isAreaEnabled(area, args.portal))
    // One that throws at once is one that fails.
    .flatMap(({ preloadAtSignIn: load }) => (load === undefined ? [] : [(async () => load(args))()]));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PRELOAD_WAIT_MS);
  });
  await Promise.race([Promise.allSettled(loads), timeUp]);
  clearTimeout(timer);
}
