import { expectAccessible } from './support/accessible.ts';
import { BulkPayPage, chargesOf, saveAccount, saveCard, tabTo } from './support/bulk-pay-page.ts';
import { cards } from './support/pay-page.ts';
import type { Bill, Provider } from './support/provider.ts';
import { expect, signedIn, test } from './support/test.ts';

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

test('by keyboard alone: three invoices are chosen and paid with a saved card, once', async ({
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

test('a new card asks its bank, which sends the payer back to the result', async ({ page, stack }) => {
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

test('a step at the bank that was left open can be taken later, or given up for a saved card', async ({
  page,
  stack,
}) => {
  const bills = [await provider.bill('310.01')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  const address = page.url();
  await bulk.method('New Payment Method').check();
  await bulk.enterCard(cards.authentication);
  await bulk.button.click();
  await expect(page.getByRole('heading', { name: 'Confirm that this is you' })).toBeVisible();
  await page.goto(address);
  await expect(bulk.heading('Your bank wants you to confirm')).toBeVisible();
  await expectAccessible(page, 'bulk-action');
  await page.getByRole('button', { name: 'Use another payment method' }).click();
  await bulk.method(visa).check();
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('a declined card: nothing was charged, and the next try begins anew', async ({ page, stack }) => {
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

test('a bank debit is submitted, not successful, and its invoices wait', async ({
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
    page.getByText('Payment submitted. Your bank usually confirms within 5 working days.'),
  ).toBeVisible();
  await expectAccessible(page, 'bulk-submitted');
  await page.getByRole('button', { name: 'Back to Invoices' }).click();
  for (const bill of bills) await expect(bulk.row(bill)).toContainText('Being confirmed');
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

test('two tabs: one pays, the other learns of it and has nothing left to pay', async ({
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

test('a price that has changed since it was shown is shown anew, and nothing is charged before', async ({
  page,
  browser,
  stack,
}) => {
  const bills = [await provider.bill('360.00'), await provider.bill('40.00')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method(visa).check();
  // Somebody else pays one of them: another browser, which tells this one nothing.
  const elsewhere = await browser.newContext();
  const their = new BulkPayPage(await elsewhere.newPage());
  await signedIn(their.page, stack, provider, provider.url);
  await their.begin(provider, bills.slice(1));
  await their.method(visa).check();
  await their.button.click();
  await expect(their.heading('Payment Successful')).toBeVisible();
  await elsewhere.close();

  await bulk.button.click();
  await expect(page.getByText('The amount has changed. Please check it before you pay.')).toBeVisible();
  await expect(bulk.sumOf('Total: ')).toHaveText('$365.40');
  await expectAccessible(page, 'bulk-changed');
  expect(await chargesOf(stack, bills.slice(0, 1))).toEqual([]);
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills.slice(0, 1))).toMatchObject([{ minor: 36_540 }]);
});

test('an unknown id leads to the invoices; a reload keeps a known one', async ({ page }) => {
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

test('a lost answer is not a failure: the server is asked, and it is paid once', async ({ page, stack }) => {
  const bills = [await provider.bill('380.01')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method(visa).check();
  let isLost = true;
  await page.route('**/v1/ec/payments/pay/bulk', async (route) => {
    if (!isLost) return route.continue();
    isLost = false;
    // Chromium resolves every name below localhost, Node does not.
    await route.fetch({ url: `http://127.0.0.1:${stack.port}/v1/ec/payments/pay/bulk` });
    return route.abort();
  });
  await page.route('**/v1/ec/payments/intents/*', (route) => setTimeout(() => void route.continue(), 1_500));
  await bulk.button.click();
  await expect(bulk.heading('Payment being confirmed')).toBeVisible();
  await expectAccessible(page, 'bulk-confirming', { widths: [1280] });
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('back from the bank and the server does not answer: not known yet, asked again', async ({
  page,
  stack,
}) => {
  const bills = [await provider.bill('390.01')];
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.method('New Payment Method').check();
  await bulk.enterCard(cards.authentication);
  await bulk.button.click();
  let isDown = true;
  await page.route('**/v1/ec/payments/confirmation/result', (route) =>
    isDown ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(bulk.heading('Payment being confirmed')).toBeVisible();
  await expect(page.getByText('this page keeps trying')).toBeVisible();
  await expectAccessible(page, 'payment-result-unknown');
  isDown = false;
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);
});

test('a payment nobody knows has failed, with whom to ask', async ({ page }) => {
  await page.goto(`${provider.url}/payment-result?req_uid=0123456789abcdefABCDEF&payment_intent=pi_unknown`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Failed' })).toBeVisible();
  await expect(
    page.getByText('Please try again later. If the problem persists, contact support'),
  ).toBeVisible();
  await expectAccessible(page, 'payment-result-failed');
});

test('a selection outlives sorting, paging and coming back, and holds one currency', async ({
  page,
  stack,
  providers,
}) => {
  const many = await providers.add({ settings: fees });
  const dollars = [];
  for (let day = 1; day <= 27; day += 1) dollars.push(await many.bill(`${day}.10`));
  const [euro] = (
    await many.take({
      ...{ number: `EUR-${many.resellerId}`, currency: 'EUR', issuedOn: '2030-01-01' },
      ...{ lines: [{ amount: '9.00' }], sums: ['9.00', '0.00', '9.00', '9.00'] },
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
  await page.getByRole('checkbox', { name: 'Select all payable invoices on this page' }).check();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.getByRole('columnheader', { name: 'Number' }).getByRole('button').click();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.getByRole('link', { name: first.number }).click();
  await expect(bulk.heading(`Invoice ${first.number}`)).toBeVisible();
  await page.goBack();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.reload();
  await expect(bulk.bar).toHaveText(/^4 selected/);
  await page.getByRole('button', { name: 'Deselect all' }).click();
  await expect(page.getByText('Select invoices to pay them together')).toBeVisible();
});

test('credit that covers all settles it without a card', async ({ page, stack }) => {
  const credit = await provider.bill('500.00');
  await provider.take({
    ...{ kind: 'creditNote', number: `CN-${credit.number}`, currency: 'USD', credits: credit.number },
    ...{ issuedOn: new Date().toISOString().slice(0, 10), lines: [{ amount: '600.00' }] },
    sums: ['600.00', '0.00', '600.00', '600.00'],
  });
  const bill = await provider.bill('80.00');
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, [bill]);
  await expect(bulk.sumOf('Adjustments:')).toHaveText('-$80.00');
  await expect(bulk.sumOf('Total: ')).toHaveText('$0.00');
  await expect(bulk.button).toHaveText('Settle with credit');
  await expectAccessible(page, 'bulk-credit');
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await expectAccessible(page, 'bulk-credit-paid');
  expect(await chargesOf(stack, [bill])).toEqual([]);
});
