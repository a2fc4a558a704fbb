import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { isLongRun } from './long-run.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Every rule of axe that looks at colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The wide one last: it is that of the page before and after. */
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

interface Axe {
  run(
    context: Document | Element,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>;
}

interface Looked {
  /** Of the two, for what exists at one of them only. */
  readonly widths?: readonly number[];
  readonly schemes?: readonly ('light' | 'dark')[];
  /** A selector: only that part is looked at, because what it covers is no target meanwhile. */
  readonly within?: string;
  /** For what differs in its colours alone from a screen that is looked at as a whole. */
  readonly isColourOnly?: boolean;
}

/**
 * Runs axe over what stands on the page, wide and on a phone, light and dark. Also: nothing may scroll the page
 * sideways. Dark has the markup and the boxes of light, so that an ordinary run asks only about colours there, at one width;
 * a long one asks everything, and keeps a picture of each. So it is with a screen that differs from another in its colours alone.
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { widths = [1280, 390], schemes = ['light', 'dark'], within, isColourOnly = false }: Looked = {},
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const areColours = (isColourOnly || colorScheme === 'dark') && !isLongRun;
    const looked = sizes.filter(({ width }) => widths.includes(width));
    for (const size of areColours ? looked.slice(-1) : looked) {
      await page.setViewportSize(size);
      const name = `${screen}-${size.width}-${colorScheme}`;
      if (isLongRun)
        await page.screenshot({ path: `test-results/screens/${name}.png`, animations: 'disabled' });
      expect.soft(await violations(page, within, areColours ? colourRules : tags), name).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: width`)
        .toBe(true);
    }
  }
  await page.setViewportSize(sizes[1]);
}

async function violations(
  page: Page,
  within: string | undefined,
  runOnly: readonly string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(
    async ([only, part]) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      // A colour half way between two others is nothing that anybody reads.
      await Promise.allSettled(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSTransition)
          .map(({ finished }) => finished),
      );
      // The provider's frames are the provider's.
      const context = (part && document.querySelector(part)) || document;
      const found = await axe.run(context, { runOnly: only, iframes: false });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${String(target)}: ${failureSummary ?? ''}`),
      );
    },
    [runOnly, within] as const,
  );
}
