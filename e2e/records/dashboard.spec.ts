import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, signedIn, signInByForm, test } from '../support/test.ts';

const person = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });

test('signing in leads to the dashboard: what is due, invoices, data and bundles, each to act on', async ({
  page,
  stack,
}) => {
  const data = await apiOf(page, `${stack.url}/login`);
  await signInByForm(page, person('stripe'));
  await test.step('a sign-in lands there, and the menu says so [portal.brand.field.endShowDashboard, portal.route.screen.dashboard, portal.shell.control.menu.dashboard]', async () => {
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    const menu = page.getByRole('banner').getByRole('link', { name: 'Dashboard' });
    await expect(menu).toHaveAttribute('aria-current', 'page');
  });
  const tile = (name: string) => page.getByRole('region', { name, exact: true });

  await test.step('what is due, the opening balance, the next bill and a bundle [portal.dashboard.screen.{page,opening-balance,bundle}]', async () => {
    await expect(tile('Amount due').getByRole('link')).toBeVisible();
    await expect(tile('Opening balance')).toContainText(/\$[\d,]+\.\d\d/);
    await expect(tile('Next bill')).toContainText('Not final');
    await expect(tile('Business Connect').getByRole('progressbar').first()).toBeVisible();
  });

  await test.step('the last invoices as a chart, and as a table [portal.dashboard.screen.invoice-chart]', async () => {
    const chart = tile('Last 5 Invoices');
    await expect(chart.getByRole('img', { name: /^Last 5 Invoices\. / })).toBeVisible();
    await chart.getByRole('button', { name: 'Show as table' }).click();
    await expect(chart.getByRole('rowheader')).toHaveCount(5);
    await chart.getByRole('button', { name: 'Show as chart' }).click();
  });

  await test.step('the data of the month, in bars of at most 180 px [portal.dashboard.screen.data-chart, portal.dashboard.constant.data-chart-height]', async () => {
    const usage = tile('4G WAN data consumption').getByRole('img');
    await expect(usage).toBeVisible();
    for (const { bar, plot } of await barsOf(page)) {
      expect(bar).toBeLessThanOrEqual(180);
      expect(plot).toBe(180);
    }
  });
  await expectAccessible(page, 'dashboard');

  await test.step('the latest invoice is downloaded [portal.dashboard.control.recent-download]', async () => {
    const saved = page.waitForEvent('download');
    await tile('Recent Invoice').getByRole('button', { name: /^PDF/ }).click();
    expect((await saved).suggestedFilename()).toMatch(/^invoice_.+\.pdf$/);
  });
  expect(data.filter((path) => path === '/v1/ec/invoices')).toHaveLength(1);

  await test.step('one of the list is opened [portal.dashboard.control.invoice-list-open]', async () => {
    await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().click();
    await expect(page).toHaveURL(/\/invoices\/[0-9a-f-]{36}$/);
  });
});

test('the data chart counts in steps people use, at the border of units too [portal.dashboard.data-chart-scale]', async ({
  page,
  stack,
}) => {
  let gigabytes = 0;
  await page.route('**/v1/ec/jasper-usage*', async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: { dataUsage: number }[] };
    const scaled = data.map((period, at) => ({ ...period, dataUsage: (gigabytes * 1024 ** 3) / (at + 1) }));
    await route.fulfill({ response: answer, json: { data: scaled } });
  });
  await signedIn(page, stack, person('stripe'));
  const chart = page.getByRole('region', { name: '4G WAN data consumption' }).getByRole('img');
  for (const [most, lines] of [
    [420, ['0 GB', '200 GB', '400 GB', '600 GB', '800 GB']],
    [1000, ['0 TB', '0.5 TB', '1 TB', '1.5 TB', '2 TB']],
    [3900, ['0 TB', '1 TB', '2 TB', '3 TB', '4 TB']],
  ] as const) {
    gigabytes = most;
    await page.goto('/dashboard');
    await expect(chart).toBeVisible();
    expect(await chart.locator('i').allInnerTexts()).toEqual(lines);
  }
});

test('a customer with nothing yet reads so in every tile [portal.dashboard.text.*]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person('empty'));
  await page.goto('/dashboard');
  await expect(page.getByText('Nothing is due')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'There are no invoices yet' })).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'There are no data yet' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Opening balance' })).toContainText('$0.00');
  await expectAccessible(page, 'dashboard-empty');
});

test('one tile that fails says so and is asked for again by itself; without a dashboard the landing is /invoices [portal.brand.field.endShowDashboard, portal.route.{screen.dashboard,dashboard-fall-through}, portal.shell.control.menu.dashboard]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError/);
  const [has, hasNot] = [
    await providers.add({ settings: ['bulkPay=false'] }),
    await providers.add({ settings: ['endShowDashboard=false'] }),
  ];
  await has.bill('10.00');
  await signedIn(page, stack, has, has.url);
  await page.route('**/v1/ec/next-bill', (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto(`${has.url}/`);
  await expect(page).toHaveURL(`${has.url}/dashboard`);
  const next = page.getByRole('region', { name: 'Next bill' });
  await expect(next.getByRole('heading', { name: 'This part could not be loaded' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pay $10.00' })).toHaveAttribute('href', /^\/pay\//);
  await page.unroute('**/v1/ec/next-bill');
  await next.getByRole('button', { name: 'Try again' }).click();
  await expect(next.getByRole('heading', { name: 'Nothing to bill yet' })).toBeVisible();

  await signedIn(page, stack, hasNot, hasNot.url);
  await page.goto(`${hasNot.url}/dashboard`);
  await expect(page).toHaveURL(`${hasNot.url}/invoices`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
});

test('Choose what to pay begins with all that is due chosen; credit stands beside what is due', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const [first, second, paid] = [
    await provider.bill('10.00'),
    await provider.bill('25.50'),
    await provider.bill('40.00'),
  ];
  const pay = new PayPage(page);
  await pay.open(provider, paid);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  const sums = ['40.00', '0.00', '40.00', '40.00'] as const;
  await provider.take({
    kind: 'creditNote',
    number: `C-${paid.number}`,
    credits: paid.number,
    currency: 'USD',
    sums,
    lines: [{ amount: '40.00' }],
  });
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/dashboard`);
  const due = page.getByRole('region', { name: 'Amount due' });
  await expect(due).toContainText('$35.50');
  await expect(due).toContainText('$40.00 in credit, used when you pay');
  await expectAccessible(page, 'dashboard-credit');
  await due.getByRole('link', { name: 'Choose what to pay' }).click();
  await expect(page).toHaveURL(`${provider.url}/invoices`);
  for (const { number } of [first, second])
    await expect(page.getByRole('checkbox', { name: `Select ${number}`, exact: true })).toBeChecked();
  await expect(page.getByRole('status').filter({ hasText: '2 selected, $35.50' })).toBeVisible();
});

/** Opens a page; the paths it asks for from then on. */
async function apiOf(page: Page, address: string): Promise<readonly string[]> {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto(address);
  return paths;
}

/** Heights of all bars, and of the place they may fill, in px. */
const barsOf = (page: Page) =>
  page.locator('[role=img] [style*="--share"]').evaluateAll((bars) =>
    bars.map((bar) => {
      const plot = bar.parentElement ?? bar;
      const { height, paddingBlockStart } = getComputedStyle(plot);
      return {
        bar: bar.getBoundingClientRect().height,
        plot: Number.parseFloat(height) - Number.parseFloat(paddingBlockStart),
      };
    }),
  );
