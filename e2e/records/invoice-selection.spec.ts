import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import type { Bill } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

test('a selection outlives sorting, paging and coming back, and holds one currency [portal.invoices.control.deselect-all]', async ({
  page,
  stack,
  providers,
}) => {
  const many = await providers.add();
  const dollars = [];
  for (let day = 1; day <= 27; day += 1) dollars.push(await many.bill(`${day}.10`));
  const [euro] = (
    await many.take({
      number: `EUR-${many.resellerId}`,
      currency: 'EUR',
      issuedOn: '2030-01-01',
      lines: [{ amount: '9.00' }],
      sums: ['9.00', '0.00', '9.00', '9.00'],
    })
  ).invoices;
  await signedIn(page, stack, many, many.url);
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(many);
  await page.getByRole('columnheader', { name: 'Amount Due' }).getByRole('button').click();
  const first = dollars[0] as Bill;
  await bulk.box(first).check();
  await expect(bulk.bar).toHaveText('1 selected, $1.10');
  const foreign = bulk.box({ number: euro?.number ?? '' });
  await expect(foreign).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Invoices in EUR are paid separately: one currency at a time.')).toBeVisible();
  await expectAccessible(page, 'bulk-selected-currency');
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  // Until it is there, what is shown can be chosen: the page before.
  await expect(bulk.box(dollars.at(-1) as Bill)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all payable invoices on this page' }).check();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.getByRole('columnheader', { name: 'Number' }).getByRole('button').click();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  // Whichever comes first by number.
  const top = page.getByRole('link', { name: /^E2E-/ }).first();
  await expect(page.locator('[data-grid] [aria-busy]')).toHaveCount(0);
  const number = await top.textContent();
  await top.click();
  await expect(bulk.heading(`Invoice ${number}`)).toBeVisible();
  await page.goBack();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.reload();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.getByRole('button', { name: 'Deselect all' }).click();
  await expect(page.getByText('Select invoices to pay them together')).toBeVisible();
});

test('without bulk pay there are no boxes, and Pay leads to the pay link [portal.invoices.control.column.checkbox]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: ['bulkPay=false'] });
  const bill = await provider.bill('12.00');
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  const row = new BulkPayPage(page).row(bill);
  await expect(row.getByRole('link', { name: 'Pay', exact: true })).toHaveAttribute('href', bill.payPath);
  await expect(page.getByRole('table', { name: 'Invoices' }).getByRole('checkbox')).toHaveCount(0);
  await page.goto(`${provider.url}/bulk-pay?id=b1`);
  await expect(page).toHaveURL(`${provider.url}/dashboard`);
});
