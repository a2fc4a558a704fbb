import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { cards, PayPage, withoutServedPayment } from '../../support/pay-page.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

/** The code that pays, which comes after the form. */
const payingCode = '**/assets/open-pay-flow-*.js';
const lost = /This page could not be loaded completely/;

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['emailReceipt=true'] });
});

const pageTitle = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'This page could not be loaded completely' });
const slipText = (page: Page) => page.getByRole('main').innerText();

test('the code that pays is there before anybody presses Pay', async ({ page }) => {
  const bill = await provider.bill('41.00');
  const code = page.waitForResponse(payingCode);
  await new PayPage(page).open(provider, bill);
  expect((await code).ok()).toBe(true);
});

test('a press before the code that pays is there pays once when it is', async ({ page, stack }) => {
  const bill = await provider.bill('42.00');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(payingCode, async (route) => {
    await held;
    await route.continue();
  });
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.button).toHaveAttribute('aria-busy', 'true');
  await pay.button.press('Enter');
  letGo();
  await expect(pay.heading('Payment Successful')).toBeFocused();
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 4_200, state: 'captured' }]);
});

test('where the code that pays does not come, nothing is charged, the page says so, and a new load pays', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('43.00');
  await page.route(payingCode, (route) => route.abort());
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await expect(page.getByRole('alert').filter({ hasText: lost })).toContainText('Nothing was charged.');
  await page.getByLabel('Email Receipt').fill('typed@e2e.example');
  await pay.pay(cards.good);
  await expect(pay.button).toHaveText('Pay $43.00');
  await expect(page.getByRole('alert').filter({ hasText: lost })).toBeVisible();
  expect(await slipText(page)).not.toMatch(/failed/i);
  await expectAccessible(page, 'pay-code-lost');
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);

  await page.unroute(payingCode);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.getByRole('alert').filter({ hasText: lost })).toHaveCount(0);
  await expect(page.getByLabel('Email Receipt')).toHaveValue('typed@e2e.example');
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
});

test('a page that has to ask for its invoice says so, too, when its code does not come', async ({ page }) => {
  const bill = await provider.bill('44.00');
  await withoutServedPayment(page);
  await page.route(payingCode, (route) => route.abort());
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(pageTitle(page)).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Nothing was charged.');
  expect(await slipText(page)).not.toMatch(/failed/i);
  await expectAccessible(page, 'pay-code-lost-loading');
});
