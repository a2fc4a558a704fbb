import type { FrameLocator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import type { Provider, Providers } from '../support/provider.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

/** Nexio through the portal, its server and its sandbox: by the provider's frame, and by numbers that the page encrypts. */
const CARD = ['4111', '1111', '1111', '1111'].join('');
const ENCRYPTED = ['cardEntry=ownFieldsEncrypted', 'bankEntry=ownFieldsEncrypted'];

const nexio = (providers: Providers, settings: readonly string[] = []): Promise<Provider> =>
  providers.add({
    gateway: 'nexio',
    accountSettings: settings,
    settings: ['directDebitPaymentMethodId=1'],
  });

/** Bodies that the page sends to our server. */
function sentBy(page: Page, stack: Stack): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).port === String(stack.port)) sent.push(request.postData() ?? '');
  });
  return sent;
}
const bodyOf = (sent: readonly string[], member: string): Record<string, unknown> =>
  JSON.parse(sent.find((body) => body.includes(`"${member}"`)) ?? '{}');

const cardFrame = (within: Page | PaymentMethodsPage['dialog']): FrameLocator =>
  within.frameLocator('iframe[title="Card details, at the payment provider"]');

async function typeIntoFrame(frame: FrameLocator, code = '111'): Promise<void> {
  await frame.getByLabel('Card number').fill(CARD);
  await frame.getByLabel('Expiry').fill('12 / 31');
  await frame.getByLabel('Security code').fill(code);
}
async function typeOwn(within: Page | PaymentMethodsPage['dialog']): Promise<void> {
  await within.getByLabel('Card number').fill(CARD);
  await within.getByLabel('Expiry date').fill('12 / 31');
  await within.getByLabel('CVC').fill('739');
}
const nameThe = async (within: Page | PaymentMethodsPage['dialog']): Promise<void> => {
  await within.getByLabel('Card Holder Name').fill('Ada Nakamura');
  await within.getByLabel('First name').fill('Ada');
  await within.getByLabel('Last name').fill('Nakamura');
};

test('a link is paid by the provider’s frame: no number comes to our server [payments.card.{holder-nexio,payer-first-name,payer-last-name}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await nexio(providers);
  const bill = await provider.bill('42.15');
  const sent = sentBy(page, stack);
  const pay = new PayPage(page);
  await page.goto(`${provider.url}${bill.payPath}`);
  const frame = cardFrame(page);
  await expect(frame.getByLabel('Card number')).toBeVisible();
  await expectAccessible(page, 'nexio-pay-frame', { within: 'main' });
  // The brand asks for nothing: it is the gateway that does.
  await pressDimmed(pay.button);
  for (const problem of ['Enter your first name', 'Enter your last name'])
    await expect(page.getByRole('alert').getByText(problem)).toBeVisible();
  await nameThe(page);
  // What is wrong the frame says, and takes another card after it.
  await frame.getByLabel('Card number').fill(`${CARD.slice(0, -1)}2`);
  await frame.getByLabel('Expiry').fill('12 / 31');
  await pay.button.click();
  await expect(page.getByRole('alert')).toContainText('The card number is not valid');
  await expect(frame.getByLabel('Card number')).toHaveValue('');
  await typeIntoFrame(frame);
  await pay.button.click();
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  expect(sent.join()).not.toMatch(/411111|encryptedNumber|"111"/);
  expect(bodyOf(sent, 'cardToken')).toMatchObject({
    cardHolder: 'Ada Nakamura',
    nexioCustomerDetails: { payerFirstName: 'Ada', payerLastName: 'Nakamura' },
  });
  const [charge] = await stack.sandbox.chargesOf(bill);
  expect(charge).toMatchObject({ minor: 4_215, state: 'captured' });
});

test('a link is paid by a number that the page encrypts: its ciphertext and its code come to our server [payments.public.field.pay.nexio.cardNumber, payments.public.encrypted]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await nexio(providers, ENCRYPTED);
  const bill = await provider.bill('42.16');
  const sent = sentBy(page, stack);
  const pay = new PayPage(page);
  await page.goto(`${provider.url}${bill.payPath}`);
  await typeOwn(page);
  await nameThe(page);
  await expectAccessible(page, 'nexio-pay-encrypted');
  await pay.button.click();
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  expect(sent.join()).not.toContain('411111');
  const body = bodyOf(sent, 'cardNumber');
  expect(body).toMatchObject({
    cardNumber: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
    expirationDate: '2031-12',
    cardCode: '739',
    nexioCustomerDetails: { payerFirstName: 'Ada', payerLastName: 'Nakamura' },
  });
});

