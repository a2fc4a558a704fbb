import { cards, PayPage } from '../../support/pay-page.ts';
import { pressDimmed } from '../../support/press-dimmed.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['emailReceipt=true', 'supportEmail=help@e2e.example'] });
});

test('a card pays an invoice: one charge, the words of success, one receipt @external [portal.product.pay-invoices, portal.roles.pay-without-login, portal.route.screen.pay, payments.public.{screen.page,state.screen.success}]', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('1234.56');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await expect(page).toHaveTitle(new RegExp(`Pay invoice ${bill.number}`));
  await expect(page.getByText(`Invoice from Brand ${provider.resellerId}`)).toBeVisible();
  await expect(page.getByText(bill.number)).toBeVisible();
  await expect(pay.button).toHaveText('Pay $1,234.56');
  await page.getByLabel('Card Holder Name').fill('Eve Endtoend');
  const receiptTo = `receipt-${bill.number}@e2e.example`.toLowerCase();
  await page.getByLabel('Email Receipt').fill(receiptTo);
  await pay.pay(cards.good);

  await expect(pay.heading('Payment Successful')).toBeVisible();
  const outcome = pay.outcome('Payment Successful');
  await expect(outcome).toContainText(`You paid $1,234.56 to ${provider.companyName}`);
  await expect(outcome).toContainText(`Receipt will be delivered to ${receiptTo}`);
  await expect(pay.heading('Payment Successful')).toBeFocused();
  await expect(pay.number).toHaveCount(0);

  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 123_456, state: 'captured' }]);
  await expect.poll(() => stack.mailsTo(receiptTo).length).toBe(1);
  expect(stack.mailsTo(receiptTo)[0]).toContain(bill.number);
});

test('after paying, the same link, Back and a new tab say that it is paid [payments.public.state.screen.paid]', async ({
  page,
  context,
}) => {
  const bill = await provider.bill('20.01');
  const pay = new PayPage(page);
  await page.goto(`${provider.url}/login`);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();

  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await page.goForward();
  await expect(pay.outcome('Already paid')).toContainText(
    'The invoice has already been paid. No further payments required.',
  );
  await expect(pay.number).toHaveCount(0);
  const other = new PayPage(await context.newPage());
  await other.page.goto(`${provider.url}${bill.payPath}`);
  await expect(other.outcome('Already paid')).toContainText(
    'The invoice has already been paid. No further payments required.',
  );
});

test('a declined card says so and that nothing was charged; another card then pays [payments.public.state.screen.failed, payments.public.text.failed-title]', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('30.02');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.declined);
  await expect(pay.outcome('Payment Failed')).toContainText('Your card was declined.');
  await expect(pay.outcome('Payment Failed')).toContainText('Nothing was charged.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(pay.number).toBeVisible();
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured' }]);
});

test('insufficient funds are told, and that nothing was charged', async ({ page }) => {
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('30.03'));
  await pay.pay(cards.insufficientFunds);
  await expect(pay.outcome('Payment Failed')).toContainText('Not enough funds on this card.');
});

test('an American Express card with its code of four pays', async ({ page }) => {
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('30.04'));
  await pay.pay(cards.amex);
  await expect(pay.heading('Payment Successful')).toBeVisible();
});

test('a double click and Enter pressed twice pay once', async ({ page, stack }) => {
  const bill = await provider.bill('40.04');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.enter(cards.good);
  await expect(pay.button).not.toHaveAttribute('aria-disabled', 'true');
  await pay.button.dblclick();
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured' }]);
});

test('everything is done by keyboard alone [payments.public.field.form.cardNumber, payments.public.field.form.expiryDate, payments.public.field.form.cvc]', async ({
  page,
}) => {
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('50.05'));
  const { number, expiry, cvc } = cards.good;
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Invoice PDF' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(pay.number).toBeFocused();
  // A complete number leads to the date, and that to the code.
  await page.keyboard.type(number);
  await expect(pay.expiry).toBeFocused();
  await page.keyboard.type(expiry.replace(/\D/g, ''));
  await expect(pay.cvc).toBeFocused();
  await page.keyboard.type(cvc);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Card Holder Name')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email Receipt')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(pay.button).toBeFocused();
  await expect(pay.button).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Enter');
  await expect(pay.heading('Payment Successful')).toBeFocused();
});

