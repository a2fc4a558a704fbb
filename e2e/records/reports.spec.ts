import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

const person = { email: 'stripe@demo.example', password: demoPassword };
const jobs = (page: Page) => page.getByRole('table', { name: 'Generated reports' });

/** Opens the modal of a report; from the menu, as a person does. */
async function openModal(page: Page, stack: Stack, name: string) {
  await signedIn(page, stack, person);
  await page.goto('/invoices');
  await page.getByRole('banner').getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await page.getByRole('button', { name: `Generate ${name}` }).click();
  const modal = page.getByRole('dialog', { name: `Generate ${name}` });
  await expect(modal).toBeVisible();
  return modal;
}

test('Invoice Details stands first; the modal stays while it is generated and the CSV is saved [portal.product.generate-reports, portal.route.screen.reports, portal.shell.control.menu.reports, portal.reports.{screen.page,text.title,text.standard}]', async ({
  page,
  stack,
}) => {
  const modal = await openModal(page, stack, 'Invoice Details');
  await expectAccessible(page, 'reports-modal');
  await test.step('Cancel closes the modal [portal.reports.{screen.modal,text.modal-title,control.cancel}]', async () => {
    await modal.getByRole('button', { name: 'Cancel' }).click();
    await expect(modal).toBeHidden();
  });
  const first = page.getByRole('list', { name: 'Reports', exact: true }).getByRole('listitem').first();
  await expect(first).toContainText('Invoice Details');
  await expect(first).toContainText('CSV');
  await expectAccessible(page, 'reports');

  await first.getByRole('button', { name: 'Generate Invoice Details' }).click();
  await modal.getByLabel('From').fill('');
  await modal.getByRole('button', { name: 'Generate' }).click();
  await expect(modal.getByRole('alert')).toContainText('Choose the first day');
  await modal.getByLabel('From').fill('2025-01-01');
  const saved = page.waitForEvent('download');
  await test.step('nothing closes it while the report is generated [portal.reports.control.generate, portal.reports.modal-not-closed]', async () => {
    // Enter in a field: the focus is then in something that becomes disabled.
    await modal.getByLabel('From').press('Enter');
    await expect(modal.getByRole('progressbar')).toBeVisible();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    await expect(modal).toBeVisible();
    await expect(modal.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await expect(modal.getByLabel('From')).toBeDisabled();
  });

  await test.step('the file is saved, and the modal closes [portal.format.constant.report-file, portal.reports.done-saved]', async () => {
    const download = await saved;
    expect(download.suggestedFilename()).toBe('Report Invoice Details.csv');
    expect(readFileSync(await download.path(), 'utf8').split('\r\n').length).toBeGreaterThan(10);
    await expect(modal).toBeHidden();
    await expect(page.locator(':focus')).toContainText('“Report Invoice Details.csv” was saved');
  });
});

test('what continues in the background stands in the list and is downloaded there, also after a reload [portal.product.download-reports, decisions.1.{control.report-background,report-job-list}]', async ({
  page,
  stack,
}) => {
  const modal = await openModal(page, stack, 'Payments');
  await modal.getByLabel('Format').selectOption({ label: 'XLSX, a spreadsheet' });
  // However quickly it is made, the dialog waits.
  await page.route('**/v1/ec/reports/status/**', () => new Promise(() => undefined));
  await modal.getByRole('button', { name: 'Generate' }).click();
  await modal.getByRole('button', { name: 'Continue in background' }).click();
  await expect(modal).toBeHidden();
  await expect(jobs(page).getByRole('row').nth(1)).toContainText('Payments, XLSX');
  await page.unroute('**/v1/ec/reports/status/**');
  await page.reload();
  const download = jobs(page).getByRole('button', { name: 'Download Report Payments.xlsx' }).first();
  await expect(download).toBeVisible();
  await expectAccessible(page, 'reports-jobs');
  const saved = page.waitForEvent('download');
  await download.click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('Report Payments.xlsx');
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
});

for (const [locale, from, to] of [
  ['en-US', '2026-11-08', '2026-11-14'],
  ['de-DE', '2026-11-09', '2026-11-15'],
] as const) {
  test(`last week begins on the day of a browser in ${locale} [portal.format.language-week-start]`, async ({
    browser,
    stack,
  }) => {
    const context = await browser.newContext({ locale, timezoneId: 'UTC', baseURL: stack.url });
    const page = await context.newPage();
    await page.clock.setFixedTime('2026-11-18T12:00:00Z');
    const modal = await openModal(page, stack, 'Invoice Details');
    await modal.getByRole('button', { name: 'Last week' }).click();
    await expect(modal.getByLabel('From')).toHaveValue(from);
    await expect(modal.getByLabel('To', { exact: true })).toHaveValue(to);
    await context.close();
  });
}

test('one of more invoices than are listed is found by its number, and by its day', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const { resellerId, customerId } = provider;
  await providers.sql(
    `insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency, subtotal_minor,
                          tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
     select $1, gen_random_uuid(), $2::bigint, 'invoice', 'LONG-' || n, 's', '2026-06-01'::date - n::int, '2026-07-01', 'USD', 100, 10,
            110, 110, 11, '', now() from generate_series(1, 600) n`,
    [customerId, resellerId],
  );
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/reports`);
  await page.getByRole('button', { name: 'Generate Invoice Details' }).click();
  const modal = page.getByRole('dialog', { name: 'Generate Invoice Details' });
  const trigger = modal.getByLabel('Invoice', { exact: true });
  const field = page.getByRole('combobox', { name: 'Invoice' });
  const options = page.getByRole('listbox', { name: 'Invoice' }).getByRole('option');
  await trigger.click();
  await expect(options).toHaveCount(500);
  await expect(modal.getByText('101 more: type to find them')).toBeVisible();
  await field.fill('long-597');
  await expect(options).toHaveText([/^LONG-597,/]);
  // One option: axe looks at each of a list, which takes long for hundreds.
  await expectAccessible(page, 'reports-modal-many', { within: 'dialog[open]' });
  await field.press('Enter');
  await expect(trigger).toHaveText(/^LONG-597,/);
  // It stays chosen and named when the list is opened once more.
  await trigger.press('ArrowDown');
  await field.fill('10.13.2024');
  await expect(options).toHaveText(['LONG-596, 10.13.2024']);
  await field.press('Escape');
  await expect(trigger).toHaveText(/^LONG-597,/);
});
