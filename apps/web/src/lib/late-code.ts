/** Gives up the buttons pressed before the page's code was there, to be pressed again. */
export type TakePresses = () => readonly HTMLElement[];

declare global {
  var takePresses: TakePresses | undefined;
}

/**
 * Loads a page's code after the first frame, or at once where there is nothing to see. Presses on buttons are kept
 * until the code takes them. The build writes this function into the page (build/first-paint.ts): it can use
 * nothing from outside itself.
 * @param chunks what the entry cannot start without
 * @param next   what it asks for as soon as it has started: fetched behind the rest
 */
export function loadLate(entry: string, chunks: readonly string[], next: readonly string[]): void {
  const pressed: HTMLElement[] = [];
  const keep = (event: Event) => {
    const button = (event.target as Element).closest('button');
    if (button === null) return;
    event.preventDefault();
    pressed.push(button);
  };
  const load = () => {
    const preload = (href: string, fetchPriority: string) => {
      const link = document.createElement('link');
      document.head.append(
        Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority, href }),
      );
    };
    for (const href of chunks) preload(href, 'auto');
    const script = document.createElement('script');
    document.head.append(Object.assign(script, { type: 'module', crossOrigin: '', src: entry }));
    for (const href of next) preload(href, 'low');
  };
  document.addEventListener('click', keep, true);
  globalThis.takePresses = () => {
    document.removeEventListener('click', keep, true);
    return pressed;
  };
  const isDrawn = document.querySelector('#root > *') !== null;
  if (isDrawn && !document.hidden) requestAnimationFrame(() => setTimeout(load));
  else load();
}
