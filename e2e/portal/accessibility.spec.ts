import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import type { Provider, ProviderOptions } from '../support/provider.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

test.describe.configure({ mode: 'parallel', timeout: 120_000 });

/** Difficult brands: colours that scream at one another, and seven times the same grey. */
const brands: Readonly<Record<string, readonly string[] | undefined>> = {
  default: undefined,
  neon: ['#ffff00', '#39ff14', '#ff00ff', '#00ffff', '#fe019a', '#ccff00', '#ff6ec7'],
  grey: Array.from({ length: 7 }, () => '#808080'),
};

const optionsOf = (name: string, more: readonly string[] = []): ProviderOptions => ({
  settings: ['supportEmail=help@e2e.example', 'cardFee.basisPoints=100', ...more],
  moreCustomers: ['Second Customer', 'Third Customer'],
  ...(brands[name] !== undefined && { colours: brands[name] }),
});

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

for (const name of Object.keys(brands)) {
  /** A brand is its colours: all else is that of the default one. */
  const brand = { isColourOnly: brands[name] !== undefined };

  test(`${name} brand: no violation at sign-in`, async ({ page, providers }) => {
    const provider = await providers.add(optionsOf(name));
    await page.goto(`${provider.url}/login`);
    await expect(title(page, 'Sign in')).toBeVisible();
    await expectAccessible(page, `${name}-sign-in`, brand);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('There is a problem')).toBeVisible();
    await expectAccessible(page, `${name}-sign-in-refused`, brand);
  });

  test(`${name} brand: no violation in the pay form and its refusals`, async ({ page, providers }) => {
    const strict = ['billingAddressRequired=true', 'cardHolderRequired=true'];
    const provider = await providers.add(optionsOf(name, strict));
    const pay = new PayPage(page);
    await pay.open(provider, await provider.bill('1234.56'));
    await expectAccessible(page, `${name}-pay-form`, brand);
    await pressDimmed(pay.button);
    await expect(page.getByText('There is a problem')).toBeVisible();
    await expectAccessible(page, `${name}-pay-form-refused`, brand);
  });

  test(`${name} brand: no violation at the ends of a payment`, async ({ page, providers, stack }) => {
    const provider = await providers.add(optionsOf(name));
    const pay = new PayPage(page);
    const bill = await provider.bill('1234.56');
    await pay.open(provider, bill);
    await pay.pay(cards.declined);
    await expect(title(page, 'Payment Failed')).toBeVisible();
    await expectAccessible(page, `${name}-pay-failed`, brand);

    await page.getByRole('button', { name: 'Try again' }).click();
    await pay.pay(cards.authentication);
    await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible();
    await page.goto(`${provider.url}${bill.payPath}`);
    await expect(title(page, 'Your bank wants you to confirm')).toBeVisible();
    await expectAccessible(page, `${name}-pay-authentication`, brand);

    await page.getByRole('button', { name: 'Use another card' }).click();
    await stack.sandbox.fault(provider.account, 'charge', 'slow', { ms: 1_500 });
    await pay.pay(cards.good);
    await expect(title(page, 'Payment Successful')).toBeVisible();
    await expectAccessible(page, `${name}-pay-success`, brand);
    await page.reload();
    await expect(title(page, 'Already paid')).toBeVisible();
    await expectAccessible(page, `${name}-pay-paid`, brand);
  });

  test(`${name} brand: no violation in invoices and the shell around them`, async ({
    page,
    providers,
    stack,
  }) => {
    const provider = await providers.add(optionsOf(name));
    await fill(provider);
    await signedIn(page, stack, provider, provider.url);
    await page.goto(`${provider.url}/invoices`);
    await expect(page.getByRole('row').nth(5)).toBeVisible();
    await expectAccessible(page, `${name}-invoices`, brand);

    await page.getByRole('button', { name: 'Settings' }).click();
    await expectAccessible(page, `${name}-settings-menu`, { ...brand, within: 'header' });
    await page.keyboard.press('Escape');
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Customer / })
      .click();
    await expect(page.getByRole('option')).toHaveCount(3);
    await expectAccessible(page, `${name}-customer-selector`, brand);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('link', { name: 'Log Out' })).toBeVisible();
    await expectAccessible(page, `${name}-phone-menu`, { ...brand, widths: [390] });

    await page.goto(`${provider.url}/invoices`);
    await page.getByRole('link', { name: 'ODD-1', exact: true }).click();
    await expect(page.getByText('The figures of this invoice do not add up')).toBeVisible();
    await expectAccessible(page, `${name}-invoice-odd`, brand);
    await page.goto(`${provider.url}/no/such/page`);
    await expect(title(page, 'There is nothing at this address')).toBeVisible();
    await expectAccessible(page, `${name}-not-found`, brand);
  });
}

