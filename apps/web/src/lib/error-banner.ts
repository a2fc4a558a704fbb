import { ApiError } from './api/api-error.ts';

/**
 * The page's one error banner. Failures while it is open change nothing: banners never stack (specification,
 * portal §8). It goes when the calls that failed have gone well.
 */
type Listener = () => void;

/** What has failed: a call, or a fault that is none's. */
const failed = new Map<string, { readonly isUnreached: boolean }>();
const listeners = new Set<Listener>();
const NO_CALL = '';

function change(act: () => void): void {
  const before = failed.size > 0;
  act();
  if (before === failed.size > 0) return;
  for (const listener of listeners) listener();
}

export const errorBanner = {
  isShown: (): boolean => failed.size > 0,
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show: (error?: unknown): void =>
    change(() => {
      const call = error instanceof ApiError ? error.call : undefined;
      failed.set(call ?? NO_CALL, { isUnreached: error instanceof ApiError && error.status === 0 });
    }),
  /** A call went well; undefined: one that nobody knows. */
  mend: (call: string | undefined): void => change(() => call !== undefined && failed.delete(call)),
  /** The network is back: what could not be reached has no fault of its own. */
  mendUnreached: (): void =>
    change(() => {
      for (const [call, { isUnreached }] of failed) if (isUnreached) failed.delete(call);
    }),
  close: (): void => change(() => failed.clear()),
};

/** A data load failed: show the banner and log the failure to the browser's error console and `window.onerror`. */
export function reportFailure(error: unknown): void {
  errorBanner.show(error);
  globalThis.reportError?.(error);
}
