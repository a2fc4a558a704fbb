import { expect, test } from '../support/test.ts';

test('an engineer reads a call in the API reference and sends it, under the page’s own policy', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}/docs#/brand`);
  // Some hundreds of calls are drawn at once.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Counterfoil API', { timeout: 30_000 });
  await page.getByText('Every code').click();
  await expect(page.getByRole('cell', { name: 'customer.notYours' })).toBeVisible();

  await page.getByRole('button', { name: '/v1/brands-settings', exact: false }).first().click();
  await expect(page.getByText('For anybody; no sign-in.')).toBeVisible();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByPlaceholder('d', { exact: true }).fill('localhost');
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.locator('.live-responses-table .response-col_status').last()).toContainText('200');
});
