import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { otherMethodsPage, otherPayPage, wayOf } from '../support/other-entries.ts';
import { PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const asks = (name: string, required = true) => ({ name, required });
const brandSettings = (entry: ReturnType<typeof wayOf>) => ({ uid: 'link', publishableKey: '', ...entry });
/** Of this origin: the page's policy lets in the providers' of the sandbox and ours. */
const frameOf = ({ url }: Provider) => `${url}/provider-frame`;
const frameAction = (provider: Provider): PreparedEntry['action'] => ({
  do: 'frame',
  url: frameOf(provider),
  origins: [new URL(provider.url).origin],
});

test('own card inputs hold the rules, show the brand, and send the numbers once', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  const formFields = [asks('cardHolder'), asks('payerFirstName'), asks('payerLastName')];
  const caught = await otherPayPage(page, () => ({
    brandSettings: brandSettings(wayOf('ownFieldsToUs', { formFields })),
  }));
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  const number = page.getByLabel('Card number');
  await number.pressSequentially('378282246310005');
  await expect(number).toHaveValue('3782 822463 10005');
  await expect(page.getByText('Amex', { exact: true })).toBeVisible();
  await page.getByLabel('Expiry date').pressSequentially('1231');
  await expect(page.getByLabel('Expiry date')).toHaveValue('12 / 31');
  await page.getByLabel('CVC').fill('739');
  await pressDimmed(pay.button);
  await expect(page.getByRole('alert')).toContainText('security code of this card has 4 digits');
  await expect(page.getByLabel('CVC')).toHaveAccessibleDescription(/has 4 digits/);
  await expectAccessible(page, 'pay-own-card-wrong');
  await page.getByLabel('CVC').fill('7391');
  await page.getByLabel('Card Holder Name').fill('Ada Nakamura');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Nakamura');
  // Told where the numbers go: not 'straight to the provider'.
  await expect(page.getByText('Card details are sent encrypted and never stored here')).toBeVisible();
  await expectAccessible(page, 'pay-own-card');
  // A second press while the first is on its way sends nothing.
  await pay.button.dblclick();
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  expect(caught.sent).toHaveLength(1);
  expect(caught.sent[0]).toMatchObject({
    cardNumber: '378282246310005',
    expirationDate: '2031-12',
    cardCode: '7391',
    cardHolder: 'Ada Nakamura',
    nexioCustomerDetails: { payerFirstName: 'Ada', payerLastName: 'Nakamura' },
  });
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
  expect(stored).not.toContain('378282');
  expect(await page.content()).not.toContain('378282');
});

test('a frame is prepared first; only its own messages count, and one that says it is done pays', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  const caught = await otherPayPage(
    page,
    () => ({ isFrame: true, brandSettings: brandSettings(wayOf('providerFrame')) }),
    { entries: [503, frameAction(provider)], frameUrl: frameOf(provider) },
  );
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  await expect(page.getByRole('alert')).toContainText('could not be prepared. Nothing was charged or saved.');
  await expectAccessible(page, 'pay-frame-failed');
  await page.getByRole('button', { name: 'Try again' }).click();
  const frame = page.frameLocator('iframe[title="Card details, at the payment provider"]');
  await expect(frame.getByLabel('Card number')).toBeVisible();
  await expectAccessible(page, 'pay-frame', { within: 'main' });
  await pressDimmed(pay.button);
  await expect(page.getByRole('alert')).toContainText('Fill in the payment provider’s form first');
  // The page itself and a frame beside it are not the provider's frame.
  await page.evaluate(() => window.postMessage('000', '*'));
  await frame.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('Do not honour')).toBeVisible();
  await expect(page.getByText('Do not honour')).toBeHidden({ timeout: 10_000 });
  expect(caught.sent).toEqual([]);
  // In and out by keyboard.
  await page.getByLabel('Email Receipt').focus();
  await page.keyboard.press('Tab');
  await expect(frame.getByLabel('Card number')).toBeFocused();
  for (const _ of [1, 2, 3]) await page.keyboard.press('Tab');
  await expect(pay.button).toBeFocused();
  await frame.getByRole('button', { name: 'Done' }).click();
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  expect(caught.sent).toHaveLength(1);
  expect(caught.sent[0]).toMatchObject({ entryId: '0190a000-0000-7000-8000-000000000002' });
  expect(JSON.stringify(caught.sent)).not.toMatch(/cardToken|cardNumber/);
});

