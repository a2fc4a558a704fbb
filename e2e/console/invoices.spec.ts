import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, press, tabTo } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

test('an operator finds an invoice, sees what it bills and why it is no e-invoice, and disputes and reopens it, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Two screens, each looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const bill = await provider.bill('120.00');
  const other = await provider.bill('45.50');
  const { url } = await invitation(stack, provider, 'billing');
  await follow(page, url);

  await goTo(page, 'i', 'Invoices');
  const list = page.getByRole('table', { name: 'Invoices' });
  await expect(list.getByRole('row').filter({ hasText: other.number })).toContainText(/45\.50/);
  await expectAccessible(page, 'console-invoices');
  await tabTo(page, page.getByLabel('Number', { exact: true }));
  await page.keyboard.type(bill.number);
  await page.keyboard.press('Enter');
  await expect(list.getByRole('row').filter({ hasText: other.number })).toHaveCount(0);
  await press(page, list.getByRole('link', { name: bill.number }));

  await expect(page.getByRole('heading', { level: 1, name: `Invoice ${bill.number}` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Lines' }).getByRole('row')).toHaveCount(2);
  const eInvoice = page.getByRole('region', { name: 'E-invoice' });
  await expect(eInvoice).toContainText('The brand offers none');
  await expect(eInvoice.getByRole('list', { name: 'What keeps it back' })).not.toBeEmpty();
  await expectAccessible(page, 'console-invoice');

  const download = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'PDF' }));
  expect((await download).suggestedFilename()).toBe(`invoice_${bill.number}.pdf`);

  await press(page, page.getByRole('button', { name: 'Dispute' }));
  await tabTo(page, page.getByRole('dialog').getByLabel('Why'));
  await page.keyboard.type('Billed twice, they say');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `${bill.number} is disputed.` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Void' })).toHaveCount(0);
  await press(page, page.getByRole('button', { name: 'Reopen' }));
  await tabTo(page, page.getByRole('dialog').getByLabel('Why'));
  await page.keyboard.type('Was right');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `${bill.number} is open again.` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Void' })).toBeVisible();
});
