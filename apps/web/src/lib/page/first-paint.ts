import type { FirstPaint } from '@counterfoil/contract/first-paint.ts';

/** What the server drew this page from; undefined where it drew nothing (the development server). */
export function readFirstPaint(document: Pick<Document, 'getElementById'>): FirstPaint | undefined {
  const text = document.getElementById('first-paint')?.textContent;
  if (!text) return undefined;
  try {
    return JSON.parse(text) as FirstPaint;
  } catch {
    return undefined;
  }
}

export let firstPaint: FirstPaint | undefined =
  typeof document === 'undefined' ? undefined : readFirstPaint(document);

/** Where a page is drawn without a document, on the server. */
export function setFirstPaint(first: FirstPaint): void {
  firstPaint = first;
}
