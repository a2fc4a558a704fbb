import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, chargesOf, saveCard } from '../support/bulk-pay-page.ts';
import { cards } from '../support/pay-page.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const visa = 'Visa ending 4242';
const fees = ['cardFee.basisPoints=150'];

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

test('a price that has changed since it was shown is shown again, and nothing is charged before', async ({
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
  await page.route(/\/v1\/ec\/payments\/(confirmation\/result|intents\/)/, (route) =>
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

test('a payment nobody knows has failed, with whom to ask [payments.result.text.failure, payments.result.text.advice, payments.result.error.call-failed]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/payment-result?req_uid=0123456789abcdefABCDEF&payment_intent=pi_unknown`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Failed' })).toBeVisible();
  await expect(
    page.getByText('Please try again later. If the problem persists, contact support'),
  ).toBeVisible();
  await expectAccessible(page, 'payment-result-failed');
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

test('an abandoned step at the bank waits in the list: Pay starts again, and its old page charges nothing [decisions.6.abandoned-new-attempt]', async ({
  page,
  context,
  stack,
}) => {
  const bills = [await provider.bill('330.01')];
  const [bill] = bills;
  if (bill === undefined) throw new Error('no bill');
  const old = new BulkPayPage(page);
  await old.begin(provider, bills);
  await old.method('New Payment Method').check();
  await old.enterCard(cards.authentication);
  await old.button.click();
  await expect(page.getByRole('heading', { name: 'Confirm that this is you' })).toBeVisible();

  const later = new BulkPayPage(await context.newPage());
  await signedIn(later.page, stack, provider, provider.url);
  await later.page.goto(`${provider.url}/invoices`);
  await expect(later.row(bill)).toContainText('Waiting for you');
  await expect(later.box(bill)).toHaveCount(0);
  await expectAccessible(later.page, 'invoices-waiting-for-payer');
  await later.page.getByRole('link', { name: bill.number }).click();
  await expect(later.page.getByText('Waiting for you')).toBeVisible();
  await expectAccessible(later.page, 'invoice-waiting-for-payer');
  await later.page.goto(`${provider.url}/dashboard`);
  await expect(later.row(bill)).toContainText('Waiting for you');
  await expect(later.page.getByText('Nothing is due')).toHaveCount(0);
  await expect(later.page.getByRole('main').getByText('$330.01').first()).toBeVisible();
  await later.page.goto(`${provider.url}/invoices`);
  await later.row(bill).getByRole('button', { name: 'Pay' }).click();
  await expect(later.heading(`Pay invoice ${bill.number}`)).toBeVisible();
  await later.method(visa).check();
  await later.button.click();
  await expect(later.heading('Payment Successful')).toBeVisible();
  expect(await chargesOf(stack, bills)).toHaveLength(1);

  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(old.heading('Payment Failed')).toBeVisible();
  expect(await chargesOf(stack, bills)).toMatchObject([{ minor: 33_496, state: 'captured' }]);
  await page.goto(`${provider.url}/invoices`);
  await expect(old.row(bill)).toContainText('Paid');
});
