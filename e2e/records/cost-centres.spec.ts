import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { billingOf, csvRows } from '../support/billing.ts';
import type { Providers } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const rows = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') });
const rowOf = (page: Page, item: string): Locator => rows(page).filter({ hasText: item });
const names = (page: Page): Promise<string[]> =>
  rows(page).evaluateAll((all) => all.map((row) => /L-\d+/.exec(row.textContent ?? '')?.[0] ?? ''));

/** A provider whose customer has thirty lines and one SIM. */
async function withItems(providers: Providers) {
  const voice = randomUUID();
  const provider = await providers.add({
    hasGateway: false,
    settings: ['endServiceItemDisplayName=Line', `endServiceId=${voice}`],
  });
  const make = billingOf(providers, provider);
  await make.service('Voice', voice);
  const data = await make.service('Data');
  for (let number = 1; number <= 30; number += 1) {
    const name = `L-${String(number).padStart(2, '0')}`;
    await make.item(voice, name, number <= 3 ? `Front Desk ${number}` : null, number % 2 ? 'Sales' : null);
  }
  await make.item(data, 'SIM-1', 'Tablet', 'Field');
  return provider;
}

test('cost centres: filters, the file of what is filtered, and a row edited by keyboard [portal.product.allocate]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  const provider = await withItems(providers);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/cost-centre`);
  await test.step('the menu says where one is [portal.route.screen.cost-centre, portal.shell.control.menu.cost-centre, portal.cost-centres.{screen.page,text.title}]', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Cost Centre Allocation' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Cost Centre', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
  await test.step('the items of one service, 25 a page [portal.cost-centres.{control.service,screen.grid}, portal.grid.page-size.constant.cost-centre]', async () => {
    await page.getByLabel('Service', { exact: true }).selectOption('Voice');
    await expect(rows(page)).toHaveCount(25);
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    await expect(rows(page)).toHaveCount(5);
  });

  await test.step('each search finds what contains it, in any case [portal.cost-centres.control.search.{service-item,description,cost-centre}, portal.cost-centres.contains]', async () => {
    await page.getByRole('searchbox', { name: 'Service Item' }).fill('l-0');
    await page.getByRole('searchbox', { name: 'Cost Centre' }).fill('SALES');
    await page.getByRole('searchbox', { name: 'Description' }).fill('desk');
    await expect(rows(page)).toHaveCount(2);
    expect(await names(page)).toEqual(['L-01', 'L-03']);
  });
  await expect(page).not.toHaveURL(/page=2/);
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await test.step('the file of what is filtered [portal.cost-centres.control.download, portal.format.constant.csv-cost-centre]', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('Cost_Centre_Voice.csv');
    expect(csvRows(readFileSync(await file.path(), 'utf8'))).toEqual([
      '"L-01","Front Desk 1","Sales"',
      '"L-03","Front Desk 3","Sales"',
    ]);
  });

  // The modal by keyboard alone: it takes the focus, Escape discards, Enter saves, the focus comes back.
  const edit = rowOf(page, 'L-01').getByRole('button', { name: 'Edit L-01' });
  const modal = page.getByRole('dialog', { name: 'Edit Cost Centre' });
  await test.step('the dialog by keyboard alone: it has the row, takes the focus, and discards [portal.cost-centres.{screen.modal,text.modal-title,field.modal.description,field.modal.costCentre,control.discard,opens-with-row}]', async () => {
    await edit.focus();
    await page.keyboard.press('Enter');
    await expect(modal.getByLabel('Description')).toBeFocused();
    await expect(modal.getByLabel('Description')).toHaveValue('Front Desk 1');
    await expect(modal.getByLabel('Cost Centre')).toHaveValue('Sales');
    await expectAccessible(page, 'cost-centre-edit');
    await page.keyboard.type('lost');
    await page.keyboard.press('Escape');
    await expect(modal).toBeHidden();
    await expect(edit).toBeFocused();
    await page.keyboard.press('Enter');
    await modal.getByRole('button', { name: 'Discard' }).click();
    await expect(modal).toBeHidden();
    await edit.focus();
  });

  await test.step('a failure is told, and what was typed stays [portal.service-items.error.update-failure]', async () => {
    cleanConsole.allow(/ApiError|500/);
    await page.route('**/v1/ec/service-items/*', (route) =>
      route.fulfill({
        status: 500,
        json: { status: 500, code: 'server.fault', message: 'x', requestId: 'r' },
      }),
    );
    await page.keyboard.press('Enter');
    await modal.getByLabel('Cost Centre').fill('Depot');
    await modal.getByRole('button', { name: 'Save' }).click();
    await expect(modal.getByText('Our server returned error, try again later')).toBeVisible();
    await expect(modal.getByLabel('Cost Centre')).toHaveValue('Depot');
    await page.unroute('**/v1/ec/service-items/*');
  });

  await test.step('what is emptied is sent as nothing, and the dialog closes [portal.cost-centres.{control.save,save-closes,empty-description,empty-cost-centre}]', async () => {
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await modal.getByLabel('Cost Centre').fill('');
    await modal.getByLabel('Description').fill(' ');
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toEqual({ description: null, costCentre: null });
    await expect(modal).toBeHidden();
  });
  // It has none of what is filtered for any more.
  await expect(rows(page)).toHaveCount(1);
});

