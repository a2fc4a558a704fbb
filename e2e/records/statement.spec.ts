import { readFileSync } from 'node:fs';
import { expectAccessible } from '../support/accessible.ts';
import { demoPassword } from '../support/demo.ts';
import { readPdf } from '../support/pdf.ts';
import { expect, signedIn, test } from '../support/test.ts';

const person = { email: 'stripe@demo.example', password: demoPassword };

test('the statement adds up, opens an invoice, keeps its days in the address and is saved as CSV [decisions.screen.4.statement]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person);
  await page.goto('/invoices');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Statement' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Statement' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Open today, by age' })).toContainText('Unused credit');
  await expectAccessible(page, 'statement');

  await page.getByLabel('From').fill('2024-01-01');
  await page.getByLabel('To', { exact: true }).fill('2026-10-31');
  await expect(page).toHaveURL(/from=2024-01-01&to=2026-10-31/);
  const balance = page.getByRole('region', { name: 'Balance' });
  await expect(balance).toContainText('Opening balance, 01.01.2024');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Statement_2024-01-01_2026-10-31.csv');
  const [, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  const cells = lines.map((line) => line.split(','));
  const cents = (text: string | undefined) => Math.round(Number(text) * 100);
  const moved = cells.slice(1, -1).reduce((sum, cell) => sum + cents(cell[3]), 0);
  expect(cents(cells[0]?.[4]) + moved).toBe(cents(cells.at(-1)?.[4]));

  await page.reload();
  await expect(balance).toContainText('Closing balance, 10.31.2026');
  await page.getByRole('row').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^Invoice / })).toBeVisible();
});

test('on paper it has every entry and no navigation; days without entries say so', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, person);
  await page.goto('/statement?from=2024-01-01&to=2026-10-31');
  await expect(page.getByText(/^1–25 of /)).toBeVisible();
  const count = Number((await page.getByText(/^1–25 of /).textContent())?.split(' of ')[1]);
  const { text } = await readPdf(await page.pdf({ preferCSSPageSize: true }));
  expect(text.match(/\d\d\.\d\d\.\d{4} (Invoice|Payment|Credit)/g)).toHaveLength(count);
  expect(text).not.toMatch(/Settings|Download|1–25/);

  await page.goto('/statement?from=2010-01-01&to=2010-01-31');
  await expect(page.getByRole('heading', { name: 'There are no entries in this period' })).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2009-12-31');
  await page.getByLabel('To', { exact: true }).blur();
  await expect(page.getByText('The last day lies before the first')).toBeVisible();
  await expectAccessible(page, 'statement-empty');
});
