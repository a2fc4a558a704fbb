/**
 * React's names on the small pages, built on Preact (docs/adr/0056): what those pages import of `react` and
 * `react-dom/client`, and nothing else. A name that is not here fails the build: before it is added, look whether it
 * does there what React does.
 */
import type { ComponentChild } from 'preact';
import * as preact from 'preact/compat';

export {
  createElement,
  Fragment,
  StrictMode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/compat';

/** Whether what is being drawn is the server's markup: on the server, and while a browser takes it over. */
let isServed = typeof document === 'undefined';

/**
 * React's: what the server drew is taken over with the server's value, and only then gets the browser's. Preact's own
 * asks the browser at once and leaves its attributes out.
 */
export function useSyncExternalStore<T>(
  subscribe: (onChange: () => void) => () => void,
  read: () => T,
  readServed: () => T = read,
): T {
  const [isTakenOver, setTakenOver] = preact.useState(!isServed);
  preact.useLayoutEffect(() => setTakenOver(true), []);
  return preact.useSyncExternalStore(subscribe, isTakenOver ? read : readServed);
}

/** A page in place of whatever the element holds. */
export const createRoot = (container: Element) => ({
  render: (page: ComponentChild) => void preact.render(page, container),
});

/** A page that takes over the markup which the server drew of it. */
export function hydrateRoot(container: Element, page: ComponentChild): void {
  isServed = true;
  try {
    preact.hydrate(page, container);
  } finally {
    isServed = false;
  }
}
