import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, signInByForm, test } from '../support/test.ts';

/** What fails for a while: the banner, what comes back by itself, and what is said of a long wait. */
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add();
  await provider.bill('10.00');
});

test.beforeEach(({ cleanConsole }) => cleanConsole.allow(/ApiError/));

const banner = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' });
const nextBill = '**/v1/ec/next-bill';

test('a server that answers again: the part comes back by itself, the banner goes, the focus stays', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, provider, provider.url);
  await page.route(nextBill, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`${provider.url}/dashboard`);
  await expect(banner(page)).toBeVisible();
  const part = page.getByRole('region', { name: 'Next bill' });
  await expect(part.getByRole('heading', { name: 'This part could not be loaded' })).toBeVisible();
  const settings = page.getByRole('button', { name: 'Settings' });
  await settings.focus();
  await page.unroute(nextBill);
  await expect(part.getByRole('heading', { name: 'Nothing to bill yet' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(settings).toBeFocused();
});

test('a call that goes well when it is tried again takes its banner away; the focus in it goes back', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, provider, provider.url);
  await page.route(nextBill, (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto(`${provider.url}/dashboard`);
  const again = page.getByRole('region', { name: 'Next bill' }).getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expect(banner(page)).toBeVisible();
  await page.unroute(nextBill);
  await again.click();
  await expect(banner(page)).toHaveCount(0);

  const pdf = page.getByRole('region', { name: 'Recent Invoice' }).getByRole('button', { name: /^PDF/ });
  const file = '**/v1/ec/invoices/*';
  await page.route(file, (route) => route.fulfill({ status: 500, json: {} }));
  await pdf.click();
  await expect(banner(page)).toBeVisible();
  const close = banner(page).getByRole('button', { name: 'Close message' });
  await pdf.focus();
  await close.focus();
  await close.press('Enter');
  await expect(banner(page)).toHaveCount(0);
  await expect(pdf).toBeFocused();
});

test('the network returns: what could not be reached is forgotten, and loaded where it is shown', async ({
  page,
  stack,
  context,
}) => {
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/dashboard`);
  const pdf = page.getByRole('region', { name: 'Recent Invoice' }).getByRole('button', { name: /^PDF/ });
  await expect(pdf).toBeVisible();
  await context.setOffline(true);
  await pdf.click();
  await expect(banner(page)).toBeVisible();
  await context.setOffline(false);
  await expect(banner(page)).toHaveCount(0);
});

test('a long wait of a part and of a button says so, and no longer than it lasts', async ({
  page,
  stack,
}) => {
  const note = page.getByRole('status').filter({ hasText: 'This takes longer than usual …' });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.goto(`${provider.url}/login`);
  await page.route('**/token', async (route) => {
    await answered;
    await route.continue();
  });
  await signInByForm(page, provider);
  await expect(note).toBeVisible();
  answer();
  await expect(page).toHaveURL(/\/dashboard$/);

  await signedIn(page, stack, provider, provider.url);
  const held: (() => Promise<void>)[] = [];
  await page.route(nextBill, (route) => {
    held.push(() => route.continue());
  });
  await page.goto(`${provider.url}/dashboard`);
  await expect(note).toBeVisible();
  await expectAccessible(page, 'long-wait');
  for (const go of held) await go();
  await expect(note).toHaveCount(0);
});
