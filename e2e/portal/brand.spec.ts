import type { BrandSettings } from '@counterfoil/contract/brand.ts';
import type { Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import { expect, newSession, type Person, type Stack, signedIn, test } from '../support/test.ts';

const role = (page: Page, name: string) =>
  page.evaluate(
    (one) => getComputedStyle(document.documentElement).getPropertyValue(`--${one}`).trim(),
    name,
  );

/** Sum of the layout shifts a person sees (CLS), from the first paint on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { layoutShifts: number[] }).layoutShifts.reduce((sum, one) => sum + one, 0),
    );
}

test('each demo host shows its own brand before anybody signs in [portal.brand.{per-brand-and-reseller,logo,banner}, decisions.call.2.{logo,banner}, decisions.4.sign-in-brand]', async ({
  page,
  stack,
}) => {
  const seen = new Set<string>();
  for (const { host, id } of stack.world.brands) {
    await page.goto(`${stack.at(host)}/login`);
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(page.locator(`img[src="/v1/brands/${id}/logo"]`)).toBeVisible();
    await expect(page.locator(`img[src="/v1/brands/${id}/banner"]`)).toBeVisible();
    seen.add(await role(page, 'header'));
  }
  const brands = new Set(stack.world.brands.map(({ id }) => id));
  expect(seen.size).toBe(brands.size);
});

test('the colours hold at the first paint, without a script', async ({ browser, stack }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack.at('split.localhost')}/login`);
  const split = await page
    .locator('html')
    .evaluate((html) => getComputedStyle(html).getPropertyValue('--header'));
  await page.goto(`${stack.at('localhost')}/login`);
  const first = await page
    .locator('html')
    .evaluate((html) => getComputedStyle(html).getPropertyValue('--header'));
  expect(split).not.toBe('');
  expect(split).not.toBe(first);
  await context.close();
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`nothing moves while sign-in, pay page and portal load, at ${width} px`, async ({ page, stack }) => {
    await page.setViewportSize({ width, height });
    const shifts = await watchShifts(page);
    await page.goto(`${stack.url}/login`, { waitUntil: 'networkidle' });
    expect(await shifts()).toBe(0);
    const payable = stack.world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null);
    await page.goto(payable?.payLink ?? '', { waitUntil: 'networkidle' });
    await expect(page.getByRole('button', { name: /^Pay / })).toBeVisible();
    expect(await shifts()).toBe(0);
    await signedIn(page, stack, { email: 'stripe@demo.example', password: demoPassword });
    await page.goto('/', { waitUntil: 'networkidle' });
    await expect(page.getByRole('banner')).toBeVisible();
    expect(await shifts()).toBe(0);
  });
}

test('a banner and a logo that do not load give way to the built-in ones [portal.brand.{constant.default-brand,error.banner-fallback,error.logo-fallback}, decisions.2.brand-0]', async ({
  page,
  stack,
}) => {
  await page.route('**/v1/brands/1/*', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${stack.url}/login`);
  for (const kind of ['logo', 'banner']) {
    const image = page.locator(`img[src="/v1/brands/0/${kind}"]`);
    await expect(image).toBeVisible();
    // Its box is there before its picture.
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  }
});

test('a host without a brand is silent: the built-in brand, no banner of an error [portal.brand.error.domain-404]', async ({
  page,
  stack,
}) => {
  const asked = page.waitForResponse((response) => response.url().includes('/v1/brands-settings?d='));
  await page.goto(`${stack.at('unknown-host.localhost')}/login`);
  expect((await asked).status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(page.locator('img[src="/v1/brands/0/banner"]')).toBeVisible();
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0);
});

test('a brand look-up that fails otherwise shows the banner [portal.brand.error.domain-other]', async ({
  page,
  stack,
}) => {
  await page.route('**/v1/brands-settings?d=*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${stack.at('unknown-host.localhost')}/login`);
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
});

test('d names the brand of another domain', async ({ page, stack }) => {
  await page.goto(`${stack.at('split.localhost')}/login`);
  const split = await role(page, 'header');
  await page.goto(`${stack.url}/login?d=split.localhost`);
  await expect(page.locator('img[src="/v1/brands/6/logo"]')).toBeVisible();
  await expect.poll(() => role(page, 'header')).toBe(split);
});

test('after sign-in the brand is that of the customer, whatever the host [portal.product.audience, decisions.4.signed-in-brand]', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.at('split.localhost')}/login`);
  const split = await role(page, 'header');
  await signedIn(page, stack, { email: 'split@demo.example', password: demoPassword });
  await page.goto('/');
  await expect(page.getByRole('banner')).toContainText('Split Rock Communications');
  await expect.poll(() => role(page, 'header')).toBe(split);
});

