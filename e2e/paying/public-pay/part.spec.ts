import { expectAccessible } from '../../support/accessible.ts';
import { cards, PayPage } from '../../support/pay-page.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['partPayment=true', 'cardFee.basisPoints=200'] });
});

test('a typed part outlives a reload, without a digit of the card, and is gone once it is paid', async ({
  page,
}) => {
  const bill = await provider.bill('110.00');
  const pay = new PayPage(page);
  const field = page.getByRole('textbox', { name: 'Amount to pay' });
  await pay.open(provider, bill);
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await field.fill('40');
  await pay.enter(cards.good);
  await page.reload();
  await expect(field).toHaveValue('40');
  await expect(field).not.toBeFocused();
  await expect(pay.button).toHaveText('Pay $40.80');
  await expect(pay.number).toHaveValue('');
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(await kept()).not.toMatch(/4242|739/);

  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toContainText('You paid $40.80');
  expect(await kept()).not.toContain('pay.');
  await page.reload();
  await expect(pay.button).toHaveText('Pay $71.40');
  await expect(field).toHaveCount(0);
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await field.fill('30');
  await page.getByRole('button', { name: 'Pay all of it' }).click();
  await page.reload();
  await expect(pay.button).toHaveText('Pay $71.40');
  await expect(field).toHaveCount(0);
});

test('an abandoned 3-D Secure of a part is confirmed meanwhile: the press for another part charges nothing', async ({
  page,
  browser,
  stack,
}) => {
  const bill = await provider.bill('110.00');
  const abandoned = new PayPage(page);
  await abandoned.open(provider, bill);
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await page.getByRole('textbox', { name: 'Amount to pay' }).fill('40');
  await abandoned.pay(cards.authentication);
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible();

  // Another device: no tab tells it anything.
  const device = await browser.newContext();
  const other = new PayPage(await device.newPage());
  await other.page.goto(`${provider.url}${bill.payPath}`);
  await other.page.getByRole('button', { name: 'Use another card' }).click();
  await other.page.getByRole('button', { name: 'Pay another amount' }).click();
  await other.page.getByRole('textbox', { name: 'Amount to pay' }).fill('70');
  await other.enter(cards.good);
  await expect(other.button).toHaveText('Pay $71.40');

  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(abandoned.outcome('Payment Successful')).toContainText('You paid $40.80');

  await other.button.click();
  const refused = other.outcome('Payment Failed');
  await expect(refused).toContainText('The amount to pay has changed.');
  await expect(refused).toContainText('Nothing was charged.');
  await expect(refused).toContainText(/\$40\.80 of this invoice was paid on/);
  await expect(other.page.getByRole('main')).toContainText('Still to pay$71.40');
  await expectAccessible(other.page, 'pay-state-due-changed');
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 4_080, state: 'captured' }]);

  await other.page.getByRole('button', { name: 'Try again' }).click();
  await expect(other.page.getByRole('main')).toContainText('$70.00');
  await other.enter(cards.good);
  await other.button.click();
  await expect(other.outcome('Payment Successful')).toContainText('You paid $71.40');
  await device.close();
});
