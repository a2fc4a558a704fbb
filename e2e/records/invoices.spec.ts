import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { type Demo, demoPassword } from '../support/demo.ts';
import { findLongest, findWithDiscrepancy } from '../support/odd-invoices.ts';
import { readPdf } from '../support/pdf.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

const person = (name: string) => ({ email: `${name}@demo.example`, password: demoPassword });
const customerOf = (world: Demo, name: string) =>
  world.users.find(({ email }) => email === `${name}@demo.example`)?.customerIds[0] ?? '';
const invoicesOf = (world: Demo, name: string) =>
  world.invoices.filter(({ customerId }) => customerId === customerOf(world, name));

const rows = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') });
/** Texts of a column, once the rows that were asked for last are there. */
const column = async (page: Page, index: number): Promise<string[]> => {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  return rows(page).evaluateAll(
    (all, at) => all.map((row) => [...row.querySelectorAll('td')].slice(-6)[at]?.textContent ?? ''),
    index,
  );
};
const sortBy = (page: Page, name: string) => page.getByRole('columnheader', { name }).getByRole('button');

async function openList(page: Page, stack: Stack, name = 'stripe'): Promise<void> {
  await signedIn(page, stack, person(name));
  await page.goto('/invoices');
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
  await expect(rows(page).first()).toBeVisible();
}

/** Opens an invoice of the demo world by what it is like. */
async function openInvoice(page: Page, stack: Stack, name: string, number: RegExp): Promise<string> {
  const invoice = invoicesOf(stack.world, name).find((one) => number.test(one.number));
  if (invoice === undefined) throw new Error(`${name} has no invoice like ${number}`);
  await signedIn(page, stack, person(name));
  await page.goto(`/invoices/${invoice.id}`);
  await expect(page.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` })).toBeVisible();
  return invoice.number;
}

test('the list has the specified columns, newest first, 25 rows a page [portal.product.view-invoices, portal.route.screen.invoices, portal.grid.page-size.constant.invoices, portal.invoices.screen.page]', async ({
  page,
  stack,
}) => {
  await openList(page, stack);
  for (const name of ['Number', 'Amount', 'Amount Due', 'Invoice date', 'Due', 'Status']) {
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible();
  }
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByRole('columnheader', { name: 'Invoice date' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  const dates = (await column(page, 3)).map((day) => day.replace(/(\d\d)\.(\d\d)\.(\d{4})/, '$3-$1-$2'));
  expect(dates).toEqual([...dates].sort().reverse());
});

test('sorting goes up and down, returns to the first page and stays in the address [portal.grid.sort-to-first-page, portal.grid.control.page-arrows]', async ({
  page,
  stack,
}) => {
  await openList(page, stack);
  await page
    .getByRole('button', { name: /^(Next|Page 2)/ })
    .first()
    .click();
  await expect(page).toHaveURL(/page=2/);
  // Read out where it changes, not at first.
  const news = page.locator('[aria-live]').filter({ hasText: 'Sorted by' });
  await expect(news).toHaveCount(0);
  await sortBy(page, 'Number').click();
  await expect(news).toHaveText('Sorted by Number, A to Z');
  await expect(page).not.toHaveURL(/page=2/);
  const up = await column(page, 0);
  expect(up).toEqual([...up].sort((a, b) => a.localeCompare(b)));
  await sortBy(page, 'Number').click();
  await expect(page.getByRole('columnheader', { name: 'Number' })).toHaveAttribute('aria-sort', 'descending');
  await expect(news).toHaveText('Sorted by Number, Z to A');
  const down = await column(page, 0);
  expect(down).toEqual([...down].sort((a, b) => b.localeCompare(a)));
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Number' })).toHaveAttribute('aria-sort', 'descending');
  expect(await column(page, 0)).toEqual(down);
});

test('lists are asked for by the page, never whole [decisions.11.lists-portal]', async ({ page, stack }) => {
  await signedIn(page, stack, person('stripe'));
  const asked = new Map<string, string>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const list =
      /^\/v1\/ec\/(invoices|transactions|service-items|invoice\/[\w-]+\/lines|invoice\/[\w-]+)$/.exec(
        pathname,
      )?.[1];
    if (list !== undefined) asked.set(list.replace(/\/[\w-]+/, ''), search);
  });
  for (const path of ['/dashboard', '/transactions', '/cost-centre', '/service-items', '/invoices']) {
    await page.goto(path);
    await expect(rows(page).first()).toBeVisible();
  }
  await rows(page).first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Invoice / })).toBeVisible();
  await expect
    .poll(() => [...asked.keys()].sort())
    .toEqual(['invoice', 'invoices', 'service-items', 'transactions']);
  for (const [list, query] of asked) expect(query, list).toMatch(/[?&](limit|linesMost)=\d+/);
});

test('amounts sort as numbers, not as text', async ({ page, stack }) => {
  await openList(page, stack);
  const usd = (text: string) => Number(text.replace(/[^\d.−-]/g, '').replace('−', '-'));
  await sortBy(page, 'Amount Due').click();
  await expect(page.getByRole('columnheader', { name: 'Amount Due' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  const due = (await column(page, 2)).map(usd);
  expect(due).toEqual([...due].sort((a, b) => a - b));
});

test('all rows are reached over the pages, each once [portal.grid.control.page-first, portal.grid.control.page-last]', async ({
  page,
  stack,
}) => {
  await openList(page, stack);
  const all = invoicesOf(stack.world, 'stripe').map(({ number }) => number);
  const seen = await column(page, 0);
  for (let number = 2; number <= Math.ceil(all.length / 25); number += 1) {
    await page.getByRole('button', { name: `Page ${number}`, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`page=${number}`));
    const from = (number - 1) * 25 + 1;
    await expect(page.getByText(`${from}–`)).toBeVisible();
    seen.push(...(await column(page, 0)));
  }
  expect(new Set(seen)).toEqual(new Set(all));
  expect(seen).toHaveLength(all.length);
});

test('what can be paid has Pay, which leads to bulk pay with that invoice; what is paid says so [portal.product.pay-invoices, portal.invoices.{control.pay,text.paid}, decisions.6.row-pay-bulk]', async ({
  page,
  stack,
}) => {
  await openList(page, stack);
  const open = invoicesOf(stack.world, 'stripe').find(
    ({ state, currency }) => state === 'open' && currency === 'USD',
  );
  const row = page.getByRole('row', { name: open?.number ?? '' });
  await row.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Pay invoice ${open?.number}`);
  await page.goBack();
  const paid = rows(page).filter({ hasText: 'Paid' }).first().getByRole('button', { name: 'Pay' });
  await expect(paid).toHaveCount(0);
});

