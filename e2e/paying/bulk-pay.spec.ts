import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, chargesOf, saveAccount, saveCard, tabTo } from '../support/bulk-pay-page.ts';
import { cards } from '../support/pay-page.ts';
import type { Bill, Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const visa = 'Visa ending 4242';
/** A card fee of 1.5 %, a bank fee of 2.00. */
const fees = ['cardFee.basisPoints=150', 'bankFee.fixedMinor=200'];

let provider: Provider;

test.beforeAll(async ({ providers, browser, stack }) => {
  provider = await providers.add({ settings: [...fees, 'supportEmail=help@e2e.example'] });
  const page = await browser.newPage();
  await signedIn(page, stack, provider, provider.url);
  await saveCard(page, provider, cards.good, visa);
  await page.close();
});

test.beforeEach(async ({ page, stack }) => {
  await signedIn(page, stack, provider, provider.url);
});

const three = (): Promise<Bill[]> =>
  Promise.all(['1284.16', '486.30', '612.45'].map((amount) => provider.bill(amount)));

test('by keyboard alone: three invoices are chosen and paid with a saved card, once [portal.route.screen.bulk-pay, portal.invoices.control.pay-selection, payments.bulk.{screen.page,text.summary,text.total,control.method,control.pay,button-disabled,screen.success,status-1-set,fee-card}, payments.bulk.text.success.*]', async ({
  page,
  stack,
}) => {
  const bills = await three();
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  await expect(page.getByText('Select invoices to pay them together')).toBeVisible();
  for (const bill of bills) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo(page, bulk.box(bill));
    await page.keyboard.press('Space');
  }
  await expect(bulk.bar).toHaveText('3 selected, $2,382.91');
  await expectAccessible(page, 'bulk-selected');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(page, bulk.paySelected());
  await page.keyboard.press('Enter');
  await expect(bulk.heading('Pay 3 invoices')).toBeVisible();
  for (const title of ['Payment Summary', 'Select Payment Method'])
    await expect(page.getByText(title, { exact: true })).toBeVisible();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Invoices' })).toHaveAttribute('aria-current', 'page');
  await expect(bulk.button).toBeDisabled();
  await expect(page.getByText('Choose a payment method.')).toBeVisible();
  await expect(bulk.sumOf('Total: ')).toHaveText('$2,382.91');
  await expectAccessible(page, 'bulk-pay');

  const before = await bulk.button.boundingBox();
  await tabTo(page, bulk.method(visa));
  await page.keyboard.press('Space');
  await expect(bulk.sumOf('Card fee')).toHaveText('$35.74');
  await expect(bulk.sumOf('Total: ')).toHaveText('$2,418.65');
  expect(await bulk.button.boundingBox(), 'choosing a method moves nothing').toEqual(before);
  await expectAccessible(page, 'bulk-pay-chosen');
  await tabTo(page, bulk.button);
  await expect(bulk.button).toHaveText(/^Pay\b/);
  await page.keyboard.press('Enter');
  await expect(bulk.heading('Payment Successful')).toBeFocused();
  await expect(page.getByText(`You paid $2,418.65 to ${provider.companyName}`)).toBeVisible();
  await expect(page.getByText(/^Receipt will be delivered to accounts\d+@e2e\.example$/)).toBeVisible();
  for (const { number } of bills) await expect(bulk.sumOf(number)).toBeVisible();
  await expectAccessible(page, 'bulk-paid');
  expect(await chargesOf(stack, bills)).toMatchObject([{ minor: 241_865, state: 'captured' }]);

  await tabTo(page, page.getByRole('button', { name: 'Back to Invoices' }));
  await page.keyboard.press('Enter');
  for (const bill of bills) {
    await expect(bulk.row(bill)).toContainText('Paid');
    await expect(bulk.box(bill)).toHaveCount(0);
  }
});

