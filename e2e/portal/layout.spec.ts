import type { Page } from '@playwright/test';
import { everyPage, everythingOpened } from '../support/every-page.ts';
import { isLongRun } from '../support/long-run.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'parallel', timeout: 300_000 });

/** From here on a person notices that something moved. */
const SHIFT = 0.02;

/** Keeps every move of the layout that no input caused, with what moved. */
function keepShifts(): void {
  const shifts: string[] = [];
  Object.assign(globalThis, { layoutShifts: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node?: Element }[];
    })[]) {
      const nodes = entry.sources.map(({ node }) => `${node?.nodeName} ${node?.className}`);
      if (!entry.hadRecentInput) shifts.push(`${entry.value} ${nodes.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

for (const width of isLongRun ? [1280, 1024, 390] : [1280, 390]) {
  test(`nothing moves while a page loads over a slow line, at ${width} px`, async ({ page, stack }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(keepShifts);
    let turn = 0;
    // Answers come one after another, as they do where the way is long.
    await page.route('**/v1/**', async (route) => {
      const wait = 120 + 80 * (turn++ % 5);
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.continue().catch(() => undefined);
    });
    const moved: string[] = [];
    await everyPage(page, stack, async (name) => {
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { layoutShifts: string[] }).layoutShifts,
      );
      const sum = shifts.reduce((total, one) => total + Number.parseFloat(one), 0);
      if (sum >= SHIFT) moved.push(`${name}: ${sum.toFixed(3)} (${shifts.join('; ')})`);
    });
    expect(moved).toEqual([]);
  });
}

/** 320 px is also a window of 1280 px at a zoom of 400 %. */
const widths = [1280, 1024, 640, 390, 320];
const texts = ['as usual', 'twice as large by the setting', 'twice as large by the page'] as const;
/** With text twice as large, 1024 and 640 px lie between widths that are looked at; what opens is narrower than its page. */
function widthsOf(text: (typeof texts)[number], isOpened: boolean): readonly number[] {
  if (isLongRun) return widths;
  if (isOpened) return text === texts[0] ? [1280, 390, 320] : [320];
  return text === texts[0] ? widths : [1280, 390, 320];
}

/** What makes the page wider than the window, if anything does. */
async function tooWide(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    // What observers change is there in the frame after the next.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth) return null;
    const out = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth + 1,
    );
    const named = out.slice(0, 4).map((one) => `${one.nodeName}.${one.className}`);
    return `${scrollWidth}: ${named.join(' | ')}`;
  });
}

for (const [what, visit] of [
  ['page', everyPage],
  ['menu or dialog', everythingOpened],
] as const) {
  test(`no ${what} makes the page scroll sideways, at any width and with twice the text`, async ({
    page,
    stack,
  }) => {
    const cdp = await page.context().newCDPSession(page);
    const wide: string[] = [];
    const enlarge = async (text: (typeof texts)[number]) => {
      // A browser's setting also moves the widths at which the layout changes; a page's own root size does not.
      const standard = text === texts[1] ? 32 : 16;
      await cdp.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard - 3 } });
      await page.evaluate(
        (size) => document.documentElement.style.setProperty('font-size', size),
        text === texts[2] ? '200%' : '',
      );
    };
    await visit(page, stack, async (name) => {
      for (const text of texts) {
        await enlarge(text);
        for (const width of widthsOf(text, visit === everythingOpened)) {
          await page.setViewportSize({ width, height: 800 });
          const found = await tooWide(page);
          if (found !== null) wide.push(`${name}, ${width} px, text ${text}: ${found}`);
        }
      }
      await enlarge(texts[0]);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    expect(wide).toEqual([]);
  });
}