test('credits and the foreign currency keep their sign and their code', async ({ page, stack }) => {
  await openList(page, stack);
  await expect(rows(page).filter({ hasText: 'HAL-202611-901' })).toContainText('JPY');
  const negative = rows(page).filter({ hasText: 'HAL-202611-902' });
  await expect(negative).toContainText(/[-−]/);
  await expect(negative.getByRole('button', { name: 'Pay', exact: true })).toHaveCount(0);
});

test('on a phone rows are cards, and nothing scrolls sideways', async ({ page, stack }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openList(page, stack);
  const card = await rows(page).first().boundingBox();
  expect(card?.width).toBeLessThanOrEqual(390);
  expect(card?.height).toBeGreaterThan(60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await rows(page).first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/invoices\/[0-9a-f-]{36}$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a customer with nothing is told so', async ({ page, stack }) => {
  await signedIn(page, stack, person('empty'));
  await page.goto('/invoices');
  await expect(page.getByRole('heading', { name: 'There are no invoices yet' })).toBeVisible();
});

test('a list that fails shows the banner and a way to try again, which works [portal.shell.error.banner, decisions.1.cache-manual-retry, payments.invoices.error.load-failure]', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/^ApiError/);
  await signedIn(page, stack, person('stripe'));
  const problem = { status: 500, code: 'server.fault', message: 'x', requestId: 'request-of-the-test' };
  await page.route('**/v1/ec/invoices*', (route) => route.fulfill({ status: 500, json: problem }));
  await page.goto('/invoices');
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
  await expect(page.getByText('request-of-the-test')).toBeVisible();
  await page.unroute('**/v1/ec/invoices*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows(page).first()).toBeVisible();
});

test('an invoice shows its facts, its sum and its lines [portal.product.view-invoices, portal.route.screen.invoice, portal.invoice-detail.screen.page]', async ({
  page,
  stack,
}) => {
  const number = await openInvoice(page, stack, 'stripe', /^HAL-202610-001$/);
  await expect(page.getByRole('navigation', { name: /breadcrumb/i })).toContainText(number);
  const cards = page.locator('dl').filter({ hasText: 'Subtotal' }).first();
  for (const label of ['Subtotal', 'Tax', 'Invoice Amount']) await expect(cards).toContainText(label);
  const figures = (await cards.locator('dd').allTextContents()).map((text) =>
    Math.round(Number(text.replace(/[^\d.]/g, '')) * 100),
  );
  expect((figures[0] ?? 0) + (figures[1] ?? 0)).toBe(figures[2]);
  await expect(page.getByRole('table', { name: `Lines of invoice ${number}` })).toBeVisible();
  await expect(page.locator('dd').filter({ hasText: 'Mariner & Vale Coffee Roasters' })).toBeVisible();
});

