import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { type ReadPdf, readPdf } from '../support/pdf.ts';
import { expect, type Stack, signedIn, signInByForm, test } from '../support/test.ts';
import { grouped, openUsage, rows, usageWorld } from '../support/usage.ts';

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
    // No button on paper: what can be paid says that it is open.
    /Number Amount.*HAL-202611-001 \$154\.80 \$154\.80 11\.01\.2026 [\d.]+ Open/,
    'HAL-202611-001',
  ],
  ['invoice', 2, (stack) => invoice(stack, 'HAL-202610-001'), /Subtotal \$148\.57/, 'Subtotal'],
  [
    'transactions',
    1,
    () => '/transactions',
    // This month's charges so far: how much depends on the day.
    /Period: \w+ \d{4}.*National calls.*\d:\d\d:\d\d \$\d+\.\d\d/,
    'National calls',
  ],
  ['statement', 2, () => '/statement?from=2024-01-01&to=2026-10-31', /Date.*Balance/, 'Closing balance'],
  ['cost centres', 1, () => '/cost-centre', /Cost Centre/, 'Cost Centre'],
  ['cost summary', 1, () => '/cost-centre?tab=summary', /Total/, 'Invoices of'],
  ['service items', 1, () => '/service-items', /Description/, 'Mobile Dana'],
  ['reports', 1, () => '/reports', /Reports/, 'Generated reports'],
  ['payment methods', 1, () => '/payment-types', /Cards/, 'Auto-Pay'],
  ['pay page', 1, payLink, /\$[\d,]+\.\d\d/, '$'],
];

/** Where the words of a table's head stand, as one text per line. */
const linesOf = (sheet: ReadPdf['sheets'][number]): readonly string[] => {
  const lines = Map.groupBy(sheet, ({ y }) => Math.round(y / 3));
  return [...lines.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, pieces]) =>
      pieces
        .toSorted((a, b) => a.x - b.x)
        .map(({ text }) => text)
        .join(' '),
    );
};

/** On every sheet the rows of a table stand below its head. */
function expectHeads({ sheets }: ReadPdf, name: string, head: RegExp, row: RegExp): void {
  for (const [at, sheet] of sheets.entries()) {
    const lines = linesOf(sheet);
    const first = lines.findIndex((line) => row.test(line));
    if (first === -1) continue;
    expect.soft(lines.slice(0, first).join('\n'), `${name}, sheet ${at + 1}: head`).toMatch(head);
  }
}

/** No control and nothing outside the sheet's edges. */
function expectPaper({ sheets, text }: ReadPdf, name: string, width: number): void {
  // No menu, no button, no paging, no box to choose in.
  const controls =
    /Log Out|Download (?!CSV saves|Usage saves|Transactions saves)|Columns|Sort by|Next page|Skip to|Begins with|Choose a day|\bEdit\b/;
  expect.soft(text, name).not.toMatch(controls);
  const outside = sheets.flat().filter(({ x, width: own }) => x < 0 || x + own > width);
  expect.soft(outside, `${name}: outside the sheet`).toEqual([]);
}

const papers = { A4: 595, Letter: 612 } as const;

async function onPaper(page: Page, name: string): Promise<readonly [ReadPdf, ReadPdf]> {
  await page.evaluate(() => document.fonts.ready);
  const print = async (format: keyof typeof papers) => {
    const bytes = await page.pdf({ format });
    writeFileSync(test.info().outputPath(`${name}-${format}.pdf`), bytes);
    const read = await readPdf(bytes);
    expectPaper(read, `${name}, ${format}`, papers[format]);
    return read;
  };
  return [await print('A4'), await print('Letter')];
}

async function sheetsOf(page: Page, name: string, sheets: number, has: RegExp): Promise<void> {
  for (const [at, read] of (await onPaper(page, name)).entries()) {
    const where = `${name}, ${Object.keys(papers)[at]}`;
    expect.soft(read.pages, `${where}: sheets`).toBeLessThanOrEqual(sheets);
    expect.soft(read.text, where).toMatch(has);
  }
}

test('on paper every page is a letter of one or two sheets', async ({ page, stack }) => {
  await signedIn(page, stack, person);
  for (const [name, sheets, path, has, ready] of printed) {
    await page.goto(path(stack));
    await expect(page.getByRole('main')).toContainText(ready);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await sheetsOf(page, name, sheets, has);
  }
});

