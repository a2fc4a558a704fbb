import type { Locator } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, signedIn, test } from '../support/test.ts';
import { cell, head, openUsage, options, price, rows, settled, total, usageWorld } from '../support/usage.ts';

test('usage: 250,000 records of one customer: exact totals, and any page', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  const year = new Date().getUTCFullYear();
  const days = { dateFrom: `${year - 3}-01-01`, dateTo: `${year}-12-31` };
  await openUsage(page, world, `/usage?timeframe=dates&from=${days.dateFrom}&to=${days.dateTo}&service=all`);
  await expect(total(page, 'Records')).toHaveText('250,000', { timeout: 30_000 });
  await expect(page.getByRole('listbox', { name: /^Records per month/ })).toBeVisible();
  await page.getByRole('button', { name: 'Page 2,500', exact: true }).click();
  await expect(cell(page, 0, 0)).toHaveText('249,901');
  await expect(rows(page)).toHaveCount(100);
  await expect(page.getByText('249,901–250,000 of 250,000')).toBeVisible();

  // A month, then a day of it, and back in two steps.
  await page
    .getByRole('listbox', { name: /^Records per month/ })
    .getByRole('option')
    .nth(3)
    .click();
  await page
    .getByRole('listbox', { name: /^Records per day/ })
    .getByRole('option')
    .nth(3)
    .click();
  await expect(page).toHaveURL(/only=\d{4}-\d\d-\d\d/);
  await page.getByRole('button', { name: /^Show [A-Z][a-z]+ \d{4}$/ }).click();
  await expect(page).toHaveURL(/only=\d{4}-\d\d(&|$)/);
  await page.getByRole('button', { name: 'Show whole timeframe' }).click();
  await expect(total(page, 'Records')).toHaveText('250,000');
});

test('usage: the dearest ten of the filter', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  await page.getByRole('button', { name: 'Top 10 by price' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top 10 by price' });
  const top = await world.list({
    ...world.lastMonth,
    order: 'price',
    orderDirection: 'desc',
    pageSize: 10,
  });
  await expect(dialog.locator('tbody').getByRole('row')).toHaveCount(10);
  await expect(dialog.locator('tbody').getByRole('row').first()).toContainText(
    price(top.endUsageDetails[0]?.price ?? 0),
  );
  await expectAccessible(page, 'usage-top', { within: 'dialog' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Top 10 by price' })).toBeFocused();
});

test('usage: by keyboard alone', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth');
  await settled(page);
  const tabTo = async (target: Locator) => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error('not reached by Tab');
  };
  await tabTo(page.getByRole('button', { name: 'Download Usage' }));
  await tabTo(page.getByLabel('Service', { exact: true }));
  await page.keyboard.type('Voice');
  await expect(page).toHaveURL(/service=/);
  await tabTo(page.getByLabel('Connection', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('202 555 0101');
  await expect(page.getByRole('listbox', { name: 'Connection' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/connection=/);
  await tabTo(page.getByRole('searchbox'));
  await page.keyboard.type('+1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/number=/);
  await tabTo(page.getByRole('listbox', { name: /^Records per day/ }));
  await page.keyboard.press('End');
  await tabTo(head(page, 'Price').getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(head(page, 'Price')).toHaveAttribute('aria-sort', 'ascending');
});

const problem = { status: 500, code: 'server.fault', message: 'x', requestId: 'request-of-the-test' };

test('usage: filled and empty', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  await expect(rows(page)).toHaveCount(25);
  await settled(page);
  await expectAccessible(page, 'usage');
  await page.goto('/usage?timeframe=last7Days&number=nowhere');
  await expect(page.getByRole('heading', { name: 'There are no usage records here' })).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'usage-empty');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/number=/);
});

test('usage: while it is loading, and when that fails', async ({ page, stack, cleanConsole }) => {
  cleanConsole.allow(/ApiError|500/);
  const world = await usageWorld(stack);
  const calls = /v1\/ec\/usage/;
  const held: (() => void)[] = [];
  await page.route(calls, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.fulfill({ status: 500, json: problem });
  });
  await openUsage(page, world, '/usage?timeframe=lastMonth&size=25');
  await expect.poll(() => held.length).toBe(2);
  await expect(page.getByRole('heading', { name: 'Records per day' })).toBeVisible();
  await expectAccessible(page, 'usage-loading');
  for (const answer of held) answer();
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
  await expect(page.getByText('request-of-the-test')).toHaveCount(2);
  await expectAccessible(page, 'usage-failed');
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(rows(page)).toHaveCount(25);
});

test('usage: what the server refuses is said in its words; record types that do not come can be asked for again [portal.usage.error.record-types-failure]', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError|500/);
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&size=25');
  await settled(page);
  // A sort that would take too long is no fault: the words of the server, and no banner.
  const words =
    'This takes too long over so many records. Please narrow the dates, or sort by another column';
  await page.route(/v1\/ec\/usage\?.*order=siteName/, (route) =>
    route.fulfill({
      status: 422,
      json: { status: 422, code: 'usage.tooMuch', message: words, requestId: 'r' },
    }),
  );
  await head(page, 'Site').getByRole('button').click();
  await expect(page.getByText(`${words}.`)).toBeVisible();
  await expect(page.getByText('Our server returned error')).toHaveCount(0);
  await expectAccessible(page, 'usage-refused');

  // Record types that do not come leave the rest standing, and can be asked for again.
  await page.route(/record-types/, (route) => route.fulfill({ status: 500, json: problem }));
  await page.goto('/usage?timeframe=lastMonth&size=25');
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
  await expect(rows(page)).toHaveCount(25);
  await page.unroute(/record-types/);
  await page.getByRole('button', { name: 'Not loaded. Try again' }).click();
  await expect(page.getByRole('button', { name: 'Not loaded. Try again' })).toHaveCount(0);
  // The choice is marked as loading no more before its options stand.
  await expect.poll(async () => (await options(page, 'Type')).length).toBeGreaterThan(1);
});

test('usage that a brand switches off is nowhere, nor is its cost centre [portal.brand.field.{endShowUsageCostCentre,endShowUsage}, portal.route.screen.usage, portal.shell.control.menu.usage, portal.usage.cost-centre-flag]', async ({
  page,
  stack,
  providers,
}) => {
  const off = await providers.add({ hasGateway: false, settings: ['endShowUsage=false'] });
  await signedIn(page, stack, off, off.url);
  await page.goto(`${off.url}/usage`);
  await expect(page).not.toHaveURL(/usage/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Usage', exact: true })).toHaveCount(0);

  const on = await providers.add({ hasGateway: false });
  await signedIn(page, stack, on, on.url);
  await page.goto(`${on.url}/usage`);
  await expect(page.getByRole('heading', { name: 'There are no usage records here' })).toBeVisible();
  await expect(head(page, 'Site')).toBeVisible();
  await expect(head(page, 'Cost Centre')).toHaveCount(0);
  await expect(page.getByLabel('Service', { exact: true })).toHaveValue('all');
});