test('what is missing is said: beside the button, and in a summary that leads to the field [payments.card.input-errors-block]', async ({
  page,
}) => {
  const strict = new PayPage(page);
  await strict.open(provider, await provider.bill('60.06'));
  await expect(page.getByText('To pay, complete: card details')).toBeVisible();
  await strict.enter({ number: '4242424242424241', expiry: '12 / 31', cvc: '123' });
  await pressDimmed(strict.button);
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(summary).toContainText('Your card number is invalid.');
});

test('an amount changed in the browser is refused, and nothing is charged', async ({ page, stack }) => {
  const bill = await provider.bill('70.07');
  await page.route('**/v1/ec/pay', (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>;
    return route.continue({ postData: JSON.stringify({ ...body, invoiceAmount: '0.01' }) });
  });
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Failed')).toContainText(
    'The amount to pay has changed. Please reload the page and check it again',
  );
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);
});

test('another tab learns of a payment at once and shows no form any more', async ({
  page,
  context,
  stack,
}) => {
  const bill = await provider.bill('80.08');
  const [here, there] = [new PayPage(page), new PayPage(await context.newPage())];
  await here.open(provider, bill);
  await there.open(provider, bill);
  await here.pay(cards.good);
  await expect(here.heading('Payment Successful')).toBeVisible();
  await expect(there.outcome('Already paid')).toContainText(
    'The invoice has already been paid. No further payments required.',
  );
  await expect(there.number).toHaveCount(0);
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured' }]);
});

test('two tabs that pay at the same time pay once, and both say so', async ({ page, context, stack }) => {
  const bill = await provider.bill('90.09');
  const tabs = [new PayPage(page), new PayPage(await context.newPage())];
  for (const tab of tabs) {
    await tab.open(provider, bill);
    await tab.enter(cards.good);
  }
  await Promise.all(tabs.map((tab) => tab.button.click()));
  for (const tab of tabs) {
    await expect(
      tab.page.getByRole('heading', { level: 1, name: /^(Payment Successful|Already paid)$/ }),
    ).toBeVisible();
  }
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured' }]);
});

test('a fee above zero stands beside the amount, and the total is charged', async ({
  page,
  providers,
  stack,
}) => {
  const dear = await providers.add({ settings: ['cardFee.basisPoints=150', 'cardFee.fixedMinor=30'] });
  const pay = new PayPage(page);
  const bill = await dear.bill('100.00');
  await pay.open(dear, bill);
  for (const [label, amount] of [
    ['Invoice amount', '$100.00'],
    ['Card fee', '$1.80'],
    ['Total', '$101.80'],
  ] as const) {
    await expect(pay.sumOf(label)).toHaveText(amount);
  }
  await expect(pay.button).toHaveText('Pay $101.80');
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toContainText(`You paid $101.80 to ${dear.companyName}`);
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 10_180, state: 'captured' }]);
});

test('a brand with separate inputs pays through them [payments.public.field.form.cardNumber, payments.public.field.form.expiryDate, payments.public.field.form.cvc]', async ({
  page,
  providers,
}) => {
  const split = await providers.add({ resellerSettings: ['separateCardInputs=true'] });
  const pay = new PayPage(page);
  await pay.open(split, await split.bill('11.11'));
  await expect(page.locator('iframe[title]:visible')).toHaveCount(3);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
});

test('card holder and billing address are required where the brand says so [payments.card.{submit-disabled,holder-when-brand,address-address,address-city,address-state,address-zip,address-country}]', async ({
  page,
  providers,
}) => {
  const strict = await providers.add({
    settings: ['billingAddressRequired=true', 'cardHolderRequired=true'],
  });
  const pay = new PayPage(page);
  await pay.open(strict, await strict.bill('12.12'));
  await pay.enter(cards.good);
  await expect(pay.button).toHaveAttribute('aria-disabled', 'true');
  await pressDimmed(pay.button);
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(
    'Enter your city',
  );
  const fields = {
    'Card Holder Name': 'Eve',
    Address: '1 Test Street',
    City: 'Testville',
    State: 'TS',
    Zip: '12345',
  };
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('Country').selectOption('US');
  await expect(pay.button).not.toHaveAttribute('aria-disabled', 'true');
  await pay.button.click();
  await expect(pay.heading('Payment Successful')).toBeVisible();
});
