import { cards, PayPage } from '../../support/pay-page.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add();
});

const atTheBank = 'Confirm that this is you';

test('a completed authentication pays @external', async ({ page, stack }) => {
  const bill = await provider.bill('200.01');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.authentication);
  await expect(page.getByRole('heading', { name: atTheBank })).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(bill.payPath);
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 20_001, state: 'captured' }]);
});

test('a failed authentication charges nothing; another card then pays', async ({ page, stack }) => {
  const bill = await provider.bill('200.02');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.authentication);
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(pay.heading('Payment Failed')).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toHaveLength(1);
});

test('an abandoned authentication can be continued from the link', async ({ page, stack }) => {
  const bill = await provider.bill('200.03');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.authentication);
  await expect(page.getByRole('heading', { name: atTheBank })).toBeVisible();
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(pay.heading('Your bank wants you to confirm')).toBeVisible();
  await page.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(await stack.sandbox.chargesOf(bill)).toHaveLength(1);
});

test('an abandoned authentication gives way to another card, and its old page charges nothing', async ({
  page,
  context,
  stack,
}) => {
  const bill = await provider.bill('200.04');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.authentication);
  await expect(page.getByRole('heading', { name: atTheBank })).toBeVisible();

  const later = new PayPage(await context.newPage());
  await later.page.goto(`${provider.url}${bill.payPath}`);
  await later.page.getByRole('button', { name: 'Use another card' }).click();
  await later.pay(cards.good);
  await expect(later.heading('Payment Successful')).toBeVisible();

  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(async () => {
    await page.goto(`${provider.url}${bill.payPath}`);
    await expect(pay.outcome('Already paid')).toBeVisible({ timeout: 1_500 });
  }).toPass();
  expect(await stack.sandbox.chargesOf(bill)).toHaveLength(1);
});