test('a frame that does not load says so and offers to try again', async ({ page, providers }) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  await page.clock.install();
  await otherPayPage(page, () => ({ brandSettings: brandSettings(wayOf('providerFrame')) }), {
    entries: [frameAction(provider)],
  });
  // The provider does not answer.
  await page.route(frameOf(provider), () => undefined);
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(page.locator('iframe')).toBeVisible();
  await page.clock.runFor(6_500);
  await expect(page.getByText('is taking longer than usual to load')).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(page.getByRole('alert')).toContainText('form could not be loaded');
  await page.unroute(frameOf(provider));
  await page.route(frameOf(provider), (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>p</title><p>Back again</p>' }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.frameLocator('iframe').getByText('Back again')).toBeVisible();
});

test('the gateway’s own page: told what happens next, left for, and paid there', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  const caught = await otherPayPage(page, () => ({
    requiredCardHolder: true,
    brandSettings: brandSettings(wayOf('redirect')),
  }));
  await page.route('**/v1/ec/pay', async (route) => {
    caught.sent.push(route.request().postDataJSON());
    const data = {
      status: 'requires_action',
      redirectToUrl: `${provider.url}/provider-page`,
      attemptId: 'a',
    };
    await route.fulfill({ contentType: 'application/json', body: JSON.stringify({ data }) });
  });
  await page.route('**/provider-page', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>p</title><h1>Provider page</h1>' }),
  );
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(page.getByText('You will be taken to the payment provider’s page')).toBeVisible();
  await expect(page.getByLabel('Card Holder Name')).toHaveCount(0);
  await expectAccessible(page, 'pay-own-page');
  await page.getByRole('button', { name: 'Continue to pay $12.00' }).click();
  await expect(page.getByRole('heading', { name: 'Provider page' })).toBeVisible();
  expect(caught.sent[0]).toMatchObject({ ownPage: true, invoiceAmount: '12.00' });
});

test('only a bank account: the page begins with it and its fee', async ({ page, providers }) => {
  const provider = await providers.add();
  const bill = await provider.bill('12.00');
  const entry = wayOf('ownFieldsToUs', {
    scheme: 'ach',
    currency: 'USD',
    formFields: [
      asks('nameOnAccount'),
      asks('bankName'),
      asks('routingNumber'),
      asks('accountNumber'),
      asks('accountType'),
    ],
  });
  const caught = await otherPayPage(page, () => ({
    brandSettings: null,
    bank: {
      scheme: 'ach',
      title: 'ACH',
      currency: 'USD',
      settlesInDays: 1,
      mandate: { version: '1', text: 'I let the company debit my account.', terms: null },
      entry,
      fee: 0.4,
      total: 12.4,
      feeSetting: { basisPoints: 0, fixedMinor: 40, capMinor: null },
    },
  }));
  await page.goto(`${provider.url}${bill.payPath}`);
  await page.getByLabel('Name on account').fill('Ada Nakamura');
  await page.getByLabel('Bank name').fill('First Bank');
  await page.getByLabel('Routing number').fill('1100 0000 0');
  await page.getByLabel('Account number').fill('000123456');
  await page.getByLabel('Account type').selectOption('checking');
  await page.getByRole('checkbox').check();
  await expectAccessible(page, 'pay-own-bank');
  await page.getByRole('button', { name: 'Pay $12.40' }).click();
  await expect(new PayPage(page).outcome('Payment Successful')).toBeVisible();
  expect(caught.sent[0]).toMatchObject({
    paymentMethodType: 'ach',
    routingNumber: '110000000',
    accountNumber: '000123456',
    accountType: 'checking',
    bankName: 'First Bank',
    accountHolderName: 'Ada Nakamura',
  });
});