test('without the gateway’s key nothing is sent, and either page says why in its own words [payments.public.error.encryption, payments.nexio.{encryption-required,error.encryption}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await nexio(providers, [...ENCRYPTED, 'publicKey=']);
  const bill = await provider.bill('42.17');
  const sent = sentBy(page, stack);
  const pay = new PayPage(page);
  await page.goto(`${provider.url}${bill.payPath}`);
  await typeOwn(page);
  await nameThe(page);
  await pay.button.click();
  await expect(page.getByRole('alert')).toContainText(
    'The payment gateway isn’t configured properly. Please contact support if the issue persists.',
  );
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.cards.getByRole('button', { name: 'Add Card' }).click();
  await typeOwn(methods.dialog);
  await nameThe(methods.dialog);
  await methods.dialog.getByLabel('Shipping address').fill('1 Bay Rd');
  await methods.button('Add Card').click();
  await expect(methods.dialog.getByRole('alert')).toContainText(
    "The payment gateway isn't configured properly. Please contact support if the issue persists.",
  );
  expect(sent.filter((body) => /cardCode|cvv/.test(body))).toEqual([]);
});

test('cards and accounts are saved by the frame and by encryption [payments.nexio.{holder-required,first-name-required,last-name-required,shipping-required,debit-routing,debit-account,debit-holder,constant.routing-number}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await nexio(providers);
  await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  const frame = cardFrame(methods.dialog);
  await methods.cards.getByRole('button', { name: 'Add Card' }).click();
  await expect(frame.getByLabel('Card number')).toBeVisible();
  await pressDimmed(methods.button('Add Card'));
  const summary = methods.dialog.getByRole('alert').filter({ hasText: 'There is a problem' });
  for (const problem of [
    'Enter the name on the card',
    'Enter your first name',
    'Enter your last name',
    'Enter your shipping address',
  ])
    await expect(summary.getByText(problem)).toBeVisible();
  await expectAccessible(page, 'nexio-add-card-frame', { within: 'dialog' });
  await nameThe(methods.dialog);
  await methods.dialog.getByLabel('Shipping address').fill('1 Bay Rd');
  await typeIntoFrame(frame);
  await methods.button('Add Card').click();
  await expect(methods.told(/Visa ending 1111 was added/)).toBeVisible();

  const list = methods.accounts('ACH');
  await list.getByRole('button', { name: 'Add Bank Account' }).click();
  const bank = methods.dialog.frameLocator('iframe[title="Bank account, at the payment provider"]');
  await bank.getByLabel('Routing number').fill('110000000');
  await bank.getByLabel('Account number').fill('000123456789');
  await methods.dialog.getByLabel('Account holder name').fill('Ada Nakamura');
  await methods.dialog.getByRole('checkbox').check();
  await methods.button('Add Bank Account').click();
  await expect(list.getByText(/6789/).first()).toBeVisible();

  const other = await nexio(providers, ENCRYPTED);
  await signedIn(page, stack, other, other.url);
  await methods.open(other);
  const sent = sentBy(page, stack);
  await methods.cards.getByRole('button', { name: 'Add Card' }).click();
  await typeOwn(methods.dialog);
  await nameThe(methods.dialog);
  await methods.dialog.getByLabel('Shipping address').fill('1 Bay Rd');
  await expectAccessible(page, 'nexio-add-card-encrypted', { within: 'dialog' });
  await methods.button('Add Card').click();
  await expect(methods.told(/Visa ending 1111 was added/)).toBeVisible();
  expect(bodyOf(sent, 'encryptedNumber')).toMatchObject({
    firstSix: '411111',
    lastFour: '1111',
    cvv: '739',
    cardType: 'visa',
    expirationMonth: '12',
    expirationYear: '2031',
    encryptedNumber: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
    cardHolderName: 'Ada Nakamura',
    customer: { payerFirstName: 'Ada', payerLastName: 'Nakamura', shippingAddress: '1 Bay Rd' },
  });
  await list.getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  await field('Routing number').fill('11000');
  await field('Account number').fill('12345');
  await pressDimmed(methods.button('Add Bank Account'));
  for (const problem of [
    'Routing number has at least 9 characters',
    'Account number has at least 6 characters',
    'Account holder name is needed',
  ])
    await expect(summary.getByText(problem)).toBeVisible();
  await field('Account holder name').fill('Ada Nakamura');
  await field('Routing number').fill('110000000');
  await field('Account number').fill('000123456789');
  await methods.dialog.getByRole('checkbox').check();
  await methods.button('Add Bank Account').click();
  await expect(list.getByText(/6789/).first()).toBeVisible();
  expect(sent.join()).not.toContain('000123456789');
  expect(bodyOf(sent, 'encryptedBankAccountNumber')).toMatchObject({
    routingNumber: '110000000',
    accountHolderName: 'Ada Nakamura',
    lastFour: '6789',
  });
});
