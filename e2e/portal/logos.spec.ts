import type { Locator, Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import { isLongRun } from '../support/long-run.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** Colours of logos on a transparent ground: what vanishes on white, on black, on a brand's blue, and what stands between. */
const colours = ['#ffffff', '#0b1420', '#1d6fc4', '#ffd23f', '#767676'];
const LEAST_RATIO = 3;
/** Brands of the demo world, each with colours of its own. */
const hosts = ['localhost', 'split.localhost', 'moneris.localhost', 'none.localhost'];
/** A plate is chosen by the logo, whatever the brand: the lightest and the darkest are seen in each. */
const hostsOf = (colour: string): readonly string[] =>
  isLongRun || colours.indexOf(colour) < 2 ? hosts : hosts.slice(0, 1);

const logoOf = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><rect x="24" y="24" width="72" height="72" fill="${colour}"/></svg>`;

/** WCAG contrast of a logo's middle to what is around it, as it is painted. */
async function contrastOf(page: Page, logo: Locator): Promise<number> {
  const png = (await logo.screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const lightness = (x: number, y: number): number => {
      const [r = 0, g = 0, b = 0] = context?.getImageData(Math.round(x), Math.round(y), 1, 1).data ?? [];
      const [red = 0, green = 0, blue = 0] = [r, g, b].map((value) => {
        const v = value / 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const inside = lightness(image.width / 2, image.height / 2);
    const around = lightness(image.width / 2, image.height * 0.1);
    return (Math.max(inside, around) + 0.05) / (Math.min(inside, around) + 0.05);
  }, png);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a logo of any colour can be told from its ground, ${colorScheme}`, async ({ page, stack }) => {
    test.slow(); // 16 pages, of a long run 25
    await page.emulateMedia({ colorScheme });
    let colour = '';
    await page.route('**/v1/brands/*/logo', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: logoOf(colour) }),
    );
    const faint: string[] = [];
    const look = async (where: string): Promise<void> => {
      const logo = page.locator('img[src$="/logo"]').first();
      await expect(logo).toBeVisible();
      const ratio = () => contrastOf(page, logo);
      // The plate comes with the code that chooses it.
      await expect
        .poll(ratio, { timeout: 15_000 })
        .toBeGreaterThanOrEqual(LEAST_RATIO)
        .catch(async () => faint.push(`${colour} ${where}: ${(await ratio()).toFixed(2)}`));
    };
    for (colour of colours) {
      for (const host of hostsOf(colour)) {
        await page.goto(`${stack.at(host)}/login`);
        await look(`sign-in of ${host}`);
      }
    }
    await signedIn(page, stack, { email: 'stripe@demo.example', password: demoPassword });
    for (colour of colours) {
      await page.goto('/settings/security');
      // While the portal loads, a veil lies over the header.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
      await look('header');
    }
    expect(faint).toEqual([]);
  });
}
