import type { Browser, Page } from '@playwright/test';
import { demoPassword } from './support/demo.ts';
import { expect, type Stack, signedIn, test } from './support/test.ts';

test.describe.configure({ mode: 'parallel', timeout: 180_000 });

const person = { email: 'stripe@demo.example', password: demoPassword };

/** Every page of the portal by its path, and the two outside it that people come to most. */
const SIGNED_IN = [
  ...['/dashboard', '/invoices', '/transactions', '/usage', '/reports', '/cost-centre', '/service-items'],
  ...['/statement', '/payment-types', '/security', '/sessions', '/settings'],
];

/** On a phone the height of these is known only with their rows. */
const GROWING = ['/dashboard', '/invoices', '/statement'];

const payPath = ({ world }: Stack): string =>
  new URL(world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null)?.payLink ?? '')
    .pathname;

/** Waits until a page has what it asked for. */
async function arrived(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** Opens every page in turn, signed in where that is needed; the first invoice of the list is one of them. */
async function everyPage(page: Page, stack: Stack, look: (name: string) => Promise<void>): Promise<void> {
  for (const path of ['/login', payPath(stack)]) {
    await page.goto(`${stack.url}${path}`);
    await arrived(page);
    await look(path.startsWith('/pay') ? '/pay' : path);
  }
  await signedIn(page, stack, person);
  for (const path of SIGNED_IN) {
    await page.goto(`${stack.url}${path}`);
    await arrived(page);
    await look(path);
  }
  await page.goto(`${stack.url}/invoices`);
  const invoice = page.locator('main a[href^="/invoices/"]').first();
  await page.goto(`${stack.url}${await invoice.getAttribute('href')}`);
  await arrived(page);
  await look('/invoices/{id}');
}

const touch = (browser: Browser, width: number) =>
  browser.newContext({ hasTouch: true, isMobile: true, viewport: { width, height: 844 } });

for (const width of [1280, 390]) {
  test(`nothing moves while a page loads over a slow line, at ${width} px`, async ({ page, stack }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
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
    });
    let turn = 0;
    // Answers come one after another, as they do where the way is long.
    await page.route('**/v1/**', async (route) => {
      const wait = 250 + 150 * (turn++ % 5);
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.continue().catch(() => undefined);
    });
    const moved: string[] = [];
    await everyPage(page, stack, async (name) => {
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { layoutShifts: string[] }).layoutShifts,
      );
      const sum = shifts.reduce((total, one) => total + Number.parseFloat(one), 0);
      if (sum >= 0.02 && !(width === 390 && GROWING.includes(name)))
        moved.push(`${name}: ${sum.toFixed(3)} (${shifts.join('; ')})`);
    });
    expect(moved).toEqual([]);
  });
}

for (const width of [1280, 640]) {
  test(`with text at 200 % no page scrolls sideways, ${width} px wide`, async ({ page, stack }) => {
    await page.setViewportSize({ width, height: 900 });
    // What a browser's setting does: lengths in rem, and the widths at which the layout changes.
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    const wide: string[] = [];
    await everyPage(page, stack, async (name) => {
      const found = await page.evaluate(() => {
        const root = document.documentElement;
        if (root.scrollWidth <= innerWidth) return null;
        const out = [...document.querySelectorAll('body *')].filter(
          (one) => one.getBoundingClientRect().right > innerWidth + 1,
        );
        return `${root.scrollWidth}: ${out
          .slice(0, 4)
          .map((one) => `${one.nodeName}.${one.className} ${one.textContent.slice(0, 20)}`)
          .join(' | ')}`;
      });
      if (found !== null) wide.push(`${name} ${found}`);
    });
    expect(wide).toEqual([]);
  });
}

for (const width of [390]) {
  test(`targets are 44 px for fingers, ${width} px wide`, async ({ browser, stack }) => {
    const context = await touch(browser, width);
    const page = await context.newPage();
    const small: string[] = [];
    await everyPage(page, stack, async (name) => {
      const found = await page.evaluate(() => {
        const isShown = (one: Element) =>
          one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        // A link within a sentence is as high as its line.
        const isInText = (one: Element) => one.nodeName === 'A' && getComputedStyle(one).display === 'inline';
        return [
          ...document.querySelectorAll(
            'a[href], button, input:not([type=hidden]), select, summary, [role=button], [role=tab]',
          ),
        ]
          .filter((one) => isShown(one) && !isInText(one) && one.closest('[inert]') === null)
          .flatMap((one) => {
            const label = (one as HTMLInputElement).labels?.[0] ?? one.closest('label');
            const target =
              label?.contains(one) || one.matches('[type=checkbox], [type=radio]') ? (label ?? one) : one;
            const { width, height } = target.getBoundingClientRect();
            if (width < 2 || (width >= 43.5 && height >= 43.5)) return [];
            return [
              `${one.nodeName}.${String(one.className)} ${(one.getAttribute('aria-label') ?? one.textContent).slice(0, 30)} ${Math.round(width)}×${Math.round(height)}`,
            ];
          });
      });
      small.push(...new Set(found.map((one) => `${name} ${one}`)));
    });
    await context.close();
    expect(small).toEqual([]);
  });
}
