import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { expect, signedIn, test } from '../support/test.ts';

const heads = (page: Page) => page.getByRole('columnheader').allTextContents();

test('columns: one is hidden and one widened by keyboard; a reload knows it, another user does not', async ({
  page,
  browser,
  stack,
  providers,
}) => {
  const provider = await providers.add({ hasGateway: false });
  const bill = await provider.bill('25.00');
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  const row = page.getByRole('row').filter({ hasText: bill.number });
  await expect(row).toBeVisible();
  const all = await heads(page);
  expect(all).toContain('Due');
  const amount = page.getByRole('columnheader', { name: 'Amount Due' });
  const width = async () => (await amount.boundingBox())?.width ?? 0;
  const before = await width();

  const button = page.getByRole('button', { name: 'Columns' });
  await button.focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Columns' });
  await expect(list).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(list.getByRole('checkbox').first()).toBeFocused();
  await list.getByRole('checkbox', { name: 'Due', exact: true }).press('Space');
  const stored = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/preferences/'),
  );
  const wider = list.getByRole('button', { name: 'Wider: Amount Due' });
  await wider.press('Enter');
  await wider.press('Enter');
  // In whole rem, from what it was.
  const chosen = Math.round(before / 16) + 4;
  await expect(list.getByRole('status').filter({ hasText: `Width of Amount Due: ${chosen}` })).toBeVisible();
  expect((await stored).status()).toBe(204);
  await expectAccessible(page, 'grid-columns', { widths: [1280], within: '[popover]' });
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(button).toBeFocused();

  const expectChosen = async () => {
    await expect(row).toBeVisible();
    expect(await heads(page)).toEqual(all.filter((name) => name !== 'Due'));
    expect(await width()).toBeCloseTo(chosen * 16, 0);
  };
  await page.reload();
  await expectChosen();

  const email = `second${provider.resellerId}@e2e.example`;
  await providers.sql(
    `with one as (
       insert into app_user (id, reseller_id, email, display_name, password_hash)
       select gen_random_uuid(), reseller_id, $2, 'Second', password_hash from app_user where email = $1
       returning id)
     insert into membership (user_id, customer_id) select id, $3 from one`,
    [provider.email, email, provider.customerId],
  );
  const other = await browser.newPage();
  await signedIn(other, stack, { email, password: provider.password }, provider.url);
  await other.goto(`${provider.url}/invoices`);
  await expect(other.getByRole('row').filter({ hasText: bill.number })).toBeVisible();
  expect(await heads(other)).toEqual(all);
  await other.close();
});
