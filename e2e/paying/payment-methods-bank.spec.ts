import { expectAccessible } from '../support/accessible.ts';
import { cards } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import type { Provider, Providers } from '../support/provider.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

const short = 'billingAddressRequired=false';

async function opened(
  page: PaymentMethodsPage['page'],
  stack: Stack,
  providers: Providers,
  options: Parameters<Providers['add']>[0],
): Promise<{ provider: Provider; methods: PaymentMethodsPage }> {
  const provider = await providers.add(options);
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  return { provider, methods };
}

test('an Australian account is added with its mandate, edited, made default and removed [payments.methods.{screen.direct-debit,text.title.direct-debit,screen.modal.add-bank,screen.modal.edit-direct,keep}, payments.bank-form.field.phone, payments.stripe.control.debit-mandate]', async ({
  page,
  stack,
  providers,
}) => {
  const { provider, methods } = await opened(page, stack, providers, {
    currency: 'AUD',
    settings: [short, 'directDebitPaymentMethodId=1'],
  });
  const account = 'BSB 000-000, account ending 3456';
  const list = methods.accounts('Direct Debit');
  await expect(list.getByText('There are no bank accounts yet')).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).port === String(stack.port)) sent.push(request.postData() ?? '');
  });
  await list.getByRole('button', { name: 'Add Bank Account' }).click();
  await expectAccessible(page, 'payment-methods-add-bank', { within: 'dialog' });
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  await field('Account holder name').fill('Ada');
  await field('Email').fill('nobody');
  await field('BSB').fill('000');
  await pressDimmed(methods.button('Add Bank Account'));
  const summary = methods.dialog.getByRole('alert').filter({ hasText: 'There is a problem' });
  for (const problem of [
    'Account holder name has at least 4 characters',
    'Enter an email address like name@example.com',
    'BSB has at least 5 characters',
    'Account number is needed',
    'Agree to the direct debit to add the account',
  ])
    await expect(summary).toContainText(problem);
  await expectAccessible(page, 'payment-methods-add-bank-problems', { within: 'dialog' });
  await field('Account holder name').fill('Ada Nakamura');
  await field('Email').fill('ada@mail.example');
  await methods.dialog.getByLabel('Phone').fill('+61 2 5550 1234');
  await field('BSB').fill('000-00');
  await field('Account number').fill('000123456');
  await expect(methods.dialog).toContainText(`on behalf of ${provider.companyName}`);
  await methods.dialog.getByRole('checkbox').check();
  // The provider's words, at the field they are about.
  await methods.button('Add Bank Account').click();
  await expect(methods.dialog.locator('[id$="-routingNumber-error"]')).toContainText(/bsb number/i);
  await field('BSB').fill('000-000');
  await methods.button('Add Bank Account').click();
  await expect(methods.told(`${account} was added`)).toBeVisible();
  await expect(methods.row(account)).toContainText('Ada Nakamura · ada@mail.example');
  await expect(methods.row(account).getByText('Default', { exact: true })).toBeVisible();
  // The number went to the provider only.
  expect(sent.filter((text) => text.includes('000123456'))).toEqual([]);
  expect(sent.some((text) => text.includes('paymentMethodId'))).toBe(true);
  await methods.act(account, 'Details').click();
  await expect(methods.row(account)).toContainText('Active');
  await expect(methods.row(account)).toContainText('+61 2 5550 1234');
  await expect(methods.row(account)).toContainText('By providing your bank account details, you agree');
  await expectAccessible(page, 'payment-methods-bank');

  await methods.act(account, 'Edit').click();
  await expect(methods.dialog.getByLabel('Expiry month')).toHaveCount(0);
  await methods.dialog.getByLabel('Email').fill('accounts@mail.example');
  await expectAccessible(page, 'payment-methods-edit-bank', { within: 'dialog' });
  await methods.button('Save').click();
  await expect(methods.row(account)).toContainText('accounts@mail.example');

  await methods.addCard(cards.good, 'Visa ending 4242');
  await methods.act('Visa ending 4242', 'Make default').click();
  await expect(methods.row('Visa ending 4242').getByText('Default', { exact: true })).toBeVisible();
  await methods.act(account, 'Make default').click();
  await expect(methods.row(account).getByText('Default', { exact: true })).toBeVisible();
  await methods.act(account, 'Remove').click();
  await methods.button('Remove').click();
  await expect(methods.told(`${account} was removed`)).toBeVisible();
  await expect(methods.row('Visa ending 4242').getByText('Default', { exact: true })).toBeVisible();
});

