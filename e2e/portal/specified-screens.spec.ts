import type { Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, signedIn, test } from '../support/test.ts';
import { openUsage, usageWorld } from '../support/usage.ts';

// What the specification puts on the screens and no other file looks at in a browser.
const person = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });

/** Holds every call of that kind until `go`. */
async function holding(page: Page, calls: RegExp) {
  const held: (() => void)[] = [];
  let isHolding = true;
  await page.route(calls, async (route) => {
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  const go = () => {
    isHolding = false;
    for (const release of held) release();
  };
  return { held, go };
}

test('pages: the current one and two on either side, the first and the last; an ellipsis for the rest [portal.grid.control.{page-near,page-ellipsis}]', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&page=20');
  const pager = page.getByRole('navigation', { name: 'Pages' });
  await expect(pager.getByRole('button', { name: 'Page 20', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  const shown = await pager.locator('ol > li').allTextContents();
  const pages = shown.map((text) => text.replaceAll(',', '')).filter((text) => text !== '');
  expect(pages.slice(0, -1)).toEqual(['1', '…', '18', '19', '20', '21', '22', '…']);
  expect(Number(pages.at(-1))).toBeGreaterThan(23);
});

test('usage: a service that names no columns has the default labels [portal.usage.text.label.{service-item,service-item-2,service-item-3,units,record-type,site}]', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const unnamed = {
    serviceItemLabel: null,
    serviceItem2Label: null,
    serviceItem3Label: null,
    unitsLabel: null,
    recordTypeLabel: null,
  };
  await page.route('**/v1/ec/services', (route) =>
    route.fulfill({
      json: { success: true, data: world.services.map((service) => ({ ...service, ...unnamed })) },
    }),
  );
  await openUsage(page, world, '/usage?timeframe=lastMonth');
  for (const name of ['Service Item', 'Service Item 2', 'Service Item 3', 'Site', 'Units', 'Record Type'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible();
});

test('reports: the dialog asks for what the report declares, and offers Default where it is not required [portal.reports.{control.date-range,control.service,control.invoice,text.default-option}]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person('stripe'));
  await page.goto('/reports');
  for (const [name, dates, other] of [
    ['Invoice Details', true, 'Invoice'],
    ['Usage by Service Item', true, 'Service'],
    ['Payments', true, null],
  ] as const) {
    await page.getByRole('button', { name: `Generate ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Generate ${name}` });
    await expect(dialog.getByLabel('From')).toHaveCount(dates ? 1 : 0);
    const choice = (field: string) => dialog.getByLabel(field, { exact: true }).filter({ visible: true });
    for (const field of ['Invoice', 'Service'])
      await expect(choice(field)).toHaveCount(field === other ? 1 : 0);
    if (other !== null) await expect(choice(other)).toContainText('Default');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  }
});

test('dashboard: a spinner while it loads; latest invoice, previous ones, sums and downloads [portal.dashboard.{screen.recent,screen.invoice-list,control.invoice-list-download,screen.summary,control.spinner}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const bills = [];
  for (const amount of ['10.00', '20.00', '30.00', '40.00']) bills.push(await provider.bill(amount));
  await signedIn(page, stack, provider, provider.url);
  const calls = await holding(page, /\/v1\/ec\/invoices/);
  await page.goto(`${provider.url}/dashboard`);
  await expect(page.getByRole('status').filter({ hasText: /^Loading$/ })).toBeAttached();
  calls.go();
  await expect(page.getByRole('status').filter({ hasText: /^Loading$/ })).toHaveCount(0);

  const recent = page.getByRole('region', { name: 'Recent Invoice' });
  const numbers = bills.map(({ number }) => number);
  const shown = await recent.textContent();
  expect(numbers.filter((number) => shown?.includes(number))).toHaveLength(3);
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('$100.00');
  await expect(page.getByRole('region', { name: 'Opening balance' })).toHaveCount(0);
  const list = page.getByRole('table', { name: 'Invoices' });
  for (const number of numbers) {
    const saved = page.waitForEvent('download');
    await list.getByRole('button', { name: `PDF: Download invoice_${number}.pdf` }).click();
    expect((await saved).suggestedFilename()).toBe(`invoice_${number}.pdf`);
  }
});

test('invoice: the breadcrumb, the tab Details, and a hyphen where there is no due date [portal.invoice-detail.{text.breadcrumb,control.tab.details,text.due-date-missing}]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('10.00');
  await providers.sql('update invoice set due_on = null where number = $1', [bill.number]);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: bill.number }).click();
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')).toHaveText([
    'Invoices',
    bill.number,
  ]);
  const due = page.locator('div').filter({ has: page.locator('dt', { hasText: /^Due/ }) });
  await expect(due.last().locator('dd')).toHaveText('-');
});

test('a spinner covers the portal while it loads, and says so [portal.shell.control.spinner]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person('stripe'));
  const calls = await holding(page, /\/v1\/ec\/settings/);
  await page.goto('/invoices', { waitUntil: 'commit' });
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  calls.go();
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
});

test('service items are called so where the provider says nothing else [portal.brand.text.service-item]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ withoutSettings: true });
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/service-items`);
  await expect(page.getByRole('heading', { level: 1, name: 'Service Item' })).toBeVisible();
});

test('while a payment is sent an overlay stands over the pay page, and nothing behind it is reached [payments.public.state.screen.submitting]', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('10.00'));
  const calls = await holding(page, /\/v1\/ec\/pay$/);
  await pay.pay(cards.good);
  await expect.poll(() => calls.held.length).toBe(1);
  const overlay = page.getByRole('status').filter({ hasText: 'Paying' });
  await expect(overlay).toBeVisible();
  expect((await overlay.boundingBox())?.height).toBe(page.viewportSize()?.height);
  await expect(page.locator('[inert]').filter({ has: page.locator('form') })).toHaveCount(1);
  calls.go();
  await expect(pay.heading('Payment Successful')).toBeVisible();
});

test('the result of a payment shows a loader until it is known [payments.result.control.loader]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  await holding(page, /\/confirmation\/result/);
  await page.goto(`${provider.url}/payment-result?req_uid=AAAAAAAAAAAAAAAAAAAAAA`);
  await expect(page.getByRole('status').filter({ hasText: 'Asking how the payment ended…' })).toBeVisible();
});
