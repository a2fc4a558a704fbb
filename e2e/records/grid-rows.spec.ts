import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { billingOf } from '../support/billing.ts';
import type { Providers } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** The rows of a grid are reused from page to page; what belongs to one row of data must not show in another's. */
const rowOf = (page: Page, text: string): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .filter({ hasText: text });

/** Thirty service items, `Item 01` to `Item 30`, each with its own cost centre in that order. */
async function withItems(providers: Providers) {
  const service = randomUUID();
  const provider = await providers.add({ hasGateway: false, settings: [`endServiceId=${service}`] });
  const make = billingOf(providers, provider);
  await make.service('Voice', service);
  for (let number = 1; number <= 30; number += 1) {
    const place = String(number).padStart(2, '0');
    await make.item(service, `Item ${place}`, null, `Team ${place}`);
  }
  return provider;
}

test('a download under way stays with its invoice through sorts, and shows on no other page', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await providers.add();
  for (let number = 1; number <= 7; number += 1) await provider.bill(`${number}.00`);
  await signedIn(page, stack, provider, provider.url);
  // The files never come.
  await page.route('**/v1/ec/invoices/*', () => undefined);
  await page.goto(`${provider.url}/dashboard`);
  const table = page.getByRole('table', { name: 'Invoices' });
  const busy = table.locator('tbody [aria-busy="true"]');
  const amount = table.getByRole('columnheader', { name: 'Amount', exact: true }).getByRole('button');
  await amount.click();
  await rowOf(page, '$5.00').getByRole('button', { name: /^PDF/ }).click();
  await rowOf(page, '$2.00').getByRole('button', { name: /^PDF/ }).click();
  await expect(busy).toHaveCount(2);
  // Falling, $5.00 stands on the first page still, at another place, and $2.00 does not.
  await amount.click();
  await expect(table.locator('tbody tr').first()).toContainText('$7.00');
  await expect(busy).toHaveCount(1);
  await expect(rowOf(page, '$5.00').locator('[aria-busy="true"]')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rowOf(page, '$2.00')).toBeVisible();
  await expect(busy).toHaveCount(0);
});

test('a dialog opened from a row closes with its page, and opens from no other row', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await providers.add({ hasGateway: false, settings: ['bankDetails=["Northline"]'] });
  for (let number = 1; number <= 27; number += 1) await provider.bill(`${number}.00`);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices?sort=amount`);
  await page.getByRole('button', { name: 'Next' }).click();
  await rowOf(page, '$27.00').getByRole('button', { name: 'How to pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'How to pay' });
  await expect(dialog).toContainText('$27.00');
  await page.goBack();
  await expect(rowOf(page, '$2.00')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('after a dialog the focus is at the same row, wherever that went, or at none', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await withItems(providers);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/cost-centre?sort=costCentre`);
  const modal = page.getByRole('dialog', { name: 'Edit Cost Centre' });
  const edit = (item: string) => page.getByRole('button', { name: `Edit ${item}` });
  const move = async (item: string, to: string) => {
    await edit(item).focus();
    await page.keyboard.press('Enter');
    await modal.getByLabel('Cost Centre').fill(to);
    await modal.getByRole('button', { name: 'Save' }).click();
    await expect(modal).toBeHidden();
  };
  await move('Item 09', 'A Team');
  await expect(page.locator('tbody tr').first()).toContainText('Item 09');
  await expect(edit('Item 09')).toBeFocused();
  // The last one leaves the page.
  await move('Item 09', 'Z Team');
  await expect(edit('Item 09')).toHaveCount(0);
  await expect(page.locator('tbody :focus')).toHaveCount(0);
});

test('a focused box is of no other row after the page was turned', async ({ page, providers, stack }) => {
  const provider = await withItems(providers);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/cost-centre`);
  await page.getByRole('button', { name: 'Next' }).click();
  await rowOf(page, 'Item 27').getByRole('checkbox').focus();
  await page.goBack();
  await expect(rowOf(page, 'Item 02')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.locator('tbody :focus')).toHaveCount(0);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
});
