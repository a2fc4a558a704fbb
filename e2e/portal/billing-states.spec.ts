import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { expect, signedIn, test } from '../support/test.ts';

// Each screen while it waits, when its calls fail, and with nothing on it where its own file does not show that.
test.describe.configure({ mode: 'parallel' });

const person = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' });

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What it shows comes from these. */
  readonly calls: RegExp;
  /** What a customer without anything reads. */
  readonly empty?: string;
  /** Headings that stand there whatever happens to the calls. */
  readonly headings: readonly string[];
}

const screens: readonly Screen[] = [
  {
    name: 'dashboard',
    path: '/dashboard',
    calls: /v1\/ec\/(opening-balance|jasper-usage|bundle-widget|next-bill|invoices)/,
    headings: ['Amount due', 'Recent Invoice', 'Summary', 'Invoices'],
  },
  {
    name: 'transactions',
    path: '/transactions',
    calls: /v1\/ec\/transactions/,
    headings: [],
  },
  {
    name: 'cost-centres',
    path: '/cost-centre',
    calls: /v1\/ec\/service-items/,
    empty: 'There are no service items yet',
    headings: [],
  },
  {
    name: 'cost-summary',
    path: '/cost-centre?tab=summary',
    calls: /v1\/ec\/cost-centres\/summary/,
    empty: 'There are no invoices in this time',
    headings: [],
  },
  {
    name: 'service-items',
    path: '/service-items',
    calls: /v1\/ec\/service-items/,
    empty: 'There is nothing here yet',
    headings: [],
  },
  {
    name: 'reports',
    path: '/reports',
    calls: /v1\/ec\/reports/,
    empty: 'No report was generated yet',
    headings: ['Generated reports'],
  },
  {
    name: 'statement',
    path: '/statement',
    calls: /v1\/ec\/statement/,
    headings: [],
  },
];

for (const { name, path, calls, empty, headings } of screens) {
  test(`${name}: while it is loading, when that fails, and with nothing`, async ({
    page,
    stack,
    cleanConsole,
  }) => {
    cleanConsole.allow(/ApiError/);
    await signedIn(page, stack, person('stripe'));
    const held: (() => void)[] = [];
    await page.route(calls, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.fulfill({ status: 400, json: {} });
    });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const standing = async () => {
      for (const heading of headings)
        await expect(page.getByRole('heading', { level: 2, name: heading, exact: true })).toBeVisible();
    };
    await standing();
    await expectAccessible(page, `${name}-loading`);

    for (const answer of held) answer();
    await expect(retry(page).first()).toBeVisible();
    await standing();
    await expectAccessible(page, `${name}-failed`);

    await page.unroute(calls);
    await expect(async () => {
      // One answer may mend several parts.
      if (await retry(page).first().isVisible()) await retry(page).first().click();
      await expect(retry(page)).toHaveCount(0, { timeout: 1_000 });
    }).toPass();

    if (empty === undefined) return;
    await signedIn(page, stack, person('empty'));
    await page.goto(path);
    await expect(page.getByText(empty)).toBeVisible();
    await expectAccessible(page, `${name}-empty`);
  });
}

test('the dialog of a report while it is generated, and what can be chosen about CSV files', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person('stripe'));
  await page.route(/reports\/status/, () => new Promise(() => undefined));
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Generate Invoice Details' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('For Excel (byte order mark)')).toBeChecked();
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Continue in background' })).toBeVisible();
  await expectAccessible(page, 'reports-generating', { within: 'dialog' });

  await page.goto('/statement');
  await page.getByRole('button', { name: 'CSV options' }).click();
  await expect(page.getByLabel('For Excel (byte order mark)')).toBeVisible();
  await expectAccessible(page, 'csv-options', { widths: [1280], within: '[popover]' });
});
