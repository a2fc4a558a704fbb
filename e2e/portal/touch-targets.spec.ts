import type { Page } from '@playwright/test';
import { everyPage, everythingOpened } from '../support/every-page.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'parallel', timeout: 300_000 });

/** Controls a finger can miss: under 44 px in a direction, links within a sentence excepted. */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // A link within a sentence is as high as its line.
    const isInText = (one: Element) => one.nodeName === 'A' && getComputedStyle(one).display === 'inline';
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=option]';
    const small = [...document.querySelectorAll(controls)].flatMap((one) => {
      if (!isShown(one) || isInText(one) || one.closest('[inert]') !== null) return [];
      // Thirty days side by side are a picture; the table beside it has a target for each.
      if (one.closest('[role=listbox][aria-orientation=horizontal]') !== null) return [];
      // Below an open dialog nothing can be pressed.
      if (document.querySelector('dialog:modal') && one.closest('dialog:modal') === null) return [];
      const label = (one as HTMLInputElement).labels?.[0] ?? one.closest('label');
      const isBox = one.matches('[type=checkbox], [type=radio]');
      const target = label?.contains(one) || isBox ? (label ?? one) : one;
      const { width, height } = target.getBoundingClientRect();
      if (width < 2 || (width >= 43.5 && height >= 43.5)) return [];
      const name = (one.getAttribute('aria-label') ?? one.textContent).slice(0, 30);
      return [`${one.nodeName}.${String(one.className)} ${name} ${Math.round(width)}×${Math.round(height)}`];
    });
    return [...new Set(small)];
  });

for (const width of [390, 1024]) {
  for (const [what, visit] of [
    ['page', everyPage],
    ['menu and dialog', everythingOpened],
  ] as const) {
    test(`on every ${what} a finger finds targets of 44 px, ${width} px wide`, async ({ browser, stack }) => {
      const context = await browser.newContext({
        hasTouch: true,
        isMobile: true,
        viewport: { width, height: 844 },
      });
      const page = await context.newPage();
      const small: string[] = [];
      await visit(page, stack, async (name) => {
        small.push(...(await smallTargets(page)).map((one) => `${name} ${one}`));
      });
      await context.close();
      expect(small).toEqual([]);
    });
  }
}
