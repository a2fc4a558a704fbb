import type { Browser, Page } from '@playwright/test';
import { everyPage, everythingOpened } from '../support/every-page.ts';
import { isLongRun } from '../support/long-run.ts';
import { drawn } from '../support/quiet.ts';
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

/** The phone, and where the layout of a desktop begins. */
const phone = { width: 390, height: 844 };
const tablet = { width: 1024, height: 844 };

const openParts = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelectorAll('dialog[open], :popover-open, [aria-expanded=true]').length);

/** A page of a touch screen, and what is too small on it. */
async function touchScreen(browser: Browser) {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: phone });
  const page = await context.newPage();
  const small: string[] = [];
  /** Looks at the page as it stands, and as it stands once the screen is turned. */
  const bothWays = async (name: string): Promise<boolean> => {
    const before = await openParts(page);
    let areAllOpen = true;
    for (const size of [phone, tablet]) {
      await page.setViewportSize(size);
      await drawn(page);
      areAllOpen &&= (await openParts(page)) >= before;
      small.push(...(await smallTargets(page)).map((one) => `${name}, ${size.width} px: ${one}`));
    }
    await page.setViewportSize(phone);
    return areAllOpen;
  };
  const wide = async (name: string): Promise<void> => {
    small.push(...(await smallTargets(page)).map((one) => `${name}, opened at ${tablet.width} px: ${one}`));
  };
  return { context, page, small, bothWays, wide };
}

test('on every page a finger finds targets of 44 px, 390 and 1024 px wide', async ({ browser, stack }) => {
  const { context, page, small, bothWays } = await touchScreen(browser);
  await everyPage(page, stack, async (name) => void (await bothWays(name)));
  await context.close();
  expect(small).toEqual([]);
});

test('on every menu and dialog a finger finds targets of 44 px, 390 and 1024 px wide', async ({
  browser,
  stack,
}) => {
  const { context, page, small, bothWays, wide } = await touchScreen(browser);
  const seen = await everythingOpened(page, stack, bothWays);
  // What there is at that width only, and what closes when the screen is turned.
  await page.setViewportSize(tablet);
  await everythingOpened(page, stack, wide, isLongRun ? [] : seen);
  await context.close();
  expect(small).toEqual([]);
});
