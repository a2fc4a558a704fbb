import type { Page } from '@playwright/test';
import { demoPassword } from './support/demo.ts';
import { readPdf } from './support/pdf.ts';
import { expect, type Stack, signedIn, test } from './support/test.ts';
import { openUsage, usageWorld } from './support/usage.ts';

const person = { email: 'stripe@demo.example', password: demoPassword };

const invoice = ({ world }: Stack, number: string): string =>
  `/invoices/${world.invoices.find((one) => one.number === number)?.id}`;
const payLink = ({ world }: Stack): string =>
  world.invoices.find((one) => one.payLink !== null)?.payLink ?? '';

/** What stands on paper, and on how many sheets at most. */
const printed: readonly (readonly [
  name: string,
  sheets: number,
  path: (stack: Stack) => string,
  has: RegExp,
  /** What says that the page has come. */
  ready: string,
])[] = [
  ['dashboard', 2, () => '/dashboard', /Amount due/, '4G WAN'],
  [
    'invoices',
    1,
    () => '/invoices',
    /Number Amount.*HAL-202611-001 \$154\.80 \$154\.80 11\.01\.2026/,
    'HAL-202611-001',
  ],
  ['invoice', 2, (stack) => invoice(stack, 'HAL-202610-001'), /Subtotal \$148\.57/, 'Subtotal'],
  ['transactions', 1, () => '/transactions', /National calls.*1:12:01 \$3\.89/, 'National calls'],
  ['statement', 2, () => '/statement?from=2024-01-01&to=2026-10-31', /Date.*Balance/, 'Closing balance'],
  ['cost centres', 1, () => '/cost-centre', /Cost Centre/, 'Cost Centre'],
  ['cost summary', 1, () => '/cost-centre?tab=summary', /Total/, 'Invoices of'],
  ['service items', 1, () => '/service-items', /Description/, 'Mobile Dana'],
  ['reports', 1, () => '/reports', /Reports/, 'Generated reports'],
  ['payment methods', 1, () => '/payment-types', /Cards/, 'Auto-Pay'],
  ['pay page', 1, payLink, /\$[\d,]+\.\d\d/, '$'],
];

async function sheetsOf(page: Page, name: string, sheets: number, has: RegExp): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const format of ['A4', 'Letter'] as const) {
    const { pages, text } = await readPdf(await page.pdf({ format }));
    expect.soft(pages, `${name}, ${format}: sheets`).toBeLessThanOrEqual(sheets);
    expect.soft(text, `${name}, ${format}`).toMatch(has);
    // No menu, no button, no paging.
    expect.soft(text, `${name}, ${format}`).not.toMatch(/Log Out|Download|Columns|Sort by|Next page|Skip to/);
  }
}

test('on paper every page is a letter of one or two sheets', async ({ page, stack }) => {
  test.setTimeout(180_000);
  await signedIn(page, stack, person);
  for (const [name, sheets, path, has, ready] of printed) {
    await page.goto(path(stack));
    await expect(page.getByRole('main')).toContainText(ready);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await sheetsOf(page, name, sheets, has);
  }
});

test('on paper usage keeps its columns, and its head stands on every sheet', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&size=25');
  await expect(
    page.getByRole('table', { name: 'Usage', exact: true }).getByRole('cell').first(),
  ).toBeVisible();
  const { pages, text } = await readPdf(await page.pdf({ format: 'A4' }));
  expect(pages).toBeLessThanOrEqual(2);
  expect(text.match(/\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/g)).toHaveLength(25);
  expect(text.match(/\$\d+\.\d{4}/g)?.length).toBeGreaterThanOrEqual(25);
});
