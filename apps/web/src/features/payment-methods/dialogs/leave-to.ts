/**
 * Leaves for a page of the provider or the bank. Stays under way, so that nothing can be pressed meanwhile, until the
 * browser's Back shows this page again as it was left.
 */
export function leaveTo(url: string): Promise<void> {
  globalThis.location.assign(url);
  return new Promise((resolve) => {
    const back = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      globalThis.removeEventListener('pageshow', back);
      resolve();
    };
    globalThis.addEventListener('pageshow', back);
  });
}
