import { readFileSync } from 'node:fs';
import type { UsageSummary } from '@counterfoil/contract/usage.ts';
import { durationText } from '@counterfoil/domain/money/quantity.ts';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { grouped, head, openUsage, rows, settled, total, usageWorld } from '../support/usage.ts';

const labels: Readonly<Record<string, string>> = { megabyte: 'MB', message: 'messages', month: 'months' };

/** The sums as the screen writes them, one after the other. */
const sumsOf = ({ byUnit }: UsageSummary): string =>
  byUnit
    .map(({ unit, units }) =>
      unit === 'second'
        ? durationText(parseRate(String(units)), unit, (hours) => grouped(Number(hours)))
        : `${grouped(units)}\u00a0${labels[unit ?? '']}`,
    )
    .join('');

const column = async (page: Page, name: string): Promise<string[]> => {
  const heads = await page.getByRole('columnheader').allTextContents();
  const at = heads.findIndex((text) => text.startsWith(name));
  return rows(page)
    .locator(`td:nth-child(${at + 1})`)
    .allTextContents();
};

test('usage: quantities stand with what they are counted in, sums apart, and the file has plain numbers', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const days = world.lastMonth;
  for (const [service, units] of [
    ['Voice', /^\d:\d\d:\d\d$/],
    ['Data', /^\d+\u00a0MB$/],
    ['SMS', /^1\u00a0message$/],
  ] as const) {
    const { id, unitsLabel } = world.serviceNamed(service);
    await openUsage(page, world, `/usage?timeframe=lastMonth&service=${id}&size=25`);
    await expect(total(page, unitsLabel ?? '')).toHaveText(
      sumsOf(await world.summary({ ...days, service: id })),
    );
    await settled(page);
    const shown = await column(page, unitsLabel ?? '');
    expect(shown).toHaveLength(25);
    expect(shown.filter((text) => !units.test(text))).toEqual([]);
  }
  await expect(head(page, 'Recipient')).toBeVisible();

  // Calls, data and messages make no sum; nor do those of a day that is chosen.
  const all = await world.summary(days);
  expect(all.byUnit.length).toBeGreaterThan(2);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  await expect(total(page, 'Units')).toHaveText(sumsOf(all));
  const [first] = all.days;
  await page
    .getByRole('listbox', { name: /^Records per day/ })
    .getByRole('option')
    .first()
    .click();
  const ofDay = await world.summary({ dateFrom: first?.day, dateTo: first?.day });
  await expect(total(page, 'Units')).toHaveText(sumsOf(ofDay));

  // A file is for sums: the number as it is stored, with its unit in a column.
  await page.getByRole('button', { name: 'Show as table: Records per day' }).click();
  await expect(page.getByRole('table', { name: 'Records per day' }).getByRole('columnheader')).toHaveText([
    'Day',
    'Records',
    'Price',
  ]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Usage' }).click();
  const [names = '', ...lines] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(names).toContain(',"Unit"');
  expect(
    lines.filter((line) => !/,\d+,[\d.]*,"[^"]+",.*"(second|megabyte|message|month)"$/.test(line)),
  ).toEqual([]);
});

test('an invoice shows its quantities with units, and the number that was called', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const voice = await world.list({ ...world.lastMonth, service: world.serviceNamed('Voice').id });
  const bill = voice.endUsageDetails.find(({ billedBy }) => billedBy !== null)?.billedBy;
  const [call] = (await world.list({ invoiceLine: bill?.invoiceLineId })).endUsageDetails;
  if (!bill || call === undefined) throw new Error('the demo world has billed no call of last month');
  await openUsage(page, world, `/invoices/${bill.invoiceId}?records=${bill.invoiceLineId}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('columnheader', { name: 'Called number' })).toBeVisible();
  const record = dialog.getByRole('row', { name: call.serviceItem2 }).first();
  await expect(record).toContainText(
    durationText(parseRate(String(call.units)), 'second', String) ?? 'no time',
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const lines = page.getByRole('table', { name: /^Lines of invoice/ });
  await expect(lines.getByRole('row', { name: /National calls/ }).first()).toContainText(/\d:\d\d:\d\d/);
  await expect(lines.getByRole('row', { name: /Mobile data/ }).first()).toContainText('MB');
  await page.getByRole('tab', { name: 'Usage' }).click();
  const usage = page.getByRole('table', { name: /^Usage of invoice/ });
  await expect(usage.getByRole('row', { name: /National call/ }).first()).toContainText(/\d:\d\d:\d\d/);
  await expect(usage.getByRole('row', { name: /Text message/ }).first()).toContainText(/message/);
});
