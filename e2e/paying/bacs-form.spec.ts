import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import { expect, signedIn, test } from '../support/test.ts';

test('Bacs: without the ticked mandate and the billing address neither the provider nor the server is asked', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({
    currency: 'GBP',
    settings: ['billingAddressRequired=false', 'currencySymbol=£', 'directDebitPaymentMethodId=3'],
  });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && /payment_methods$|setup-intent|setup_intents/.test(pathname))
      asked.push(pathname);
  });
  await methods.accounts('BACS').getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  const problem = (text: string) => methods.dialog.getByRole('alert').filter({ hasText: text }).first();
  await field('Account holder name').fill('Ada Nakamura');
  await field('Sort code').fill('10-88-00');
  await field('Account number').fill('00012345');

  await pressDimmed(methods.button('Add Bank Account'));
  await expect(problem('Agree to the direct debit to add the account')).toBeVisible();
  await expect(problem('Address is needed')).toBeVisible();

  const mandate = methods.dialog.getByRole('checkbox', { name: /only person required to authorize/ });
  await mandate.check();
  await pressDimmed(methods.button('Add Bank Account'));
  await expect(problem('Address is needed')).toBeVisible();

  await field('Address').fill('1 High St');
  await field('City').fill('Bristol');
  await field('Zip').fill('BS1 1AA');
  await field('Country').selectOption('GB');
  await mandate.uncheck();
  await pressDimmed(methods.button('Add Bank Account'));
  await expect(problem('Agree to the direct debit to add the account')).toBeVisible();
  expect(asked).toEqual([]);

  await mandate.check();
  await methods.button('Add Bank Account').click();
  await expect(methods.told('Sort code 10-88-00, account ending 2345 was added')).toBeVisible();
  // They are asked at last, or the rest would prove nothing.
  expect(asked).toEqual(['/v1/payment_methods', '/v1/ec/payments/setup-intent']);
});
