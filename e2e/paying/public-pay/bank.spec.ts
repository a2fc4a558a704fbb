import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { BulkPayPage } from '../../support/bulk-pay-page.ts';
import { cards, PayPage } from '../../support/pay-page.ts';
import { pressDimmed } from '../../support/press-dimmed.ts';
import type { Bill, Provider } from '../../support/provider.ts';
import { expect, signedIn, test } from '../../support/test.ts';

const settings = [
  'currencySymbol=A$',
  'directDebitPaymentMethodId=1',
  'emailReceipt=true',
  'cardFee.basisPoints=150',
  'bankFee.fixedMinor=40',
];
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ currency: 'AUD', settings });
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const way = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
/** The sandbox's accounts, by what their bank does after a while. */
const accounts = { good: '900123456', returned: '922222227' };

/** Opens a link and types an account; the holder has not agreed yet. */
async function typed(page: Page, bill: Bill, account: string): Promise<PayPage> {
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await way(page, 'Bank account').check();
  await field(page, 'Account holder name').fill('Ada Nakamura');
  await field(page, 'Email').fill('ada@mail.example');
  await field(page, 'BSB').fill('000-000');
  await field(page, 'Account number').fill(account);
  return pay;
}

test('an account pays once: its words, its fee, submitted and not successful', async ({
  page,
  context,
  stack,
}) => {
  const { sandbox } = stack;
  const bill = await provider.bill('110.00');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).port === String(stack.port)) sent.push(request.postData() ?? '');
  });
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await expect(pay.sumOf('Card fee')).toHaveText('A$1.65');
  // Its form is fetched only now.
  const [chunk] = await Promise.all([
    page.waitForRequest(/bank-form-[\w-]+\.js$/),
    way(page, 'Bank account').check(),
  ]);
  expect(chunk.url()).toContain('.js');
  await expect(pay.sumOf('Bank fee')).toHaveText('A$0.40');
  await expect(pay.sumOf('Total')).toHaveText('A$110.40');
  await expect(page.getByText('Card fee')).toHaveCount(0);
  await expectAccessible(page, 'pay-bank-form');
  await pressDimmed(pay.button);
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  for (const problem of ['BSB is needed', 'Account number is needed', 'Agree to the direct debit to pay'])
    await expect(summary).toContainText(problem);
  await expectAccessible(page, 'pay-bank-problems');

  await typed(page, bill, accounts.good);
  const once = `This authorises one debit of A$110.40 for ${bill.number} of ${provider.companyName}.`;
  await expect(page.getByText(once)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Direct Debit Request service agreement' })).toBeVisible();
  await page.getByRole('checkbox', { name: /one debit of A\$110\.40/ }).check();
  await field(page, 'BSB').fill('000-00');
  await pay.button.click();
  // The provider's words, at the field they are about.
  await expect(page.locator('[id$="-routingNumber-error"]')).toContainText(/bsb number/i);
  await field(page, 'BSB').fill('000-000');

  // Another tab has the form still open.
  const other = await context.newPage();
  const otherPay = new PayPage(other);
  await otherPay.open(provider, bill);
  await pay.button.dblclick();
  await expect(pay.heading('Payment submitted')).toBeVisible();
  await expect(
    page.getByText(/^Payment submitted\. Your bank usually confirms within 3 working days\.$/),
  ).toBeVisible();
  await expect(page.getByText('Payment Successful')).toHaveCount(0);
  await expect(page.getByText('Bank account ending 3456')).toBeVisible();
  await expectAccessible(page, 'pay-bank-submitted');
  // It learns of it, and has nothing left to pay.
  await expect(otherPay.heading('Payment submitted')).toBeVisible();
  await expect(otherPay.button).toHaveCount(0);
  await other.close();

  // The number went to the provider only, and its token nowhere but to us.
  expect(sent.filter((text) => text.includes(accounts.good))).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(kept).not.toContain(accounts.good);

  await signedIn(page, stack, provider, provider.url);
  const invoices = new BulkPayPage(page);
  await page.goto(`${provider.url}/invoices`);
  await expect(invoices.row(bill)).toContainText('Being confirmed');
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(pay.heading('Payment submitted')).toBeVisible();

  await sandbox.later(5 * 60_000);
  await expect(async () => {
    await page.reload();
    await expect(pay.heading('Already paid')).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByText('Bank account ending 3456')).toBeVisible();
  expect((await sandbox.chargesOf(bill)).map(({ minor }) => minor)).toEqual([11_040]);
  await page.goto(`${provider.url}/payment-types`);
  await expect(page.getByText('There are no bank accounts yet')).toBeVisible();
});

test('a debit that comes back days later opens the invoice again, and the link says what happened', async ({
  page,
  stack,
}) => {
  const { sandbox } = stack;
  await page.setViewportSize({ width: 390, height: 844 });
  const bill = await provider.bill('60.00');
  const pay = await typed(page, bill, accounts.returned);
  await page.getByRole('checkbox').check();
  await pay.button.click();
  await expect(pay.heading('Payment submitted')).toBeVisible();
  await sandbox.later(5 * 60_000);
  const told = page.getByText(/^The bank payment of A\$60\.40 from \d\d\.\d\d\.\d{4} did not go through\. /);
  await expect(async () => {
    await page.reload();
    await expect(told).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await expect(told).toContainText('Nothing was charged, and the invoice is due again.');
  await expectAccessible(page, 'pay-bank-returned');
  expect(await sandbox.chargesOf(bill)).toEqual([]);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect((await sandbox.chargesOf(bill)).map(({ minor }) => minor)).toEqual([6_090]);
});

test('a lost answer is being confirmed, never failed, and debits once', async ({
  page,
  stack: { sandbox },
}) => {
  const bill = await provider.bill('70.00');
  const pay = await typed(page, bill, accounts.good);
  await page.getByRole('checkbox').check();
  // It arrives, and what comes back says nothing.
  await sandbox.fault(provider.account, 'charge', 'malformed');
  await pay.button.click();
  await expect(pay.heading('Payment submitted')).toBeVisible();
  await sandbox.later(5 * 60_000);
  await expect.poll(async () => (await sandbox.chargesOf(bill)).length).toBe(1);
});

test('on a phone, amount and Pay stand in the first screen with both ways to pay', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('80.00'));
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(pay.button).toBeInViewport();
  await way(page, 'Bank account').check();
  await expect(field(page, 'BSB')).toBeVisible();
  await expect(pay.button).toBeInViewport();
});

test('an account of a scheme that must be proven first, or in another currency, is not offered', async ({
  page,
  providers,
}) => {
  for (const options of [
    { settings: ['directDebitPaymentMethodId=2'] },
    { settings: ['directDebitPaymentMethodId=1'] },
  ]) {
    const dollars = await providers.add(options);
    await new PayPage(page).open(dollars, await dollars.bill('10.00'));
    await expect(way(page, 'Bank account')).toHaveCount(0);
  }
});
