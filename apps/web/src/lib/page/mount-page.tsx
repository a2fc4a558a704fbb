import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { isReaderLocale } from '../../text/catalogue.ts';
import type { TakePresses } from '../late-code.ts';
import { firstPaint } from './first-paint.ts';

/**
 * Puts a page into the document. Markup that the server drew for this reader is taken over, and buttons pressed
 * before are pressed again now that they do something; any other is replaced.
 * @param isAsServed false where this browser knows something that the server did not
 */
export function mountPage(root: HTMLElement, page: ReactNode, isAsServed = true): void {
  const tree = (
    <StrictMode>
      {page}
      <EarlyPresses />
    </StrictMode>
  );
  if (isAsServed && root.hasChildNodes() && isReaderLocale(firstPaint?.locale)) hydrateRoot(root, tree);
  else createRoot(root).render(tree);
}

function EarlyPresses(): null {
  useEffect(() => {
    const take: TakePresses | undefined = globalThis.takePresses;
    for (const button of take?.() ?? []) button.click();
  }, []);
  return null;
}
