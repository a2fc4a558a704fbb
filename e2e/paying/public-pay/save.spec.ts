import { expectAccessible } from '../../support/accessible.ts';
import { cards, PayPage } from '../../support/pay-page.ts';
import { PaymentMethodsPage } from '../../support/payment-methods-page.ts';
import { expect, signedIn, test } from '../../support/test.ts';

/** Saving the card on a pay link: for who is signed in and whose customer the invoice is, and for nobody else. */
const label = 'Save this card for later payments';

test('who is signed in may save the card that pays; a declined one is not saved', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const bills = [await provider.bill('12.00'), await provider.bill('13.00')] as const;
  await signedIn(page, stack, provider, provider.url);
  const saves: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/ec/payments/cards'))
      saves.push(request.url());
  });
  const pay = new PayPage(page);
  await pay.open(provider, bills[0]);
  await page.getByRole('checkbox', { name: label }).check();
  await expect(page.getByText(`you agree that ${provider.companyName} keeps this card`)).toBeVisible();
  await expectAccessible(page, 'pay-save-card');
  await pay.pay(cards.declined);
  await expect(pay.heading('Payment Failed')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  await expect(page.getByText('The card was saved. You find it under Payment Types.')).toBeVisible();
  // Of the card that was declined nobody was asked.
  expect(saves).toHaveLength(1);
  expect(await stack.sandbox.chargesOf(bills[0])).toHaveLength(1);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await expect(methods.row('Visa ending 4242')).toBeVisible();
  await expect(methods.cards.getByRole('listitem')).toHaveCount(1);
});

test('nobody else is offered it: not who is signed out, nor who is signed in for another customer', async ({
  page,
  stack,
  providers,
}) => {
  const [provider, other] = [await providers.add(), await providers.add()];
  const bill = await provider.bill('12.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await expect(page.getByRole('checkbox', { name: label })).toHaveCount(0);
  await signedIn(page, stack, other, provider.url);
  const asked = page.waitForResponse((response) => response.url().endsWith('/v1/ec/payments/details'));
  await pay.open(provider, bill);
  await asked;
  await pay.enter(cards.good);
  await expect(page.getByRole('checkbox', { name: label })).toHaveCount(0);
});

test('a setup whose answer is lost is asked for again, and is never called refused', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  const pay = new PayPage(page);
  let lost = 0;
  await page.route('**/v1/ec/payments/cards', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    lost += 1;
    return route.abort();
  });
  await pay.open(provider, await provider.bill('12.00'));
  await page.getByRole('checkbox', { name: label }).check();
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  await expect(page.getByText('We do not know yet whether the card was saved.')).toBeVisible();
  expect(lost).toBe(2);
});
