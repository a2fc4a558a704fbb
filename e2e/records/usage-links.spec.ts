import { readFileSync } from 'node:fs';
import { expectAccessible } from '../support/accessible.ts';
import { csvRows } from '../support/billing.ts';
import { expect, test } from '../support/test.ts';
import { cell, head, openUsage, rows, settled, usageWorld } from '../support/usage.ts';

test('usage: the file has the filter and the order of the screen, and the name of the service [portal.format.constant.csv-usage, portal.usage.control.download]', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const voice = world.serviceNamed('Voice');
  const path = `/usage?timeframe=lastMonth&service=${voice.id}&number=%2B1%20971&sort=-price`;
  await openUsage(page, world, path);
  await settled(page);
  const asked = page.waitForRequest((request) => request.url().endsWith('/v1/ec/usage/download'));
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Usage' }).click();
  const { parameters } = (await asked).postDataJSON() as { parameters: Record<string, unknown> };
  const { dateFrom, dateTo } = world.lastMonth;
  expect(parameters).toMatchObject({
    startDate: `${dateFrom} 00:00:00`,
    endDate: `${dateTo} 23:59:59`,
    serviceId: voice.id,
    number: '+1 971',
    order: 'price',
    orderDirection: 'desc',
  });
  const file = await saved;
  expect(file.suggestedFilename()).toBe('Voice_Usage.csv');
  const list = await world.list({
    ...world.lastMonth,
    service: voice.id,
    number: '+1 971',
    order: 'price',
    orderDirection: 'desc',
    pageSize: 1000,
  });
  const lines = csvRows(readFileSync(await file.path(), 'utf8'));
  expect(lines).toHaveLength(list.totalCount);
  for (const at of [0, 1, Math.floor(lines.length / 2)]) {
    const record = list.endUsageDetails[at];
    expect(lines[at]).toContain(record?.serviceItem2);
    expect(lines[at]).toContain(record?.serviceItemName);
  }
});

test('usage: a download that is refused says why, and a long one can be given up', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth');
  await settled(page);
  const text = 'Two files of your usage are being made already';
  await page.route('**/usage/download', (route) =>
    route.fulfill({
      status: 429,
      json: { status: 429, code: 'usage.tooManyExports', message: text, requestId: 'r' },
    }),
  );
  await page.getByRole('button', { name: 'Download Usage' }).click();
  await expect(page.getByText(`The usage was not saved. ${text}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Close message' }).click();
  await page.unroute('**/usage/download');
  await page.route('**/usage/download', () => new Promise(() => undefined));
  await page.getByRole('button', { name: 'Download Usage' }).click();
  await expect(page.getByRole('button', { name: 'Downloading…' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel download' }).click();
  await expect(page.getByRole('button', { name: 'Download Usage' })).toBeVisible();
});

test('usage: a link opens the same view; one that names what is not there leads out of it', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const voice = world.serviceNamed('Voice');
  const { dateFrom, dateTo } = world.lastMonth;
  const dates = `timeframe=dates&from=${dateFrom}&to=${dateTo}`;
  await openUsage(page, world, `/usage?${dates}&service=${voice.id}&sort=units&page=4&size=50`);
  await expect(rows(page)).toHaveCount(50);
  await expect(cell(page, 0, 0)).toHaveText('151');
  await expect(head(page, voice.unitsLabel ?? '')).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByLabel('From')).toHaveValue(dateFrom);

  await page.goto(`/usage?${dates}&service=${voice.id}&sort=units&page=9999`);
  await expect(page.getByRole('heading', { name: 'There is no page 9,999' })).toBeVisible();
  await page.getByRole('button', { name: /^Go to page / }).click();
  await expect(rows(page).first()).toBeVisible();

  const unknown = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  await page.goto(`/usage?${dates}&service=${voice.id}&connection=${unknown}&agreement=x&number=%2B1`);
  await expect(page.getByRole('heading', { name: 'This address does not fit your account' })).toBeVisible();
  await expect(page.getByText('The agreement and connection it names')).toBeVisible();
  await expectAccessible(page, 'usage-unknown');
  await page.getByRole('button', { name: 'Show usage without them' }).click();
  await expect(rows(page)).toHaveCount(100);
  await expect(page).toHaveURL(/number=/);
  await expect(page).not.toHaveURL(/connection|agreement/);

  await page.goto('/usage?timeframe=dates&from=2026-03-02&to=2026-03-01');
  await expect(page.getByText('The last day lies before the first')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Choose the first and the last day' })).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2026-03-02');
  await expect(page.getByText('03.02.2026. Days and times are UTC.')).toBeVisible();
  await expect(page).toHaveURL(/to=2026-03-02/);
});

test('usage: the timeframes are those of UTC, wherever the reader is [decisions.5.zone-usage-filters, portal.usage.control.preset.{this-month,last-month,last-7-days,last-30-days}, portal.usage.presets-utc]', async ({
  browser,
  stack,
}) => {
  const world = await usageWorld(stack);
  const context = await browser.newContext({ baseURL: stack.url, timezoneId: 'Pacific/Kiritimati' });
  const page = await context.newPage();
  // There it is the second of January already.
  await page.clock.setFixedTime('2026-01-01T11:00:00Z');
  await openUsage(page, world, '/usage');
  for (const [preset, days] of [
    ['This Month', '01.01.2026 – 01.31.2026'],
    ['Last Month', '12.01.2025 – 12.31.2025'],
    ['Last 7 Days', '12.26.2025 – 01.01.2026'],
    ['Last 30 Days', '12.03.2025 – 01.01.2026'],
  ] as const) {
    await page.getByLabel('Timeframe (UTC)').selectOption(preset);
    await expect(page.getByText(`${days}. Days and times are UTC.`)).toBeVisible();
  }
  await context.close();
});

test('usage: from a record to the invoice line that billed it, and back', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&sort=date');
  const billed = page.getByRole('link', { name: /^Invoice HAL-/ }).first();
  const number = (await billed.textContent()) ?? '';
  await billed.click();
  await expect(page.getByRole('heading', { level: 1, name: number.trim() })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: /^Usage of / });
  await expect(dialog.locator('tbody').getByRole('row').first()).toBeVisible();
  await dialog.getByRole('link', { name: 'Open in Usage' }).click();
  await expect(page).toHaveURL(/\/usage\?timeframe=dates&from=\d{4}-\d\d-\d\d&to=/);
  await expect(rows(page).first()).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
