import type { FrameLocator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** IPpay's hosted page in a frame, at its sandbox: it posts to our callback, whose page tells the page around it. */
const settings = ['directDebitPaymentMethodId=1'];
const visa = ['4111', '1111', '1111', '1111'].join('');
const visaEnd = 'Visa ending 1111';
const cardFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Card details, at the payment provider"]');
const bankFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Bank account, at the payment provider"]');

async function typeCard(frame: FrameLocator, number = visa, code = '123') {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry').fill('09/31');
  await frame.getByLabel('Security code').fill(code);
  await frame.getByRole('button', { name: 'Continue' }).click();
}

test('a card and a bank account are added by the hosted button in a frame', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ gateway: 'ippay', settings });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await test.step('either is chosen, and its button is in a frame [payments.ippay.control.choice, payments.ippay.frame]', async () => {
    await expect(methods.accounts('ACH').getByRole('button', { name: 'Add Bank Account' })).toBeVisible();
    await methods.cards.getByRole('button', { name: 'Add Card' }).click();
    await expect(cardFrame(page).getByRole('button', { name: 'Continue' })).toBeVisible();
    await expectAccessible(page, 'ippay-add-card', { within: 'dialog' });
  });
  await test.step('what the page did not take is a warning for five seconds, and is typed again [payments.ippay.error.message-other, payments.ippay.constant.warning-time]', async () => {
    await typeCard(cardFrame(page), `${visa.slice(0, -1)}2`);
    const warning = methods.dialog.getByText('Please check the card number.', { exact: true });
    await expect(warning).toBeVisible();
    await expect(cardFrame(page).getByLabel('Card number')).toHaveValue('');
    await expect(warning).toBeVisible();
    await expect(warning).toBeHidden({ timeout: 7_000 });
  });
  await test.step('done, the list is there again with the card [payments.ippay.constant.message-000, payments.methods.add-reloads]', async () => {
    await typeCard(cardFrame(page));
    await expect(methods.told(`${visaEnd} was added`)).toBeVisible();
    await expect(methods.row(visaEnd)).toContainText('Default');
    await expect(methods.dialog).toHaveCount(0);
  });
  await test.step('and with AFS-103, a code of the page that says as much [payments.ippay.constant.message-afs-103]', async () => {
    await methods.cards.getByRole('button', { name: 'Add Card' }).click();
    await typeCard(cardFrame(page), ['4000', '3000', '2000', '1000'].join(''), '103');
    await expect(methods.row('Visa ending 1000')).toBeVisible();
  });
  await test.step('another default, and the list is read again [payments.methods.default-reloads]', async () => {
    const listed = page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().endsWith('/v1/ec/ippay/cards'),
    );
    await methods.act('Visa ending 1000', 'Make').click();
    await listed;
    await expect(methods.row('Visa ending 1000')).toContainText('Default');
    await expect(methods.row(visaEnd)).not.toContainText('Default');
  });
  await test.step('its expiry is typed by its owner: the hosted page does not tell it', async () => {
    await methods.act(visaEnd, 'Edit').click();
    await methods.dialog.getByLabel('Expiry month').fill('11');
    await methods.dialog.getByLabel('Expiry year').fill('2030');
    await methods.button('Save').click();
    await expect(methods.row(visaEnd)).toContainText('Expires 11 / 2030');
  });
  await test.step('a bank account, with its holder and what they agree to', async () => {
    await methods.accounts('ACH').getByRole('button', { name: 'Add Bank Account' }).click();
    await methods.dialog.getByLabel('Account holder name').fill('Eve Endtoend');
    await methods.dialog.getByRole('checkbox').check();
    await expectAccessible(page, 'ippay-add-bank', { within: 'dialog' });
    await bankFrame(page).getByLabel('Routing number').fill('111000025');
    await bankFrame(page).getByLabel('Account number').fill('000123456789');
    await bankFrame(page).getByRole('button', { name: 'Continue' }).click();
    await expect(methods.row('Account ending 6789')).toBeVisible();
  });
  await expectAccessible(page, 'ippay-methods');
});

test('a pay link is paid in the frame; a message alone pays nothing, of whatever window [decisions.8.frame-no-state]', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await providers.add({ gateway: 'ippay', settings });
  const bill = await provider.bill('42.50');
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  await expect(cardFrame(page).getByLabel('Card number')).toBeVisible();
  await page.evaluate(() => window.postMessage('000', '*'));
  await expectAccessible(page, 'ippay-pay', { within: 'main' });
  // The frame itself says that it is done, and nothing was entered.
  await cardFrame(page)
    .locator('body')
    .evaluate(() => parent.postMessage('000', '*'));
  await expect(pay.outcome('Payment Failed')).toContainText('Nothing was charged.');
  expect(await stack.sandbox.taken(provider)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await typeCard(cardFrame(page));
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  expect(await stack.sandbox.taken(provider)).toEqual([42.5]);
});

test('a card that its bank declines is told so in its words, and nothing is paid', async ({
  page,
  providers,
}) => {
  const provider = await providers.add({ gateway: 'ippay', settings });
  const bill = await provider.bill('10.51');
  await page.goto(`${provider.url}${bill.payPath}`);
  await typeCard(cardFrame(page));
  const failed = new PayPage(page).outcome('Payment Failed');
  await expect(failed).toContainText('Your card was declined: insufficient funds or limit reached.');
});

test('several invoices are paid by a new card in the frame [payments.bulk.screen.frame]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ gateway: 'ippay', settings });
  const bills = [await provider.bill('10.00'), await provider.bill('2.00')];
  await signedIn(page, stack, provider, provider.url);
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await test.step('a button that cannot be loaded says so, and is loaded at the next try [payments.bulk.error.frame-error]', async () => {
    const entries = '**/v1/ec/payments/entries';
    await page.route(entries, (route) => route.fulfill({ status: 503, json: {} }));
    await bulk.button.click();
    await expect(page.getByRole('alert')).toContainText('Oops, something went wrong');
    await expectAccessible(page, 'ippay-bulk-frame-failed');
    await page.unroute(entries);
    await page.getByRole('button', { name: 'Try again' }).click();
  });
  await page.getByLabel('Card Holder Name').fill('Eve Endtoend');
  await expect(cardFrame(page).getByRole('button', { name: 'Continue' })).toBeVisible();
  await typeCard(cardFrame(page));
  await expect(bulk.heading('Payment Successful')).toBeVisible();
});
