import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, saveCard } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** Payment screens at their edges: after a payment came back, with large sums, many invoices, on paper. */
test.describe.configure({ mode: 'parallel' });

const visa = 'Visa ending 4242';
/** Of whole boxes: what is cut by an ellipsis is wider than its cell. */
const cutFigures = (page: Page): Promise<string[]> =>
  page
    .locator('td')
    .evaluateAll((cells) =>
      cells.flatMap((cell) =>
        /\d\.\d\d/.test(cell.textContent) && cell.scrollWidth > cell.clientWidth ? [cell.textContent] : [],
      ),
    );

test('a chargeback: the invoice says why it is due again, and what became of its payment', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  const bill = await provider.bill('71.00');
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, [bill]);
  await bulk.method('New Payment Method').check();
  await bulk.enterCard({ number: '4000000000000259', expiry: '12 / 31', cvc: '739' });
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: bill.number }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/^A payment came back on .* so it is due again\.$/)).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  const payments = page.getByRole('region', { name: 'Payments', exact: true });
  await expect(payments).toContainText('Visa ending 0259');
  await expect(payments.getByRole('button', { name: /^Receipt / })).toHaveCount(1);
  await expect(payments).toContainText('Payment returned by the bank');
  await expect(page.getByRole('button', { name: 'Pay', exact: true })).toBeVisible();
  await expectAccessible(page, 'invoice-returned');
});

test('sums of nine digits stand in one piece, in grids and large', async ({ page, stack, providers }) => {
  const provider = await providers.add({ currency: 'AUD', settings: ['currencySymbol=A$'] });
  await signedIn(page, stack, provider, provider.url);
  const large = await provider.bill('123456789.12');
  await provider.bill('75.25');
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  await expect(bulk.row(large)).toContainText('A$123,456,789.12');
  expect(await cutFigures(page)).toEqual([]);
  await expectAccessible(page, 'grid-large');
  await page.getByRole('link', { name: large.number }).click();
  await expect(page.getByRole('cell', { name: 'A$123,456,789.12' }).first()).toBeVisible();
  expect(await cutFigures(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${provider.url}${large.payPath}`);
  const amount = page.getByRole('main').getByText('A$123,456,789.12').first();
  await expect(amount).toBeVisible();
  const { height = 0, x = 0, width = 0 } = (await amount.boundingBox()) ?? {};
  expect(height, 'one line').toBeLessThan(45);
  expect(x + width).toBeLessThanOrEqual(320);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('what could not be loaded is tried again by keyboard, and the focus stays on the page', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError/);
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  const bill = await provider.bill('12.00');
  await page.route(/payments\/intents/, (route) =>
    route.fulfill({ status: 503, body: 'Service Unavailable' }),
  );
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  await bulk.box(bill).check();
  await bulk.paySelected().click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('main')).toContainText(
    'The server cannot answer at the moment. Please try again in a minute',
  );
  await expectAccessible(page, 'bulk-unavailable');
  await page.unroute(/payments\/intents/);
  await retry.press('Enter');
  await expect(bulk.heading(`Pay invoice ${bill.number}`)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('paper is white: what a dark screen shows can be read when it is printed', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  await page.emulateMedia({ colorScheme: 'dark' });
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--surface').trim());
  expect(await ground()).not.toBe('#ffffff');
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  expect(await ground()).toBe('#ffffff');

  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/statement`);
  await expect(page.getByRole('heading', { level: 1, name: 'Statement' })).toBeVisible();
  expect(await ground()).toBe('#ffffff');
});

test('thirty invoices on a phone: the list shows that it goes on, and all are paid', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ currency: 'EUR', settings: ['currencySymbol=€'] });
  await signedIn(page, stack, provider, provider.url);
  await saveCard(page, provider, cards.good, visa);
  for (let at = 1; at <= 30; at += 1) await provider.bill(`${at}.10`);
  await page.setViewportSize({ width: 390, height: 844 });
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  await page.getByRole('button', { name: 'Select page' }).click();
  await page
    .getByRole('button', { name: 'Page 2' })
    .or(page.getByRole('link', { name: 'Page 2' }))
    .click();
  await page.getByRole('button', { name: 'Select page' }).click();
  await expect(bulk.bar).toHaveText('30 selected, €468.00');
  await bulk.paySelected().click();
  await expect(bulk.heading('Pay 30 invoices')).toBeVisible();
  const list = page.getByRole('region', { name: 'What is to be paid' });
  // The row at the lower edge is cut in half.
  const bottom = await list.evaluate((box) => box.getBoundingClientRect().bottom);
  const edges = await list
    .locator('dt')
    .evaluateAll((rows) =>
      rows.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    );
  expect(edges.some(([top = 0, end = 0]) => top < bottom - 6 && end > bottom)).toBe(true);
  await bulk.method(visa).check();
  await expectAccessible(page, 'bulk-thirty');
  await page.setViewportSize({ width: 390, height: 844 });
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await expect(page.getByText('You paid €468.00')).toBeVisible();
});
