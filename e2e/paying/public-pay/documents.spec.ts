import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { cards, PayPage } from '../../support/pay-page.ts';
import { readPdf } from '../../support/pdf.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['partPayment=true'] });
});

const textOf = async (download: Download): Promise<string> =>
  (await readPdf(readFileSync(await download.path()))).text;

const documentOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Presses a button that saves a file. */
async function saved(page: Page, name: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await documentOf(page, name).press('Enter');
  return download;
}

test('who has the link keeps the invoice as a PDF before paying, and the receipt after it', async ({
  page,
}) => {
  const bill = await provider.bill('71.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  const before = await saved(page, 'Invoice PDF');
  expect(before.suggestedFilename()).toBe(`invoice_${bill.number}.pdf`);
  const text = await textOf(before);
  for (const shown of [bill.number, '71.00']) expect(text).toContain(shown);
  // Nothing typed and nothing on the way to Pay is disturbed.
  await expect(documentOf(page, 'Invoice PDF')).toBeFocused();

  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  await expect(pay.sumOf('Paid with')).toHaveText(/Visa ending 4242/);
  const reference = (await pay.sumOf('Payment reference').textContent()) ?? '';
  const receipt = await saved(page, 'Receipt');
  expect(receipt.suggestedFilename()).toBe(`Receipt_${reference}.pdf`);
  const paid = await textOf(receipt);
  for (const shown of [reference, bill.number, '71.00']) expect(paid).toContain(shown);
  expect((await saved(page, 'Invoice PDF')).suggestedFilename()).toBe(`invoice_${bill.number}.pdf`);
  await expectAccessible(page, 'pay-success');

  await page.reload();
  await expect(pay.outcome('Already paid')).toBeVisible();
  expect(await textOf(await saved(page, 'Receipt'))).toContain(reference);
  await expectAccessible(page, 'pay-already-paid');
});

test('a file that cannot be had says so and can be asked for again; the form stays as it is', async ({
  page,
}) => {
  const bill = await provider.bill('72.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.enter(cards.good);
  const call = '**/v1/ec/payment/invoice/**';
  const busy = {
    status: 503,
    code: 'server.unavailable',
    message: 'Our server returned error, try again later',
  };
  await page.route(call, (route) => route.fulfill({ status: 503, json: busy }));
  await documentOf(page, 'Invoice PDF').click();
  const told = page.getByRole('alert').filter({ hasText: 'The file could not be saved' });
  await expect(told).toContainText('try again later');
  await expect(page.getByRole('main')).not.toContainText(/Payment Failed/);
  await expectAccessible(page, 'pay-document-failed');
  await page.unroute(call);
  await saved(page, 'Invoice PDF');
  await expect(told).toHaveCount(0);
  await pay.button.click();
  await expect(pay.heading('Payment Successful')).toBeVisible();
});