test('cost centres: many are set at once, and undone; the summary adds up to the invoices [portal.cost-centres.screen.page, decisions.5.{cost-centre-history,cost-centre-date}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await withItems(providers);
  await provider.bill('40.10');
  await provider.bill('2.20');
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/cost-centre?service=all`);
  await expect(rows(page)).toHaveCount(25);
  // A choice stands over pages; all are chosen at once, those of other pages too.
  await page.getByRole('checkbox', { name: 'Select L-04' }).click();
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(rows(page)).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select L-30' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Select all 31' }).click();
  await expect(page.getByText('31 selected')).toBeVisible();
  await page.reload();
  await expect(rows(page)).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select L-30' }).click();
  await page.getByRole('searchbox', { name: 'Description' }).fill('front');
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all that are listed' }).click();
  await expect(page.getByText('3 selected')).toBeVisible();
  await expectAccessible(page, 'cost-centre-selected');
  await page.getByRole('button', { name: 'Set cost centre…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set cost centre' });
  await dialog.getByLabel('Cost Centre').fill('Depot');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 service items are now allocated to Depot.')).toBeVisible();
  await expect(rowOf(page, 'L-02')).toContainText('Depot');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 service items are as they were before.')).toBeVisible();
  await expect(rowOf(page, 'L-01')).toContainText('Sales');
  await expect(rowOf(page, 'L-02')).not.toContainText('Depot');

  // An undo is a change like any other.
  await page.getByRole('button', { name: 'Recent changes' }).click();
  const changes = page.getByRole('dialog', { name: 'Recent changes' });
  await expect(changes.getByRole('listitem')).toHaveCount(2);
  await expect(changes.getByText('Undone')).toBeVisible();
  await changes.getByRole('button', { name: /^Undo/ }).click();
  await expect(changes.getByText('3 service items are as they were before.')).toBeVisible();
  await changes.getByRole('button', { name: 'Close' }).click();
  await expect(rowOf(page, 'L-03')).toContainText('Depot');

  await page.getByRole('tab', { name: 'Cost summary' }).click();
  await page.getByLabel('Invoices of').selectOption('Last 12 months');
  const sums = page.locator('dl').filter({ hasText: '2 invoices' });
  await expect(sums).toContainText('$42.30');
  const figures = (await sums.locator('dd').allTextContents()).map((text) =>
    Math.round(Number(text.replace(/[^\d.-]/g, '')) * 100),
  );
  expect((figures[0] ?? 0) + (figures[1] ?? 0)).toBe(figures[2]);
  await expect(page.getByText(/With the allocation of \d\d\.\d\d\.\d{4}/)).toBeVisible();
  await expectAccessible(page, 'cost-summary');
});

test('service items: the brand’s word and service, sorted, searched, edited; failures are told [portal.product.service-items]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError|500/);
  const provider = await withItems(providers);
  await signedIn(page, stack, provider, provider.url);
  const problem = { status: 500, code: 'server.fault', message: 'x', requestId: 'request-of-the-test' };
  await test.step('a failure to load is told [portal.service-items.error.load-failure]', async () => {
    await page.route('**/v1/ec/service-items*', (route) => route.fulfill({ status: 500, json: problem }));
    await page.goto(`${provider.url}/service-items`);
    await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
    await expect(page.getByText('request-of-the-test')).toBeVisible();
    await page.unroute('**/v1/ec/service-items*');
  });

  // The banner goes with what it stood for.
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0);
  await test.step('the brand’s word is the title, the menu’s is its own [portal.route.screen.service-items, portal.shell.control.menu.service-items, portal.service-items.{screen.page,title}]', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Line', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Service Items', exact: true })).toBeVisible();
  });
  await test.step('the items of the brand’s service, 25 a page [portal.grid.page-size.constant.service-items, portal.service-items.end-service-id]', async () => {
    await expect(rows(page)).toHaveCount(25);
    await expect(page.getByText('1–25 of 30')).toBeVisible();
  });
  await test.step('sorted up and down [portal.service-items.sortable]', async () => {
    await page.getByRole('columnheader', { name: 'Line' }).getByRole('button').click();
    expect((await names(page))[0]).toBe('L-01');
    await page.getByRole('columnheader', { name: 'Line' }).getByRole('button').click();
    await expect(rows(page).first()).toContainText('L-30');
  });
  await page.getByRole('searchbox', { name: 'Search' }).fill('DESK 2');
  await expect(rows(page)).toHaveCount(1);
  await rowOf(page, 'L-02').getByRole('button', { name: 'Edit L-02' }).click();
  const modal = page.getByRole('dialog', { name: 'Edit Line' });
  await modal.getByLabel('Cost Centre').fill('Depot');
  await modal.getByRole('button', { name: 'Save' }).click();
  await expect(modal).toBeHidden();
  await expect(rowOf(page, 'L-02')).toContainText('Depot');
  await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
  await expect(page.getByRole('heading', { name: 'Nothing matches your search' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(rows(page)).toHaveCount(25);
  await expectAccessible(page, 'service-items');
});
