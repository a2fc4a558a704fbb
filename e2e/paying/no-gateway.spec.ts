import { texts } from '@counterfoil/contract/paying/public-pay-words.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** A brand whose gateway takes nothing tells how to pay otherwise, before anything is typed. */
const bankDetails = ['Northline Telecom', 'IBAN DE02 1203 0000 0000 2020 51'];
const settings = [
  `bankDetails=${JSON.stringify(bankDetails)}`,
  'supportEmail=help@e2e.example',
  'supportPhone=+49 30 901820',
];

/**
 * Opens a page that offers how to pay instead of Pay. A page does not wait for a gateway that is slow to refuse its key:
 * what is not known after 300 ms is taken to work until the page is opened again.
 */
async function opensWithout(page: Page, url: string): Promise<void> {
  await expect(async () => {
    await page.goto(url);
    await expect(page.getByRole('button', { name: /^(Pay|How to pay)$/ }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'How to pay' }).first()).toBeVisible({ timeout: 1 });
  }).toPass({ timeout: 40_000 });
}

for (const [name, gateway] of [
  ['no gateway', { hasGateway: false }],
  ['a gateway that refuses its key', { keys: 'refused' }],
] as const) {
  test(`${name}: the pay link tells account, reference and whom to ask [decisions.11.{screen.link-no-gateway,link-no-gateway-due,link-no-gateway-bank,link-no-gateway-status}]`, async ({
    page,
    providers,
  }) => {
    const provider = await providers.add({ ...gateway, settings });
    const bill = await provider.bill('120.50');
    await page.goto(`${provider.url}${bill.payPath}`);
    const pay = new PayPage(page);
    await expect(pay.heading('This invoice cannot be paid here right now')).toBeVisible();
    const main = page.getByRole('main');
    for (const line of bankDetails) await expect(main).toContainText(line);
    await expect(pay.sumOf('Reference')).toHaveText(bill.number);
    await expect(main).toContainText('$120.50');
    await expect(page.getByRole('link', { name: 'help@e2e.example' })).toBeVisible();
    // The specified words stand above the way to pay, in small print; nothing is headed by them.
    const specified = await main.getByText(texts.misconfigured, { exact: true }).boundingBox();
    const way = await main.getByText(bankDetails[1] ?? '').boundingBox();
    expect((specified?.y ?? Number.NaN) + (specified?.height ?? 0)).toBeLessThan(way?.y ?? 0);
    await expect(page.getByRole('heading', { name: 'Payment Failed' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expectAccessible(page, `pay-otherwise-${name.replaceAll(' ', '-')}`);
  });

  test(`${name}: dashboard, list and invoice offer how to pay instead of Pay`, async ({
    page,
    stack,
    providers,
  }) => {
    const provider = await providers.add({ ...gateway, settings });
    const bills = [await provider.bill('120.50'), await provider.bill('10.00')] as const;
    await signedIn(page, stack, provider, provider.url);
    const dialog = page.getByRole('dialog', { name: 'How to pay' });
    await opensWithout(page, `${provider.url}/dashboard`);
    await page.getByRole('button', { name: 'How to pay' }).first().click();
    await expect(dialog).toContainText('$130.50');
    for (const { number } of bills) await expect(dialog).toContainText(number);
    for (const line of bankDetails) await expect(dialog).toContainText(line);
    await expectAccessible(page, `how-to-pay-${name.replaceAll(' ', '-')}`);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await opensWithout(page, `${provider.url}/invoices`);
    const row = page.getByRole('row').filter({ hasText: bills[0].number });
    await row.getByRole('button', { name: 'How to pay' }).click();
    await expect(dialog).toContainText('$120.50');
    await expect(dialog).not.toContainText(bills[1].number);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: 'Pay', exact: true })).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);

    await row.getByRole('link', { name: bills[0].number }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(bills[0].number);
    await expect(page.getByRole('button', { name: 'How to pay' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Pay|Pay link)$/ })).toHaveCount(0);
  });
}

test('the brand says in its own words how to pay: line by line, with what is due and the reference [decisions.11.link-no-gateway-instructions]', async ({
  page,
  providers,
}) => {
  const paymentInstructions = 'Cheques to Northline, Box 12\nCash at any of our shops, with this page';
  const provider = await providers.add({
    hasGateway: false,
    settings: [`paymentInstructions=${paymentInstructions}`],
  });
  const bill = await provider.bill('120.50');
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  await expect(pay.heading('This invoice cannot be paid here right now')).toBeVisible();
  const words = page.getByText(/^Cheques to Northline/);
  expect(await words.evaluate((shown: HTMLElement) => shown.innerText)).toBe(paymentInstructions);
  await expect(page.getByRole('main')).toContainText('$120.50');
  await expect(pay.sumOf('Reference')).toHaveText(bill.number);
  await expect(page.getByRole('button', { name: 'Copy reference' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('bank transfer');
  await expectAccessible(page, 'pay-otherwise-own-words');
});

test('a key that is refused on the way to paying: checkout and pay link say so, and ask for no second try', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError/);
  const provider = await providers.add({ settings });
  const bills = [await provider.bill('20.00'), await provider.bill('30.00')] as const;
  const pay = new PayPage(page);
  await pay.open(provider, bills[0]);
  await pay.enter(cards.good);
  await providers.refuseKeys(provider);
  await pay.button.click();
  await expect(pay.heading('This invoice cannot be paid here right now')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Nothing was charged.');
  await expect(page.getByRole('main')).toContainText(bankDetails[1] ?? '');
  expect(await stack.sandbox.chargesOf(bills[0])).toEqual([]);

  await providers.acceptKeys(provider);
  await signedIn(page, stack, provider, provider.url);
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  for (const bill of bills) await bulk.box(bill).check();
  await providers.refuseKeys(provider);
  await bulk.paySelected().click();
  const methods = page.getByRole('region', { name: 'How to pay' });
  await expect(methods).toContainText(bankDetails[1] ?? '');
  await expect(methods).toContainText('$50.00');
  for (const { number } of bills) await expect(methods).toContainText(number);
  await expect(bulk.button).toHaveCount(0);
  await expectAccessible(page, 'bulk-pay-otherwise');

  const saved = new PaymentMethodsPage(page);
  await saved.open(provider);
  await expect(page.getByRole('main')).toContainText('Payment gateway is not configured properly');
  await expect(page.getByRole('main')).toContainText(bankDetails[1] ?? '');
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveCount(0);
  await expectAccessible(page, 'payment-types-otherwise');
});
