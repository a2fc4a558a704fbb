import { readFileSync } from 'node:fs';
import type { Download } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, saveCard } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { readPdf } from '../support/pdf.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const visa = 'Visa ending 4242';

let provider: Provider;

test.beforeEach(async ({ page, stack, providers }) => {
  provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
});

const textOf = async (download: Download): Promise<string> =>
  (await readPdf(readFileSync(await download.path()))).text;

test('a payment’s receipt is saved where it ended, and from the statement later', async ({ page }) => {
  await saveCard(page, provider, cards.good, visa);
  const bills = [await provider.bill('41.00'), await provider.bill('9.50')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method(visa).check();
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  const reference = (await bulk.sumOf('Payment reference').textContent()) ?? '';
  const receipt = page.getByRole('button', { name: `Receipt ${reference}` });
  await expectAccessible(page, 'bulk-receipt');
  const ended = page.waitForEvent('download');
  await receipt.click();
  const first = await ended;
  expect(first.suggestedFilename()).toBe(`Receipt_${reference}.pdf`);
  const text = await textOf(first);
  for (const shown of [reference, '50.50', ...bills.map(({ number }) => number)])
    expect(text).toContain(shown);

  await page.goto(`${provider.url}/statement`);
  await expect(receipt).toBeVisible();
  await expect(page.getByRole('button', { name: /^Receipt / })).toHaveCount(1);
  await expectAccessible(page, 'statement-receipt');
  const later = page.waitForEvent('download');
  await receipt.press('Enter');
  expect(await textOf(await later)).toContain(reference);
});

test('the payment link of an open invoice is copied, and replaced by a new one [decisions.6.control.pay-link-rotate]', async ({
  page,
  context,
}) => {
  const bill = await provider.bill('41.00');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: bill.number }).click();
  const open = page.getByRole('button', { name: 'Payment link' });
  await expect(open).toBeVisible();
  await expectAccessible(page, 'invoice-payment-link');
  await open.click();
  const dialog = page.getByRole('dialog', { name: `Payment link of ${bill.number}` });
  const field = dialog.getByLabel('Link', { exact: true });
  const old = `${provider.url}${bill.payPath}`;
  await expect(field).toHaveValue(old);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(old);
  await expectAccessible(page, 'payment-link', { within: 'dialog' });

  await dialog.getByRole('button', { name: 'Make a new link' }).click();
  await expect(dialog).toContainText('stops working at once');
  await expectAccessible(page, 'payment-link-confirm', { within: 'dialog' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(field).toHaveValue(old);
  await dialog.getByRole('button', { name: 'Make a new link' }).click();
  await dialog.getByRole('button', { name: 'Make a new link' }).click();
  await expect(dialog).toContainText('The old one works no more');
  await expect(field).not.toHaveValue(old);
  const made = await field.inputValue();
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();

  await page.goto(old);
  await expect(new PayPage(page).outcome('Payment Failed')).toContainText('This payment link has expired');
  await page.goto(made);
  await expect(new PayPage(page).number).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$41.00');
});