test('nothing pays here, a saved method does: sign in to pay, or pay otherwise [decisions.11.{screen.link-no-gateway,control.link-no-gateway-sign-in,link-no-gateway-due}]', async ({
  page,
  providers,
}) => {
  const provider = await providers.add({
    settings: [`bankDetails=${JSON.stringify(['Northline Telecom', 'IBAN DE02 1203 0000 0000 2020 51'])}`],
  });
  const bill = await provider.bill('12.00');
  await otherPayPage(page, () => ({ brandSettings: null, bank: null, signInToPay: true }));
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(new PayPage(page).heading('Sign in to pay this invoice')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$12.00');
  await expect(page.getByRole('main')).toContainText('IBAN DE02');
  await expectAccessible(page, 'pay-sign-in');
  await page.getByRole('link', { name: 'Sign in to pay' }).click();
  await expect(page).toHaveURL(/\/login\?r=%2Finvoices/);
});

test('adding a card by own inputs, in a frame, and on the gateway’s page', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const paths = { cards: '/v1/ec/other/cards', accounts: '/v1/ec/other/ach', defaultSource: '/none' };
  let how: Parameters<typeof wayOf>[0] = 'ownFieldsToUs';
  const caught = await otherMethodsPage(
    page,
    (details) => ({ paths, card: details.card && { ...details.card, entry: wayOf(how) } }),
    { entries: [frameAction(provider)], frameUrl: frameOf(provider) },
  );
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  const add = () => methods.cards.getByRole('button', { name: 'Add Card' }).click();
  await test.step('own inputs', async () => {
    await add();
    await methods.dialog.getByLabel('Card number').fill('4242424242424242');
    await methods.dialog.getByLabel('Expiry date').fill('12 / 31');
    await methods.dialog.getByLabel('CVC').fill('123');
    await expectAccessible(page, 'add-card-own', { within: 'dialog' });
    await methods.button('Add Card').click();
    await expect(methods.told('The payment method was added')).toBeVisible();
    expect(caught.sent.pop()).toMatchObject({
      cardNumber: '4242424242424242',
      expirationDate: '2031-12',
      cvc: '123',
    });
  });
  await test.step('a frame that saves itself', async () => {
    how = 'providerFrame';
    await methods.open(provider);
    await add();
    const frame = methods.dialog.frameLocator('iframe');
    await expect(frame.getByRole('button', { name: 'Done' })).toBeVisible();
    await expectAccessible(page, 'add-card-frame', { within: 'dialog' });
    await frame.getByRole('button', { name: 'Done' }).click();
    await expect(methods.told('The payment method was added')).toBeVisible();
    expect(caught.sent.pop()).toMatchObject({ entryId: expect.any(String) });
  });
  await test.step('its own page', async () => {
    how = 'redirect';
    await methods.open(provider);
    await add();
    await expect(methods.dialog).toContainText('You will be taken to the payment provider’s page');
    await expectAccessible(page, 'add-card-leave', { within: 'dialog' });
    expect(caught.sent).toEqual([]);
  });
});

test('a bank account in a frame into which a form is posted; one that ran out is made again', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const paths = { cards: '/v1/ec/other/cards', accounts: '/v1/ec/other/ach', defaultSource: '/none' };
  const form: PreparedEntry['action'] = {
    do: 'form',
    url: frameOf(provider),
    fields: { ReferenceID: 'R1', PaymentType: 'ACH' },
    origins: [new URL(provider.url).origin],
  };
  const bank = {
    scheme: 'ach',
    title: 'ACH',
    currency: 'USD',
    settlesInDays: 1,
    mandate: { version: '1', text: 'I let the company debit my account.', terms: null },
    entry: wayOf('providerFrame', { formFields: [asks('accountHolderName')] }),
    edit: [],
  };
  const caught = await otherMethodsPage(page, () => ({ paths, bank }), {
    entries: [form],
    frameUrl: frameOf(provider),
    firstLivesMs: 2_000,
  });
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.accounts('ACH').getByRole('button', { name: 'Add Bank Account' }).click();
  await methods.dialog.getByLabel('Account holder name').fill('Ada Nakamura');
  await methods.dialog.getByRole('checkbox').check();
  await expect(methods.dialog.getByRole('alert')).toContainText('This form has expired');
  await expectAccessible(page, 'add-bank-expired', { within: 'dialog' });
  await methods.button('Load the form again').click();
  const frame = methods.dialog.frameLocator('iframe[title="Bank account, at the payment provider"]');
  await expect(frame.getByRole('button', { name: 'Done' })).toBeVisible();
  expect(caught.posted.at(-1)).toBe('ReferenceID=R1&PaymentType=ACH');
  await expectAccessible(page, 'add-bank-frame', { within: 'dialog' });
  await frame.getByRole('button', { name: 'Done' }).click();
  await expect(methods.told('The payment method was added')).toBeVisible();
  // What was typed beside it was not lost with the first one, and only the second is used.
  expect(caught.sent).toHaveLength(1);
  expect(caught.sent[0]).toMatchObject({
    entryId: '0190a000-0000-7000-8000-000000000002',
    accountHolderName: 'Ada Nakamura',
    mandateAccepted: true,
  });
});

test('a new card of a bulk payment in a frame: each try has an entry of its own', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const bills = [await provider.bill('10.00'), await provider.bill('2.00')];
  const caught = await otherMethodsPage(
    page,
    (details) => ({ card: details.card && { ...details.card, entry: wayOf('providerFrame') } }),
    { entries: [frameAction(provider)], frameUrl: frameOf(provider) },
  );
  await signedIn(page, stack, provider, provider.url);
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, bills);
  await bulk.button.click();
  await page.getByLabel('Card Holder Name').fill('Ada Nakamura');
  const frame = page.frameLocator('iframe[title="Card details, at the payment provider"]');
  await expect(frame.getByRole('button', { name: 'Done' })).toBeVisible();
  await expectAccessible(page, 'bulk-frame', { within: 'main' });
  await frame.getByRole('button', { name: 'Done' }).click();
  await expect(bulk.heading('Payment Failed')).toBeVisible();
  expect(caught.sent).toMatchObject([
    { entryId: '0190a000-0000-7000-8000-000000000001', cardHolder: 'Ada Nakamura' },
  ]);
});
