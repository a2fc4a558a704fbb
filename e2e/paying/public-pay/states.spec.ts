import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { cards, PayPage, withoutServedPayment } from '../../support/pay-page.ts';
import type { Bill, Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

/** Every state of the pay page, wide and on a phone, light and dark: nothing axe objects to, nothing to scroll sideways. */
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({
    settings: [
      'partPayment=true',
      'emailReceipt=true',
      'cardFee.basisPoints=150',
      'supportEmail=help@e2e.example',
    ],
  });
});

const dueOn = (
  providers: { sql(text: string, values: unknown[]): Promise<unknown> },
  bill: Bill,
  day: string,
) => providers.sql('update invoice set due_on = $2 where number = $1', [bill.number, day]);

async function opened(page: Page, bill: Bill): Promise<PayPage> {
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  return pay;
}

test('the form: with a fee, with a part, overdue, with errors [payments.public.state.screen.form]', async ({
  page,
  providers,
}) => {
  const bill = await provider.bill('1284.16');
  await opened(page, bill);
  await expectAccessible(page, 'pay-state-form');
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await page.getByRole('textbox', { name: 'Amount to pay' }).fill('400');
  await expectAccessible(page, 'pay-state-part');
  await dueOn(providers, bill, '2026-01-05');
  const pay = await opened(page, bill);
  await expect(page.getByText('Overdue')).toBeVisible();
  await pay.button.press('Enter');
  await expect(page.getByText('There is a problem')).toBeVisible();
  await expectAccessible(page, 'pay-state-problem');
});

test('the form: card holder and billing address', async ({ page, providers }) => {
  const strict = await providers.add({
    settings: ['billingAddressRequired=true', 'cardHolderRequired=true'],
  });
  await new PayPage(page).open(strict, await strict.bill('1284.16'));
  await expectAccessible(page, 'pay-state-address');
});

test('loading [payments.public.state.screen.loading]', async ({ page }) => {
  const bill = await provider.bill('10.00');
  await withoutServedPayment(page);
  await page.route('**/v1/ec/payment/details/**', () => undefined);
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(page.getByText('Loading the invoice')).toBeAttached();
  await expectAccessible(page, 'pay-state-loading');
});

test('declined', async ({ page }) => {
  const pay = await opened(page, await provider.bill('30.02'));
  await pay.pay(cards.declined);
  await expect(pay.heading('Payment Failed')).toBeVisible();
  await expectAccessible(page, 'pay-state-declined');
});

test('being confirmed, and the network lost meanwhile', async ({ page }) => {
  const pay = await opened(page, await provider.bill('40.02'));
  await page.route('**/v1/ec/pay', (route) => route.abort());
  await page.route('**/v1/ec/payment/details/**', (route) => route.abort());
  await pay.pay(cards.good);
  await expect(pay.heading('Payment being confirmed')).toBeVisible();
  await expectAccessible(page, 'pay-state-confirming');
  await expect(page.getByText('The server cannot be reached at the moment')).toBeVisible();
  await expectAccessible(page, 'pay-state-offline');
});

test('waiting for 3-D Secure', async ({ page }) => {
  const bill = await provider.bill('50.02');
  const pay = await opened(page, bill);
  await pay.pay(cards.authentication);
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible();
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(pay.heading('Your bank wants you to confirm')).toBeVisible();
  await expectAccessible(page, 'pay-state-3-d-secure');
});

test('a part paid', async ({ page }) => {
  const pay = await opened(page, await provider.bill('60.02'));
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  await page.getByRole('textbox', { name: 'Amount to pay' }).fill('20');
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  await expectAccessible(page, 'pay-state-part-paid');
});

test('credited', async ({ page }) => {
  const bill = await provider.bill('10.00');
  const sums = ['10.00', '0.00', '10.00', '10.00'] as const;
  await provider.take({
    kind: 'creditNote',
    number: `C-${bill.number}`,
    credits: bill.number,
    currency: 'USD',
    sums,
    lines: [{ amount: '10.00' }],
  });
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(new PayPage(page).heading('Invoice credited')).toBeVisible();
  await expectAccessible(page, 'pay-state-credited');
});

