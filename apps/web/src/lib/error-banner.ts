/**
 * The page's one error banner. Failures while it is open change nothing: banners never stack (specification,
 * portal §8).
 */
type Listener = () => void;

let shown = false;
const listeners = new Set<Listener>();

function set(next: boolean): void {
  if (shown === next) return;
  shown = next;
  for (const listener of listeners) listener();
}

export const errorBanner = {
  isShown: (): boolean => shown,
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show: (): void => set(true),
  close: (): void => set(false),
};

/** A data load failed: show the banner and log the failure to the browser's error console and `window.onerror`. */
export function reportFailure(error: unknown): void {
  errorBanner.show();
  globalThis.reportError?.(error);
}
