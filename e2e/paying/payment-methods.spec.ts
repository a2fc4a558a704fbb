import { expectAccessible } from '../support/accessible.ts';
import { cards } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import { expect, signedIn, test } from '../support/test.ts';

const VISA = 'Visa ending 4242';
const AMEX = 'American Express ending 0005';
const short = ['billingAddressRequired=false'];

test('a card is added from the Settings menu, shown, edited, made default and removed [portal.product.manage-methods, payments.methods.{screen.modal.edit-card,update-success}, payments.methods.text.empty.*, payments.expiry.save-disabled, payments.stripe.card-country]', async ({
  page,
  stack,
  providers,
}) => {
  const disclaimer = 'Cards are stored by our payment provider.';
  const provider = await providers.add({ settings: [...short, `paymentTypeDisclaimer=${disclaimer}`] });
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/`);
  await test.step('the Settings menu leads there [portal.shell.control.settings.payment-types, portal.route.screen.payment-types]', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Payment Types' }).click();
    await expect(page).toHaveURL(`${provider.url}/payment-types`);
  });
  const methods = new PaymentMethodsPage(page);
  await test.step('without a card it says so, and what the reseller declares [payments.methods.{screen.page,screen.cards,disclaimer}]', async () => {
    await expect(methods.cards.getByText('There are no cards yet')).toBeVisible();
    await expect(page.getByText(disclaimer)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Direct Debit' })).toHaveCount(0);
    await expectAccessible(page, 'payment-methods-empty');
  });

  // What is missing is said beside the button, and in a summary that leads to the field.
  const opener = methods.cards.getByRole('button', { name: 'Add Card' });
  await opener.click();
  await expect(methods.dialog.getByText(/^To add it, complete: .*Card Holder Name.*Country/)).toBeVisible();
  await expectAccessible(page, 'payment-methods-add-card', { within: 'dialog' });
  await pressDimmed(methods.button('Add Card'));
  await expect(methods.dialog.getByRole('alert')).toBeFocused();
  await expect(methods.dialog.getByRole('link', { name: 'Choose your country' })).toBeVisible();
  await expectAccessible(page, 'payment-methods-add-card-problems', { within: 'dialog' });
  await test.step('closing clears the form, and gives the focus back [payments.methods.closing-clears]', async () => {
    await methods.dialog.getByLabel('Card Holder Name').fill('Somebody Else');
    await page.keyboard.press('Escape');
    await expect(methods.dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(methods.dialog.getByLabel('Card Holder Name')).toHaveValue('');
  });
  await methods.button('Cancel').click();

  await test.step('a card is added and stands in the list [payments.methods.{screen.modal.add-card,keep,add-updates-list}]', async () => {
    await methods.addCard(cards.good, VISA);
    await expect(page.locator(':focus')).toContainText(`${VISA} was added`);
    await expect(methods.row(VISA)).toContainText('Expires 12 / 2031 · Eve Endtoend');
    await expect(methods.row(VISA).getByText('Default', { exact: true })).toBeVisible();
    await expect(methods.act(VISA, 'Make default')).toHaveCount(0);
    await methods.addCard(cards.amex, AMEX);
    await expect(methods.row(AMEX).getByText('Default', { exact: true })).toHaveCount(0);
    await expectAccessible(page, 'payment-methods');
  });

  // Everything that is known of it; what is not says so.
  await methods.act(VISA, 'Details').click();
  await expect(methods.row(VISA)).toContainText('No Address 1 provided');
  await expect(methods.row(VISA)).toContainText('Australia');
  await expectAccessible(page, 'payment-methods-details');

  await methods.act(VISA, 'Edit').click();
  const save = methods.button('Save');
  const month = methods.dialog.getByLabel('Expiry month');
  await month.fill('13');
  await expect(methods.dialog.getByText('Please provide valid date').first()).toBeVisible();
  await expect(save).toBeDisabled();
  await expectAccessible(page, 'payment-methods-edit-card', { within: 'dialog' });
  await month.fill('9');
  await methods.dialog.getByLabel('Expiry year').fill('2030');
  await methods.dialog.getByLabel('Name').fill('Ada Nakamura');
  await methods.dialog.getByLabel('City').fill('Bristol');
  await save.click();
  await expect(methods.told(`${VISA} was changed`)).toBeVisible();
  await expect(methods.row(VISA)).toContainText('Expires 09 / 2030 · Ada Nakamura');
  await methods.act(VISA, 'Edit').click();
  await methods.dialog.getByLabel('Name').fill('');
  await save.click();
  await expect(methods.row(VISA)).toContainText('No name provided');
  await expect(methods.row(VISA)).toContainText('Bristol');

  await test.step('the default is another [payments.methods.default-updates]', async () => {
    await methods.act(AMEX, 'Make default').click();
    await expect(methods.told(`${AMEX} is your default payment method now`)).toBeVisible();
    await expect(methods.row(AMEX).getByText('Default', { exact: true })).toBeVisible();
    await expect(methods.row(VISA).getByText('Default', { exact: true })).toHaveCount(0);
  });

  await test.step('removing the default makes the first that is left the default [payments.methods.{screen.modal.remove,delete-default}]', async () => {
    await methods.act(AMEX, 'Remove').click();
    await expect(methods.dialog).toContainText(`Your default payment method is then ${VISA}.`);
    await expectAccessible(page, 'payment-methods-remove', { within: 'dialog' });
    await methods.button('Cancel').click();
    await expect(methods.act(AMEX, 'Remove')).toBeFocused();
    await methods.act(AMEX, 'Remove').click();
    await methods.button('Remove').click();
    await expect(methods.told(`${AMEX} was removed`)).toBeVisible();
    await expect(methods.row(AMEX)).toHaveCount(0);
    await expect(methods.row(VISA).getByText('Default', { exact: true })).toBeVisible();
  });
});

test('3-D Secure: there and back, and the card is there; refused at the bank, it is not [payments.methods.add-requires-action, decisions.6.return-method]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: short });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.fillCard(cards.authentication);
  await methods.button('Add Card').click();
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Your bank could not confirm this payment' }),
  ).toBeVisible();
  await expect(methods.cards.getByText('There are no cards yet')).toBeVisible();
  expect(page.url()).toBe(`${provider.url}/payment-types`);
  await expectAccessible(page, 'payment-methods-refused');

  // The page is left with the answer, so the page itself keeps what the test wants to know.
  await page.evaluate(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...call) => {
      const response = await fetch(...call);
      const { data } = await response.clone().json();
      if (data?.reqUid !== undefined) globalThis.sessionStorage.setItem('e2e.reqUid', data.reqUid);
      return response;
    };
  });
  await methods.fillCard(cards.authentication);
  await methods.button('Add Card').click();
  const bank = page.getByRole('heading', { name: 'Confirm that this is you' });
  await expect(bank).toBeVisible();
  // Whoever comes back without having confirmed is led there again.
  await methods.open(provider);
  const reqUid = await page.evaluate(() => globalThis.sessionStorage.getItem('e2e.reqUid'));
  await page.goto(`${provider.url}/payment-types?req_uid=${reqUid}`);
  await expect(page.getByText('Your bank wants you to confirm this payment method.')).toBeVisible();
  await expectAccessible(page, 'payment-methods-action');
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await expect(bank).toBeVisible();
  // On the way back the answer takes its time: the page says so, and asks on.
  let isHeld = true;
  await page.route('**/setup-intent/result', (route) =>
    isHeld
      ? route.fulfill({ json: { data: { status: 'processing', expected: 'seconds', reqUid } } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByText('Your payment method is being confirmed.')).toBeVisible();
  await expectAccessible(page, 'payment-methods-confirming');
  isHeld = false;
  // No secret of the provider stays in the address.
  await expect(page).toHaveURL(`${provider.url}/payment-types`);
  await expect(methods.told('Visa ending 3184 was added')).toBeVisible();
  await expect(methods.row('Visa ending 3184').getByText('Default', { exact: true })).toBeVisible();
});

test('what a refused card was refused with stands in the form; status 500 is a declined card [payments.methods.{control.loader-adding,error.add-other,error.add-500,add-failure-loader}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: short });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.fillCard(cards.insufficientFunds);
  await methods.button('Add Card').click();
  const summary = methods.dialog.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toContainText('Not enough funds on this card');
  await expect(summary).toBeFocused();
  await expect(methods.button('Add Card')).not.toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page, 'payment-methods-add-card-refused', { within: 'dialog' });

  await page.route('**/v1/ec/payments/cards', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { code: 'server.fault', message: 'Our server returned error' } })
      : route.continue(),
  );
  await methods.enter(cards.good);
  await methods.button('Add Card').click();
  await expect(summary).toContainText('Your card was declined');
  await page.unroute('**/v1/ec/payments/cards');

  // A loader while it is being added; nothing closes the modal meanwhile.
  await page.route('**/v1/ec/payments/cards', async (route) => {
    if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await methods.button('Add Card').click();
  await expect(methods.button('Adding…')).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(methods.dialog).toBeVisible();
  await expect(methods.told(`${VISA} was added`)).toBeVisible();
});

test('an expired card is marked, and is not made default; a failed update is not shown [payments.methods.{default-unless-expired,update-failure-closes,error.update-failure,error.default-expired}]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  const provider = await providers.add({ settings: short });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.addCard(cards.good, VISA);
  await methods.addCard(cards.amex, AMEX);
  // Until the gateway's events about the new card are through: they say when it really expires.
  await expect(async () => {
    await providers.sql(
      `update payment_method set expires = '2026-01', is_default = false, show = show || '{"expMonth": "1", "expYear": "2026"}'
        where customer_id = $1 and show ->> 'last4' = '0005'`,
      [provider.customerId],
    );
    await page.reload();
    await expect(methods.row(AMEX)).toContainText('Expired 01 / 2026', { timeout: 3_000 });
  }).toPass();
  await expect(methods.row(AMEX).getByText('Expired', { exact: true })).toBeVisible();
  const make = methods.act(AMEX, 'Make default');
  await expect(make).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'payment-methods-expired');
  await pressDimmed(make);
  await expect(
    methods.told('Your credit card has expired. Please add a new one and try again'),
  ).toBeVisible();
  await expect(methods.row(VISA).getByText('Default', { exact: true })).toBeVisible();

  cleanConsole.allow(/./);
  await page.route('**/v1/ec/payments/cards', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 402, json: { code: 'paymentMethod.declined', message: 'No such thing' } })
      : route.continue(),
  );
  await methods.act(VISA, 'Edit').click();
  await methods.dialog.getByLabel('City').fill('Bristol');
  await methods.button('Save').click();
  await expect(methods.dialog).toHaveCount(0);
  await expect(page.getByText('No such thing')).toHaveCount(0);

  await page.route('**/customer-default-source', (route) =>
    route.fulfill({ status: 409, json: { code: 'x', message: 'Error: The credit card has expired (8)' } }),
  );
  await methods.addCard(cards.mastercard, 'Mastercard ending 4444');
  await methods.act('Mastercard ending 4444', 'Make default').click();
  await expect(
    methods.told('Your credit card has expired. Please add a new one and try again'),
  ).toBeVisible();
});