test('a link nobody has, and one that was replaced', async ({ page, providers }) => {
  const bill = await provider.bill('10.00');
  await providers.sql(
    'update invoice_pay_link set retired_at = now() where invoice_id in (select id from invoice where number = $1)',
    [bill.number],
  );
  for (const [name, path] of [
    ['unknown', '/pay/AAAAAAAAAAAAAAAAAAAAAA'],
    ['replaced', bill.payPath],
  ] as const) {
    await page.goto(`${provider.url}${path}`);
    await expect(new PayPage(page).heading('Payment Failed')).toBeVisible();
    await expectAccessible(page, `pay-state-${name}`);
  }
});

test('no gateway', async ({ page, providers }) => {
  const bare = await providers.add({ hasGateway: false, settings: ['supportEmail=help@e2e.example'] });
  const bill = await bare.bill('10.00');
  await page.goto(`${bare.url}${bill.payPath}`);
  await expect(new PayPage(page).heading('This invoice cannot be paid here right now')).toBeVisible();
  await expectAccessible(page, 'pay-state-no-gateway');
});

test('a server that cannot be reached [payments.public.state.screen.load-failed]', async ({ page }) => {
  const bill = await provider.bill('10.00');
  await withoutServedPayment(page);
  await page.route('**/v1/ec/payment/details/**', (route) => route.abort());
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(new PayPage(page).heading('Payment Failed')).toBeVisible();
  await expectAccessible(page, 'pay-state-unreachable');
});

test('less than the gateway charges: said beside the button before anything is sent', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('0.30');
  const pay = await opened(page, bill);
  await pay.enter(cards.good);
  await expect(pay.button).toHaveAccessibleDescription(
    'The smallest amount that can be paid by card is $0.50. Nothing was charged.',
  );
  await pay.button.press('Enter');
  await expect(pay.button).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'pay-state-too-small');
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);
});

test('a part that leaves less than the gateway charges: said at the field', async ({ page }) => {
  const pay = await opened(page, await provider.bill('10.00'));
  await page.getByRole('button', { name: 'Pay another amount' }).click();
  const field = page.getByRole('textbox', { name: 'Amount to pay' });
  await field.fill('9.80');
  await pay.enter(cards.good);
  await pay.button.press('Enter');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(
    /What is left must be at least \$0\.50, or nothing: enter up to \$9\.50/,
  );
  await expectAccessible(page, 'pay-state-part-rest');
  await field.fill('9.50');
  await expect(pay.button).toHaveText('Pay $9.64');
});

for (const [width, height] of [
  [390, 844],
  [360, 640],
] as const) {
  test(`a phone of ${width} × ${height}: amount and Pay stand in the first screen, the address after the card`, async ({
    page,
    providers,
  }) => {
    const strict = await providers.add({
      settings: ['billingAddressRequired=true', 'cardHolderRequired=true', 'cardFee.basisPoints=150'],
    });
    await page.setViewportSize({ width, height });
    const pay = new PayPage(page);
    await pay.open(strict, await strict.bill('1284.16'));
    const main = page.getByRole('main');
    const inSight = { ratio: 1 };
    await expect(main.getByText('$1,303.42').first()).toBeInViewport(inSight);
    await expect(pay.button).toBeInViewport(inSight);
    const top = async (what: Locator) => (await what.boundingBox())?.y ?? Number.NaN;
    expect(await top(page.getByLabel('Address'))).toBeGreaterThan(await top(pay.number));
    // What has the focus is not below the button.
    for (const label of ['Card Holder Name', 'Address', 'City', 'Zip']) {
      const field = page.getByLabel(label, { exact: true });
      await field.focus();
      const box = await field.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(await top(pay.button));
      await expect(pay.button).toBeInViewport(inSight);
    }
    await page.evaluate(() => globalThis.scrollTo(0, document.documentElement.scrollHeight));
    await expect(pay.button).toBeInViewport(inSight);
  });
}