test('an American account waits for its small deposit to be verified [payments.methods.text.title.ach, payments.bank-form.field.{accountHolderName,routingNumber,bankAccountNumber,accountType}]', async ({
  page,
  stack,
  providers,
}) => {
  const { methods } = await opened(page, stack, providers, {
    settings: [short, 'directDebitPaymentMethodId=2'],
  });
  const account = 'Routing number 110000000, account ending 6789';
  const list = methods.accounts('ACH');
  await list.getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  await field('Account holder name').fill('Ada Nakamura');
  await field('Account holder').selectOption('Company');
  await field('Account type').selectOption('Checking');
  await field('Routing number').fill('110000000');
  await field('Account number').fill('000123456789');
  await methods.dialog.getByRole('checkbox').check();
  await expectAccessible(page, 'payment-methods-add-ach', { within: 'dialog' });
  await methods.button('Add Bank Account').click();
  await expect(methods.told(/A small deposit will be on its bank statement/)).toBeVisible();
  await expect(methods.row(account).getByText('Waiting for you')).toBeVisible();
  await expect(methods.act(account, 'Make default')).toHaveCount(0);
  await expectAccessible(page, 'payment-methods-pending');

  await methods.act(account, 'Verify').click();
  await expect(methods.button('Verify')).toBeDisabled();
  await methods.dialog.getByLabel('Code', { exact: true }).fill('SM00AA');
  await expectAccessible(page, 'payment-methods-verify', { within: 'dialog' });
  await methods.button('Verify').click();
  await expect(methods.dialog.getByRole('alert')).toBeFocused();
  await expectAccessible(page, 'payment-methods-verify-wrong', { within: 'dialog' });
  await methods.dialog.getByLabel('Two amounts').check();
  await methods.dialog.getByLabel('First amount in cents').fill('32');
  await methods.dialog.getByLabel('Second amount in cents').fill('45');
  await methods.button('Verify').click();
  await expect(methods.told(`${account} was added`)).toBeVisible();
  await expect(methods.row(account).getByText('Waiting for you')).toHaveCount(0);
  await expect(methods.row(account).getByText('Default', { exact: true })).toBeVisible();
});

test('a British account needs the address and the words of its mandate [payments.methods.text.title.bacs, payments.bank-form.field.address]', async ({
  page,
  stack,
  providers,
}) => {
  const { methods } = await opened(page, stack, providers, {
    currency: 'GBP',
    settings: [short, 'currencySymbol=£', 'directDebitPaymentMethodId=3'],
  });
  await methods.accounts('BACS').getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  await field('Account holder name').fill('Ada Nakamura');
  await field('Sort code').fill('10-88-00');
  await field('Account number').fill('00012345');
  await methods.dialog.getByRole('checkbox', { name: /only person required to authorize/ }).check();
  await pressDimmed(methods.button('Add Bank Account'));
  await expect(methods.dialog.getByRole('alert').first()).toContainText('Address is needed');
  await field('Address').fill('1 High St');
  await field('City').fill('Bristol');
  await field('Zip').fill('BS1 1AA');
  await field('Country').selectOption('GB');
  await methods.button('Add Bank Account').click();
  await expect(methods.told('Sort code 10-88-00, account ending 2345 was added')).toBeVisible();
});

test('a European account is an IBAN of a SEPA country [payments.methods.text.title.sepa, payments.stripe.constant.iban]', async ({
  page,
  stack,
  providers,
}) => {
  const { methods } = await opened(page, stack, providers, {
    currency: 'EUR',
    settings: [short, 'currencySymbol=€', 'directDebitPaymentMethodId=4'],
  });
  await methods.accounts('SEPA').getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label);
  await field('Account holder name').fill('Ada Nakamura');
  await field('IBAN').fill('SA03 8000 0000 6080 1016 7519');
  await methods.dialog.getByRole('checkbox').check();
  await methods.button('Add Bank Account').click();
  await expect(methods.dialog.locator('[id$="-iban-error"]')).toContainText('SEPA country');
  await field('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await methods.button('Add Bank Account').click();
  await expect(methods.told(/^Bank code 37040044, account ending 3000 was added/)).toBeVisible();
});

test('Auto-Pay: on asks, Confirm turns it on, Cancel does not, off is off at once [payments.methods.screen.{auto-pay,modal.allow-charge}, payments.auto-pay.{control.checkbox,off-at-once,on-asks,control.confirm,control.cancel}]', async ({
  page,
  stack,
  providers,
}) => {
  const words = 'We charge your default payment method on the due date of each invoice.';
  const { provider, methods } = await opened(page, stack, providers, {
    settings: [short],
    resellerSettings: ['allowResellerCharge=true', `confirmationMessageForCharging=${words}`],
  });
  const area = page.getByRole('region', { name: 'Auto-Pay' });
  const box = area.getByRole('checkbox', {
    name: `Allow ${provider.companyName} to charge my invoices to the default payment method`,
  });
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(methods.dialog).toContainText(words);
  await expect(methods.dialog).toContainText('There is no payment method that could be charged');
  await methods.button('Cancel').click();
  await expect(methods.dialog).toHaveCount(0);
  await expect(box).not.toBeChecked();
  await expect(box).toBeFocused();

  await methods.addCard(cards.good, 'Visa ending 4242');
  await box.click();
  await expect(methods.dialog).toContainText('Your default payment method is Visa ending 4242.');
  await expectAccessible(page, 'payment-methods-allow-charge', { within: 'dialog' });
  await methods.button('Confirm').click();
  await expect(box).toBeChecked();
  await expect(area).toContainText('Due invoices are charged to Visa ending 4242 on their due date.');
  await expectAccessible(page, 'payment-methods-auto-pay');
  await page.reload();
  await expect(box).toBeChecked();
  await box.focus();
  await page.keyboard.press('Space');
  await expect(box).not.toBeChecked();
  await expect(methods.dialog).toHaveCount(0);
  await page.reload();
  await expect(box).not.toBeChecked();
});

test('where no permission is required, a notice says that the reseller can charge [payments.auto-pay.notice, decisions.6.auto-pay-notice]', async ({
  page,
  stack,
  providers,
}) => {
  const { provider } = await opened(page, stack, providers, {
    settings: [short],
    resellerSettings: ['requireCustomerPermissionForCharging=false'],
  });
  const area = page.getByRole('region', { name: 'Auto-Pay' });
  await expect(area).toContainText(
    `${provider.companyName} can charge due invoices to the default payment method of each of its customers.`,
  );
  await expect(area.getByRole('checkbox')).toHaveCount(0);
  await expectAccessible(page, 'payment-methods-open-charge');
});
