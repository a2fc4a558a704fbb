import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { billingOf, csvRows } from '../support/billing.ts';
import { expect, signedIn, test } from '../support/test.ts';

const rows = (page: Page): Locator => page.locator('tbody').getByRole('row');

test('transactions: the first agreement by itself, periods by search, extra columns, sorting, the file [portal.product.view-transactions, decisions.5.constant.period-dates-file]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({
    hasGateway: false,
    settings: [
      'endPortalTransactionsExtraTab1=true',
      'endPortalTransactionsExtraTab3=true',
      'transactionExtraLabels=["Purchase order","Site","Tariff"]',
    ],
  });
  const make = billingOf(providers, provider);
  const first = await make.agreement('Fixed line', '2020-01-01');
  const second = await make.agreement('Mobile', '2024-01-01');
  await make.period(first, '2026-02-01', '2026-02-28');
  await make.period(first, '2026-03-01', '2026-03-31');
  await make.period(second, '2026-03-05', '2026-03-19');
  for (let number = 1; number <= 26; number += 1) {
    await make.line({
      agreementId: first,
      name: `Product ${number}`,
      from: '2026-03-02',
      to: '2026-03-31',
      amount: number * 100 + 5,
      extra: [`PO-${number}`, 'hidden', 'Gold'],
    });
  }
  await make.line({ agreementId: first, name: 'Of February', from: '2026-02-03', amount: 999 });
  await make.line({ agreementId: second, name: '=SUM(A1)', from: '2026-03-06', amount: 250 });

  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/transactions`);
  await test.step('the menu says where one is [portal.route.screen.transactions, portal.shell.control.menu.transactions, portal.transactions.{screen.page,text.title}]', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Transactions', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
  await test.step('the first agreement and its latest month by themselves, 25 rows a page [portal.transactions.{control.agreement,first-agreement,first-agreement-periods}, decisions.5.period-month, portal.grid.page-size.constant.transactions]', async () => {
    await expect(page.getByLabel('Agreement')).toHaveValue(first);
    await expect(page.getByText('March 2026', { exact: true })).toBeVisible();
    await expect(rows(page)).toHaveCount(25);
  });
  await test.step('the extra columns that the brand names [portal.transactions.extra-headers]', async () => {
    await expect(page.getByRole('columnheader', { name: 'Purchase order' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Tariff' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Site' })).toHaveCount(0);
  });
  await test.step('the price sorts, up and down [portal.transactions.sortable]', async () => {
    const byPrice = page.getByRole('columnheader', { name: 'Price' }).getByRole('button');
    await byPrice.click();
    await expect(rows(page).first()).toContainText('$1.05');
    await byPrice.click();
    await expect(rows(page).first()).toContainText('$26.05');
  });
  await expectAccessible(page, 'transactions');

  const save = async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Transactions' }).click();
    const file = await saved;
    const text = readFileSync(await file.path(), 'utf8');
    return { name: file.suggestedFilename(), rows: csvRows(text), isMarked: text.startsWith('\uFEFF') };
  };
  await test.step('a file is named after its month [portal.transactions.control.download, portal.format.constant.csv-transactions, decisions.5.constant.period-month-file]', async () => {
    const march = await save();
    expect(march.name).toBe('03_2026_Transactions.csv');
    expect(march.rows).toHaveLength(26);
    expect(march.rows[0]).toContain('PO-');
  });

  await test.step('periods by keyboard: the list opens, a search narrows it, Enter chooses [portal.transactions.control.period]', async () => {
    await page.getByLabel('Period:').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', { name: 'Period:' }).fill('feb');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveCount(1);
  });
  await expect(rows(page).first()).toContainText('Not invoiced yet');

  await test.step('a period that is no month is named by its dates [portal.transactions.period-text, decisions.5.period-dates]', async () => {
    await page.getByLabel('Agreement').selectOption('Mobile');
    await expect(page.getByText('03.05.2026 – 03.19.2026')).toBeVisible();
  });
  const mobile = await save();
  expect(mobile.name).toBe('2026-03-05_2026-03-19_Transactions.csv');
  expect(mobile.rows).toHaveLength(1);
  expect(mobile.rows[0]).toContain("'=SUM(A1)");

  // For a program that stumbles over the mark: chosen once, for every CSV, also after a reload.
  expect(mobile.isMarked).toBe(true);
  await page.getByRole('button', { name: 'CSV options' }).focus();
  await page.keyboard.press('Enter');
  const stored = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/preferences/'),
  );
  await page.getByLabel('For Excel (byte order mark)').press('Space');
  await stored;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'CSV options' })).toBeFocused();
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  expect((await save()).isMarked).toBe(false);
});

test('transactions: a customer without an agreement is told so', async ({ page, stack, providers }) => {
  const provider = await providers.add({ hasGateway: false });
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/transactions`);
  await expect(page.getByRole('heading', { name: 'There are no agreements yet' })).toBeVisible();
  await expectAccessible(page, 'transactions-empty');
});

test('transactions, cost centres and service items that a brand switches off are nowhere [portal.brand.field.{endShowTransactions,endShowCostCentre,endShowServiceItem}, portal.route.screen.{transactions,cost-centre,service-items}, portal.shell.control.menu.{transactions,cost-centre,service-items}]', async ({
  page,
  stack,
  providers,
}) => {
  const areas = ['Transactions', 'CostCentre', 'ServiceItem'];
  const settings = areas.map((area) => `endShow${area}=false`);
  const provider = await providers.add({ hasGateway: false, settings });
  await signedIn(page, stack, provider, provider.url);
  for (const path of ['transactions', 'cost-centre', 'service-items']) {
    await page.goto(`${provider.url}/${path}`);
    await expect(page).not.toHaveURL(new RegExp(path));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Invoices', exact: true })).toBeVisible();
  for (const name of ['Transactions', 'Cost Centre', 'Service Items']) {
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  }
});