/** A call of the signed-in portal, or an anonymous one. */
async function get<T>(stack: Stack, path: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${stack.port}${path}`, { headers });
  expect(response.status, path).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

test('a brand about which nothing was said has the specified colours, words, symbol and settings [portal.brand.{seven-colours,text.invoice-singular,text.invoice-plural,constant.currency-symbol,field.id,field.currencySymbol.symbol,field.by-domain.d}, portal.brand.constant.colour*, portal.brand.{field.settings,constant.default,call}.*, portal.brand.field.colour*, portal.shell.control.menu.invoices]', async ({
  stack,
  providers,
}) => {
  const plain = await providers.add({ withoutSettings: true, hasGateway: false });
  const brand = await get<BrandSettings>(stack, `/v1/brands-settings?d=${plain.host}`);
  const { colour1, colour2, colour3, colour4, colour5, colour6, colour7 } = brand;
  expect([colour2, colour3, colour4, colour5, colour6, colour7]).toEqual([
    '#3598db',
    '#94a1a3',
    '#def1fe',
    '#005e80',
    '#eef8fe',
    '#e7ebef',
  ]);
  const names = { white: '#ffffff' };
  expect(colour1).toBe(names['white']);
  expect(brand.currencySymbol).toEqual({ symbol: '$' });
  expect(brand.endShowInvoices).toBe(true);
  expect(await get(stack, `/v1/brands-settings/${brand.id}`, await bearer(stack, plain))).toEqual(brand);

  const settings = await get(stack, '/v1/ec/settings', await bearer(stack, plain));
  expect(settings).toMatchObject({
    invoiceLabel: 'Invoice',
    invoiceLabelSingular: 'Invoice',
    invoiceLabelPlural: 'Invoices',
    companyName: plain.companyName,
    payments: { enabled: true, bulk: true, paymentType: 0, billingAddressRequired: true, emailReceipt: true },
  });
});

test('another word for an invoice stands in menu, title, head and pay page [portal.brand.one-invoice-label, portal.shell.control.menu.invoices]', async ({
  page,
  stack,
  providers,
}) => {
  const settings = ['invoiceLabelSingular=Bill', 'invoiceLabelPlural=Bills'];
  const provider = await providers.add({ settings });
  const bill = await provider.bill('10.00');
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/`);
  // The dashboard, where a sign-in lands.
  await expect(page.getByRole('heading', { level: 2, name: 'Recent Bill' })).toBeVisible();
  await page.goto(`${provider.url}/invoices`);
  await expect(page.getByRole('heading', { level: 1, name: 'Bills' })).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bills' }),
  ).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Bill date' })).toBeVisible();
  await expect(page.getByText('Invoice', { exact: true })).toHaveCount(0);
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(page.getByText('Bill number')).toBeVisible();
});

test('an area that the brand switches off is in no menu, and its address leads to the landing page [portal.roles.area-flags-gate, portal.brand.field.endShowInvoices, portal.route.{landing,screen.invoices,screen.invoice}, portal.shell.menu-by-flag]', async ({
  page,
  stack,
  providers,
}) => {
  const off = ['Dashboard', 'Invoices', 'Transactions', 'Usage', 'Reports', 'CostCentre', 'ServiceItem'];
  const provider = await providers.add({ settings: off.map((area) => `endShow${area}=false`) });
  await provider.bill('10.00');
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  await expect(page).toHaveURL(`${provider.url}/`);
  await expect(page.getByRole('link', { name: 'Invoices' })).toHaveCount(0);
});

const bearer = async (stack: Stack, person: Person) => ({
  authorization: `Bearer ${(await newSession(stack, person)).access_token}`,
});

for (const [digits, settings, amount] of [
  ['two decimals', [], '1,200.00'],
  ['those of the currency', ['moneyDigits=currency'], '1,200'],
] as const) {
  test(`yen have ${digits} in the list, on the invoice and on the pay page [decisions.10.{money-digits,money-digits-everywhere}]`, async ({
    page,
    stack,
    providers,
  }) => {
    const provider = await providers.add({ currency: 'JPY', settings });
    const bill = await provider.bill('1200');
    const shown = new RegExp(`¥\\s?${amount.replace('.', '\\.')}(?![.\\d])`);
    await page.goto(`${provider.url}${bill.payPath}`);
    await expect(page.getByRole('button', { name: new RegExp(`^Pay ${shown.source}$`) })).toBeVisible();
    await signedIn(page, stack, provider, provider.url);
    await page.goto(`${provider.url}/invoices`);
    const row = page.getByRole('row').filter({ hasText: bill.number });
    await expect(row).toContainText(shown);
    await row.getByRole('link', { name: bill.number }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(bill.number);
    await expect(page.getByRole('main')).toContainText(shown);
    // A price of usage has four decimals.
    if (amount === '1,200') await expect(page.getByRole('main')).not.toContainText(/200\.00(?!\d)/);
  });
}
