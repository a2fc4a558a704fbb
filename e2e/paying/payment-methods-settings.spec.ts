import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { cards } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { expect, signedIn, test } from '../support/test.ts';

const VISA = 'Visa ending 4242';
const short = ['billingAddressRequired=false'];

test('three inputs where the reseller wants them, and the whole billing address where the brand does [payments.methods.constant.split-inputs, payments.new-card.field.{cardHolder,email}, payments.new-card.field.billingAddress.*]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({
    settings: ['billingAddressRequired=true'],
    resellerSettings: ['separateCardInputs=true'],
  });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.cards.getByRole('button', { name: 'Add Card' }).click();
  await expect(methods.dialog.locator('[data-card-field]')).toHaveCount(3);
  await expect(methods.dialog.getByRole('group', { name: 'Billing address' })).toBeVisible();
  await methods.enter(cards.good);
  await expectAccessible(page, 'payment-methods-add-card-long', { within: 'dialog' });
  await methods.dialog.getByLabel('Card Holder Name').fill('Eve Endtoend');
  for (const [label, text] of [
    ['Address', '1 High St'],
    ['City', 'Bristol'],
    ['State', 'Avon'],
    ['Zip', 'BS1 1AA'],
  ] as const)
    await methods.dialog.getByLabel(label, { exact: true }).fill(text);
  await methods.dialog.getByLabel('Country').selectOption('GB');
  const sent = page.waitForRequest(
    (request) => request.url().endsWith('/v1/ec/payments/cards') && request.method() === 'POST',
  );
  await methods.button('Add Card').click();
  expect((await sent).postDataJSON()).toEqual({
    token: expect.stringMatching(/^tok_/),
    type: 1,
    cardHolder: 'Eve Endtoend',
    email: provider.email,
    billingAddress: { address: '1 High St', city: 'Bristol', state: 'Avon', zip: 'BS1 1AA', country: 'GB' },
  });
  await expect(methods.told(`${VISA} was added`)).toBeVisible();
  await methods.act(VISA, 'Details').click();
  await expect(methods.row(VISA)).toContainText('1 High St');
  await expect(methods.row(VISA)).toContainText('No Address 2 provided');
});

test('a page that cannot be loaded says so, and can be asked for again [payments.methods.control.loader]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  const provider = await providers.add({ settings: short });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  cleanConsole.allow(/ApiError/);
  await page.route('**/v1/ec/payments/cards', (route) =>
    route.fulfill({ status: 500, json: { code: 'server.fault', message: 'x', requestId: 'r-1' } }),
  );
  await methods.open(provider);
  await expect(page.getByText('This part could not be loaded')).toBeVisible();
  await expectAccessible(page, 'payment-methods-failed');
  await page.unroute('**/v1/ec/payments/cards');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(methods.cards.getByText('There are no cards yet')).toBeVisible();
  // The loader.
  await page.route('**/v1/ec/payments/cards', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await route.continue();
  });
  await page.reload();
  await expect(methods.cards.getByText('Loading')).toBeAttached();
  await page.screenshot({ path: 'test-results/screens/payment-methods-loading-1280-light.png' });
  await expect(methods.cards.getByText('There are no cards yet')).toBeVisible();
});

test('without payments or a gateway there is no Payment Types, and its address leads to the dashboard [payments.methods.{not-enabled,menu.payments-off,menu.code-0,menu.route-to-dashboard}]', async ({
  page,
  stack,
  providers,
}) => {
  for (const [options, lands] of [
    [{ settings: ['paymentsEnabled=false'] }, '/dashboard'],
    [{ hasGateway: false }, '/dashboard'],
    [{ hasGateway: false, settings: ['endShowDashboard=false'] }, '/invoices'],
  ] as const) {
    const provider = await providers.add(options);
    await signedIn(page, stack, provider, provider.url);
    await page.goto(`${provider.url}/payment-types`);
    await expect(page).toHaveURL(`${provider.url}${lands}`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('link', { name: 'Change Password' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Payment Types' })).toHaveCount(0);
  }
});

test('the demo world has saved methods of every kind, to be looked at and to pay with', async ({
  page,
  stack,
}) => {
  const of = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });
  await signedIn(page, stack, of('ada'));
  await page.goto('/payment-types');
  const methods = new PaymentMethodsPage(page);
  await expect(methods.row('Visa ending 5556')).toContainText('Default');
  await expect(methods.row('Mastercard ending 3222')).toContainText('Expires soon');
  await expect(methods.row('American Express ending 8431')).toContainText('Expired');
  await expectAccessible(page, 'payment-methods-demo');

  for (const [name, title, account] of [
    ['au', 'Direct Debit', 'BSB 062-000, account ending 8212'],
    ['us', 'ACH', 'Routing number 110000000, account ending 7735'],
    ['gb', 'BACS', 'Sort code 10-88-00, account ending 9911'],
    ['eu', 'SEPA', 'Bank code 20050550, account ending 1393'],
  ] as const) {
    const origin = stack.at(`${name}.localhost`);
    await signedIn(page, stack, of(name), origin);
    await page.goto(`${origin}/payment-types`);
    await expect(methods.accounts(title).getByText(account)).toBeVisible();
    const permission = page.getByRole('checkbox', { name: /^Allow / });
    if (name === 'au') await expect(permission).toBeChecked();
    else await expect(permission).not.toBeChecked();
  }
});

test('the menu leads to Payment Types for each code of the specification, even where the reseller hides it [payments.methods.menu.codes]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({
    settings: short,
    resellerSettings: ['hidePaymentTypesForCustomerUsers=true'],
  });
  const { access_token: token } = await signedIn(page, stack, provider, provider.url);
  const answer = await fetch(`http://127.0.0.1:${stack.port}/v1/ec/settings`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { payments: object } };
  let paymentType = 0;
  await page.route('**/v1/ec/settings', (route) =>
    route.fulfill({ json: { data: { ...data, payments: { ...data.payments, paymentType } } } }),
  );
  const entry = page.getByRole('link', { name: 'Payment Types' });
  for (paymentType of [1, 2, 4, 5, 6, 8, 10, 12]) {
    await page.goto(`${provider.url}/invoices`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(entry, `code ${paymentType}`).toBeVisible();
  }
  await entry.click();
  await expect(page).toHaveURL(`${provider.url}/payment-types`);
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Methods' })).toBeVisible();
  for (paymentType of [3, 7, 9, 11, 13]) {
    await page.goto(`${provider.url}/invoices`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('link', { name: 'Change Password' })).toBeVisible();
    await expect(entry, `code ${paymentType}`).toHaveCount(0);
  }
});