test('no violation in the waiting and refused states of the pay page', async ({ page, providers, stack }) => {
  const provider = await providers.add(optionsOf('default'));
  const pay = new PayPage(page);
  const bill = await provider.bill('55.55');
  await page.route('**/v1/ec/pay', (route) => route.abort());
  await pay.open(provider, bill);
  // Waits for as long as the answers say that nobody knows.
  await page.route('**/v1/ec/payment/details/**', (route) => route.abort());
  await pay.pay(cards.good);
  await expect(title(page, 'Payment being confirmed')).toBeVisible();
  await expectAccessible(page, 'pay-confirming');
  await page.unrouteAll();

  await page.goto(`${provider.url}/pay/AAAAAAAAAAAAAAAAAAAAAA`);
  await expect(title(page, 'Payment Failed')).toBeVisible();
  await expectAccessible(page, 'pay-unknown-link');

  const bare = await providers.add({ hasGateway: false });
  await page.goto(`${bare.url}${(await bare.bill('5.00')).payPath}`);
  await expect(title(page, 'This invoice cannot be paid here right now')).toBeVisible();
  await expectAccessible(page, 'pay-misconfigured');

  const credited = await provider.bill('10.00');
  const sums = ['10.00', '0.00', '10.00', '10.00'] as const;
  const credit = { kind: 'creditNote', number: `C-${credited.number}`, credits: credited.number } as const;
  await provider.take({ ...credit, currency: 'USD', sums, lines: [{ amount: '10.00' }] });
  await page.goto(`${provider.url}${credited.payPath}`);
  await expect(title(page, 'Invoice credited')).toBeVisible();
  await expectAccessible(page, 'pay-credited');
  expect(await stack.sandbox.chargesOf(bill)).toEqual([]);
});

test('no violation in an invoice of the demo world, its usage, and empty and failed lists', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/^ApiError/);
  await signedIn(page, stack, demoUser('stripe'));
  await page.goto(`/invoices/${invoiceOf(stack, 'HAL-202610-001')}`);
  await expect(page.getByRole('table', { name: /^Lines of/ })).toBeVisible();
  await expectAccessible(page, 'invoice-details');
  await page.getByRole('tab', { name: 'Usage' }).click();
  await expect(page.getByRole('button', { name: 'Download Usage' })).toBeVisible();
  await expectAccessible(page, 'invoice-usage');

  await page.route('**/v1/ec/invoices*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/invoices');
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page, 'invoices-failed');
  await page.unrouteAll();

  await signedIn(page, stack, demoUser('empty'));
  await page.goto('/invoices');
  await expect(page.getByRole('heading', { name: 'There are no invoices yet' })).toBeVisible();
  await expectAccessible(page, 'invoices-empty');
  await signedIn(page, stack, demoUser('layla'));
  await page.goto('/invoices');
  await expect(page.getByRole('row').nth(5)).toBeVisible();
  await expectAccessible(page, 'invoices-right-to-left-name');
});

const demoUser = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });
const invoiceOf = (stack: Stack, number: string) =>
  stack.world.invoices.find((invoice) => invoice.number === number)?.id ?? '';

/** Enough invoices for two pages, overdue ones, and one that does not add up. */
async function fill(provider: Provider): Promise<void> {
  const many = Array.from({ length: 27 }, (_, at) => ({
    number: `MANY-${at + 1}`,
    currency: 'USD',
    issuedOn: `2026-${String((at % 9) + 1).padStart(2, '0')}-15`,
  }));
  const odd = { number: 'ODD-1', currency: 'USD', issuedOn: '2026-11-01', lines: [{ amount: '9.00' }] };
  await provider.take(...many, odd);
}