test('a new card asks its bank, which sends the payer back to the result [portal.route.screen.payment-result, payments.bulk.{control.new-method,new-card.field.number,new-card.field.expiry,new-card.field.cvc,new-card.control.confirm,new-card.red-border,flow-form,flow-requires-action}, payments.result.{screen.page,text.success}]', async ({
  page,
  stack,
}) => {
  const bills = [await provider.bill('300.01'), await provider.bill('300.02')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method('New Payment Method').check();
  await expect(bulk.button).toHaveText('Confirm and Pay');
  await expectAccessible(page, 'bulk-new-card');
  // It can be pressed while something is missing, and then says what.
  await bulk.button.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeFocused();
  // Card fields get a red border on error.
  const border = await page
    .locator('[data-card-field]')
    .first()
    .evaluate((element) => {
      const box = element.closest('[data-invalid]') ?? element.querySelector('[data-invalid]');
      return box && getComputedStyle(box).borderTopColor;
    });
  const danger = await page.getByText('*', { exact: true }).evaluate((star) => getComputedStyle(star).color);
  expect(border).toBe(danger);
  await expectAccessible(page, 'bulk-new-card-problems');
  await bulk.enterCard(cards.authentication);
  await page.getByLabel('Email Receipt').fill('me@mail.example');
  await bulk.button.click();
  await expect(page.getByRole('heading', { name: 'Confirm that this is you' })).toBeVisible();
  expect(await chargesOf(stack, bills)).toEqual([]);
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/payment-result');
  expect(page.url()).not.toContain('secret');
  await expect(page.getByText('You paid $609.03')).toBeVisible();
  expect(await chargesOf(stack, bills)).toMatchObject([{ minor: 60_903 }]);
  await page.reload();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await expectAccessible(page, 'payment-result-paid');
});

test('a declined card: nothing was charged, and the next try begins again [payments.bulk.{screen.failure,text.failure.title,text.failure.advice}]', async ({
  page,
  stack,
}) => {
  const bills = [await provider.bill('320.01'), await provider.bill('320.02')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  const first = page.url();
  await bulk.method('New Payment Method').check();
  await bulk.enterCard(cards.declined);
  await bulk.button.click();
  await expect(bulk.heading('Payment Failed')).toBeFocused();
  await expect(
    page.getByText('Please try again later. If the problem persists, contact support'),
  ).toBeVisible();
  await expect(page.getByText('Nothing was charged')).toBeVisible();
  await expectAccessible(page, 'bulk-failed');
  expect(await chargesOf(stack, bills)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(bulk.heading('Pay 2 invoices')).toBeVisible();
  expect(page.url()).not.toBe(first);
  await bulk.method(visa).check();
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('a bank debit is submitted, not successful, and its invoices wait [decisions.6.text.bank-submitted]', async ({
  page,
  stack,
  providers,
}) => {
  const bank = await providers.add({
    currency: 'AUD',
    settings: ['currencySymbol=A$', 'directDebitPaymentMethodId=1', ...fees],
  });
  await signedIn(page, stack, bank, bank.url);
  const account = await saveAccount(page, bank);
  const bills = [await bank.bill('100.00'), await bank.bill('50.00')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(bank, bills);
  await bulk.method(account).check();
  await expect(bulk.sumOf('Bank fee')).toHaveText('A$2.00');
  await expect(bulk.sumOf('Total: ')).toHaveText('A$152.00');
  await bulk.button.click();
  await expect(bulk.heading('Payment submitted')).toBeVisible();
  await expect(
    page.getByText('Payment submitted. Your bank usually confirms within 3 working days.'),
  ).toBeVisible();
  await expectAccessible(page, 'bulk-submitted');
  await page.getByRole('button', { name: 'Back to Invoices' }).click();
  for (const bill of bills) {
    // The sandbox's bank may have confirmed meanwhile; it can be paid again in neither case.
    await expect(bulk.row(bill)).toContainText(/Being confirmed|Paid/);
    await expect(bulk.box(bill)).toHaveCount(0);
  }
});

test('a double click pays once', async ({ page, stack }) => {
  const bills = [await provider.bill('330.01')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method(visa).check();
  await bulk.button.dblclick();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('two tabs: one pays, the other learns of it and has nothing left to pay [decisions.1.cache-payment-watch]', async ({
  page,
  context,
  stack,
}) => {
  const bills = [await provider.bill('340.01'), await provider.bill('340.02')];
  const one = new BulkPayPage(page);
  const other = new BulkPayPage(await context.newPage());
  const list = new BulkPayPage(await context.newPage());
  await list.openInvoices(provider);
  await one.begin(provider, bills);
  await other.begin(provider, bills);
  await other.method(visa).check();
  await one.method(visa).check();
  await one.button.click();
  await expect(one.heading('Payment Successful')).toBeVisible();
  await expect(other.page).toHaveURL(/\/invoices$/);
  for (const bill of bills) {
    await expect(other.row(bill)).toContainText('Paid');
    await expect(list.row(bill)).toContainText('Paid');
  }
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('Back after paying shows the invoices, not the form', async ({ page, stack }) => {
  const bills = [await provider.bill('350.01')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method(visa).check();
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await page.getByRole('button', { name: 'Back to Invoices' }).click();
  await expect(bulk.heading('Invoices')).toBeVisible();
  await page.goBack();
  await expect(bulk.heading('Invoices')).toBeVisible();
  await expect(page).toHaveURL(/\/invoices$/);
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('an unknown id leads to the invoices; a reload keeps a known one [payments.bulk.invalid-intent, payments.bulk.status-0-redirects, payments.bulk.no-matching-id]', async ({
  page,
}) => {
  const bill = await provider.bill('370.01');
  await page.goto(`${provider.url}/bulk-pay?id=unknown`);
  await expect(page).toHaveURL(/\/invoices$/);
  const bulk = new BulkPayPage(page);
  await bulk.row(bill).getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(bulk.heading(`Pay invoice ${bill.number}`)).toBeVisible();
  await page.reload();
  await expect(bulk.heading(`Pay invoice ${bill.number}`)).toBeVisible();
  await expect(bulk.sumOf(bill.number)).toHaveText('$370.01');
});

test('credit that covers all settles it without a card [payments.bulk.text.adjustments]', async ({
  page,
  stack,
}) => {
  const credit = await provider.bill('500.00');
  await provider.take({
    kind: 'creditNote',
    number: `CN-${credit.number}`,
    currency: 'USD',
    credits: credit.number,
    issuedOn: new Date().toISOString().slice(0, 10),
    lines: [{ amount: '600.00' }],
    sums: ['600.00', '0.00', '600.00', '600.00'],
  });
  const bill = await provider.bill('80.00');
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, [bill]);
  await expect(bulk.sumOf('Adjustments:')).toHaveText('−$80.00');
  await expect(bulk.sumOf('Total: ')).toHaveText('$0.00');
  await expect(bulk.button).toHaveText('Settle with credit');
  await expectAccessible(page, 'bulk-credit');
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await expectAccessible(page, 'bulk-credit-paid');
  expect(await chargesOf(stack, [bill])).toEqual([]);
});

test('without a saved method Continue leads to the form, with the billing address the brand asks for [payments.bulk.control.continue]', async ({
  page,
  stack,
  providers,
}) => {
  const strict = await providers.add({ settings: ['billingAddressRequired=true'] });
  await signedIn(page, stack, strict, strict.url);
  const bills = [await strict.bill('1284.16'), await strict.bill('128405.90')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(strict, bills);
  await expect(bulk.button).toHaveText('Continue');
  await expectAccessible(page, 'bulk-continue');
  await tabTo(page, bulk.button);
  await page.keyboard.press('Enter');
  await expect(bulk.method('New Payment Method')).toBeFocused();
  await expect(bulk.button).toHaveText('Confirm and Pay');
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.screenshot({ path: 'test-results/screens/bulk-billing-320.png' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await bulk.enterCard(cards.good);
  await expect(page.getByText('To pay, complete: Address, City, State, Zip and Country')).toBeVisible();
  for (const [label, text] of [
    ['Address', '1 High St'],
    ['City', 'Hobart'],
    ['State', 'TAS'],
    ['Zip', '7000'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('Country').selectOption('AU');
  await expectAccessible(page, 'bulk-billing');
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toMatchObject([{ minor: 12_969_006 }]);
});
