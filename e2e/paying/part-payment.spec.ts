import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, saveCard } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({
    settings: ['partPayment=true', 'emailReceipt=true', 'cardFee.basisPoints=200'],
  });
});

test('a part is paid by link with the fee of that part, then the rest; the invoice is then paid [decisions.6.part-payment-offered]', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('110.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  const opener = page.getByRole('button', { name: 'Pay another amount' });
  const field = page.getByRole('textbox', { name: 'Amount to pay' });
  const submit = page.getByRole('button', { name: /^Pay \$/ });
  await expect(submit).toHaveText('Pay $112.20');

  // By keyboard: the field takes the focus, and gives it back.
  await opener.press('Enter');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/From \$1\.00 to \$110\.00/);
  await page.getByRole('button', { name: 'Pay all of it' }).press('Enter');
  await expect(opener).toBeFocused();

  await opener.click();
  await field.fill('110.01');
  await pay.enter(cards.good);
  // It says what is missing when it is pressed.
  await submit.press('Enter');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/Enter an amount from \$1\.00 to \$110\.00/);
  await expectAccessible(page, 'part-payment-wrong');

  await field.fill('40');
  await expect(submit).toHaveText('Pay $40.80');
  await expect(pay.sumOf('Card fee')).toHaveText('$0.80');
  await expect(pay.sumOf('Total')).toHaveText('$40.80');
  await expectAccessible(page, 'part-payment');
  await submit.click();
  const outcome = pay.outcome('Payment Successful');
  await expect(outcome).toContainText(`You paid $40.80 to ${provider.companyName}`);
  await expect(pay.sumOf('Still to pay')).toHaveText('$70.00');
  await expectAccessible(page, 'part-payment-paid');

  await pay.open(provider, bill);
  await expect(submit).toHaveText('Pay $71.40');
  await pay.enter(cards.good);
  await submit.click();
  await expect(outcome).toContainText(`You paid $71.40 to ${provider.companyName}`);
  await expect(pay.sumOf('Still to pay')).toHaveCount(0);
  await page.reload();
  await expect(pay.outcome('Already paid')).toBeVisible();
  const charges = await stack.sandbox.chargesOf(bill);
  expect(charges.every(({ state }) => state === 'captured')).toBe(true);
  expect(charges.map(({ minor }) => minor).toSorted((a, b) => a - b)).toEqual([4_080, 7_140]);
});

test('the amount that was chosen is paid after 3-D Secure, and what is left is told', async ({ page }) => {
  const bill = await provider.bill('60.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await page.getByRole('textbox', { name: 'Amount to pay' }).fill('25.50');
  await pay.enter(cards.authentication);
  await page.getByRole('button', { name: 'Pay $26.01' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(pay.outcome('Payment Successful')).toContainText('You paid $26.01');
  await expect(pay.sumOf('Still to pay')).toHaveText('$34.50');
});

test('signed in: a part of one invoice is priced again, and cannot be paid before that [decisions.6.part-payment-offered]', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('110.00');
  await signedIn(page, stack, provider, provider.url);
  await saveCard(page, provider, cards.good, 'Visa ending 4242');
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, [bill]);
  await bulk.method('Visa ending 4242').check();
  await expect(bulk.sumOf('Total: ')).toHaveText('$112.20');
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await page.getByRole('textbox', { name: 'Amount to pay' }).fill('40');
  await expect(bulk.button).toBeDisabled();
  await expect(page.getByText('Use the other amount first, or pay all of it.')).toBeVisible();
  await expectAccessible(page, 'bulk-part-typed');
  await page.getByRole('button', { name: 'Use this amount' }).click();
  await expect(bulk.sumOf('Total: ')).toHaveText('$40.80');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Amount to pay' })).toHaveValue('40.00');
  await bulk.method('Visa ending 4242').check();
  await expectAccessible(page, 'bulk-part');
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();
  await expect(page.getByText(`You paid $40.80 to ${provider.companyName}`)).toBeVisible();
  await expect(bulk.sumOf('Still to pay')).toHaveText('$70.00');
  await expectAccessible(page, 'bulk-part-paid');
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 4_080, state: 'captured' }]);
});