test('the breadcrumb leads back to the list [portal.invoice-detail.control.back]', async ({
  page,
  stack,
}) => {
  await openInvoice(page, stack, 'stripe', /^HAL-202610-001$/);
  await page
    .getByRole('navigation', { name: /breadcrumb/i })
    .getByRole('link', { name: 'Invoices', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
});

test('the usage tab sorts by its first column; its download holds the same sums [portal.invoice-detail.{control.tab.usage,screen.usage,control.download-usage}]', async ({
  page,
  stack,
}) => {
  const number = await openInvoice(page, stack, 'stripe', /^HAL-202610-001$/);
  await page.getByRole('tab', { name: 'Usage' }).click();
  await expect(page).toHaveURL(/tab=usage/);
  await expect(page.getByRole('columnheader', { name: 'Service item' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(rows(page).first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Usage' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${number}_usage.csv`);
  const lines = readFileSync(await file.path(), 'utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  expect(lines[0]?.split(',').length).toBeGreaterThan(4);
  expect(lines.length).toBeGreaterThan(1);
  // Text is quoted and begins no formula; the rest are figures.
  const row = /^("(?![=+\-@\t])([^"]|"")*"|-?[\d.]*)(,("(?![=+\-@\t])([^"]|"")*"|-?[\d.]*))*$/;
  expect(lines.filter((line) => !row.test(line))).toEqual([]);
});

test('View PDF opens the invoice: text, sums and pay link, and no script [portal.product.{open-invoice-pdf,download-invoice-pdf}, portal.invoice-detail.control.view-pdf]', async ({
  page,
  context,
  stack,
}) => {
  const number = await openInvoice(page, stack, 'stripe', /^HAL-202611-001$/);
  const answered = page.waitForResponse(/\/v1\/ec\/invoices\/[0-9a-f-]{36}$/);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'View PDF' }).click();
  const answer = await answered;
  await opened;
  expect(answer.headers()['content-type']).toBe('application/pdf');
  expect(answer.headers()['content-disposition']).toContain(`invoice_${number}.pdf`);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save it' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`invoice_${number}.pdf`);
  const pdf = await readPdf(readFileSync(await file.path()));
  expect(pdf.text).toContain(number);
  expect(pdf.text).toContain('Mariner & Vale Coffee Roasters');
  expect(pdf.hasScripts).toBe(false);
  const link = invoicesOf(stack.world, 'stripe').find((one) => one.number === number)?.payLink;
  expect(pdf.links).toContain(link);
});

test('an invoice whose lines do not add up says so', async ({ page, stack }) => {
  const odd = await findWithDiscrepancy(stack);
  await signedIn(page, stack, person(odd.user));
  await page.goto(`/invoices/${odd.id}`);
  await expect(page.getByText('The figures of this invoice do not add up')).toBeVisible();
});

test('an invoice of 500 lines is complete on the screen', async ({ page, stack }) => {
  const long = await findLongest(stack);
  expect(long.lines).toBeGreaterThanOrEqual(500);
  await signedIn(page, stack, person(long.user));
  await page.evaluate((id) => localStorage.setItem('current_customer_id', id), long.customerId);
  await page.goto(`/invoices/${long.id}`);
  await expect(page.getByRole('table', { name: /^Lines of invoice/ })).toBeVisible();
  await expect(page.getByText(/\b500\b/).first()).toBeVisible();
  const first = page
    .getByRole('table', { name: /^Lines of invoice/ })
    .getByRole('row')
    .nth(1);
  const begin = (await first.textContent()) ?? '';
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(first).not.toHaveText(begin);
  const there = (await first.textContent()) ?? '';
  await page.reload();
  await expect(first).toHaveText(there);
  await page.getByRole('tab', { name: 'Usage' }).click();
  await expect(page.getByRole('table', { name: /^Usage of invoice/ })).toBeVisible();
});

test('an invoice of somebody else does not exist', async ({ page, stack, cleanConsole }) => {
  cleanConsole.allow(/^ApiError/);
  const foreign = invoicesOf(stack.world, 'split')[0];
  await signedIn(page, stack, person('stripe'));
  await page.goto(`/invoices/${foreign?.id}`);
  await expect(page.getByRole('heading', { name: 'There is no such invoice' })).toBeVisible();
});