/** Rows the screen counts below its grid. */
async function rowsOf(page: Page): Promise<number> {
  const pager = page.getByRole('navigation', { name: 'Pages' }).locator('span').first();
  return Number(/of ([\d,]+)/.exec((await pager.textContent()) ?? '')?.[1]?.replaceAll(',', ''));
}

test('an invoice of 29 lines is two sheets, and so is its receipt one', async ({ page, providers }) => {
  const provider = await providers.add();
  const lines = Array.from({ length: 29 }, (_, at) => ({
    amount: `${at + 1}.00`,
    name: `Connection ${at + 1}: business broadband with a fixed address`,
  }));
  const report = await provider.take({
    number: 'E2E-29',
    currency: 'USD',
    issuedOn: new Date().toISOString().slice(0, 10),
    lines,
    sums: ['435.00', '0.00', '435.00', '435.00'],
  });
  const { payLink } = report.invoices[0] ?? {};
  await page.goto(`${provider.url}/login`);
  await signInByForm(page, provider);
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: 'E2E-29' }).click();
  await expect(page.getByText('Subtotal').first()).toBeVisible();
  for (const read of await onPaper(page, 'invoice of 29 lines')) {
    expect(read.pages).toBeLessThanOrEqual(2);
    expect(read.text.match(/Connection \d+: business broadband/g)).toHaveLength(29);
    expectHeads(read, 'invoice', /Product.*Quantity.*Price.*Amount/, /Connection \d+:/);
  }
  const pay = new PayPage(page);
  await page.goto(`${provider.url}${new URL(payLink ?? '').pathname}`);
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  await sheetsOf(page, 'receipt', 1, /Payment Successful.*\$435\.00.*E2E-29.*Visa ending 4242/);
});

test('every row that the filter holds stands on paper, below a head on every sheet', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const grids = [
    ['invoices', '/invoices', /Number.*Amount Due.*Status/, /HAL-(?:CR-)?\d{6}-\d{3}/g],
    [
      'cost centres',
      '/cost-centre?service=all',
      /Service Item.*Description.*Cost Centre/,
      /\+\d[\d ]{8,}\d/g,
    ],
  ] as const;
  for (const [name, path, head, row] of grids) {
    await openUsage(page, world, path);
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
    const count = await rowsOf(page);
    for (const read of await onPaper(page, name)) {
      expect.soft(read.text.match(row)?.length, name).toBe(Math.min(count, 500));
      expectHeads(read, name, head, new RegExp(row.source));
      if (count > 500) expect(read.text).toContain(`Rows 1 to 500 of ${grouped(count)} stand here`);
    }
  }
});

test('usage prints the page shown and says what is left out; Print fetches more', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  const { totalCount } = await world.list({ ...world.lastMonth, pageSize: 25 });
  await page.addInitScript(() => {
    Object.assign(globalThis, { printed: 0, print: () => Object.assign(globalThis, { printed: 1 }) });
  });
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  await expect(rows(page)).toHaveCount(25);
  const moment = /\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/;
  const head = /Date.*Price/;
  const rest = (to: number) =>
    `Rows 1 to ${to} of ${grouped(totalCount)} stand here; ${grouped(totalCount - to)} are left out.`;
  for (const read of await onPaper(page, 'usage')) {
    expect(read.pages).toBeLessThanOrEqual(2);
    expect(read.text.match(new RegExp(moment, 'g'))).toHaveLength(25);
    expect(read.text).toContain(rest(25));
    expect(read.text).toMatch(/Timeframe \(UTC\): Last Month.*Service: All Services/);
    expect(read.text.match(/\$\d+\.\d{4}/g)?.length).toBeGreaterThanOrEqual(25);
    expectHeads(read, 'usage', head, moment);
  }
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.waitForFunction(() => (globalThis as unknown as { printed: number }).printed === 1);
  for (const read of await onPaper(page, 'usage of 500')) {
    expect(read.text.match(new RegExp(moment, 'g'))).toHaveLength(500);
    expect(read.text).toContain(rest(500));
    expectHeads(read, 'usage of 500', head, moment);
  }
});
