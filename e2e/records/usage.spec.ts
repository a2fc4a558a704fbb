import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/test.ts';
import {
  cell,
  colleagueOfAda,
  grouped,
  head,
  openUsage,
  options,
  price,
  rows,
  settled,
  total,
  usageWorld,
} from '../support/usage.ts';

test('usage: filters, labels of the service, totals, resets, pages and their numbers, sorting, the address [portal.product.view-usage, portal.format.constant.usage-price-decimals]', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  const [first] = world.services;
  const voice = world.serviceNamed('Voice');
  await openUsage(page, world, '/usage?timeframe=lastMonth');
  await test.step('the menu says where one is; every filter has its first choice, days are UTC [portal.route.screen.usage, portal.shell.control.menu.usage, portal.usage.{screen.page,text.title}, portal.usage.control.filter.{agreement,timeframe,type}, portal.usage.text.filter.{agreement-all,type-all}, decisions.5.zone-usage-filters]', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Usage', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect((await options(page, 'Agreement'))[0]).toBe('All Agreements');
    expect(await options(page, 'Timeframe (UTC)')).toEqual([
      'This Month',
      'Last Month',
      'Last 7 Days',
      'Last 30 Days',
      'Choose dates…',
    ]);
    expect((await options(page, 'Type'))[0]).toBe('All Record Types');
    await expect(page.getByText('Days and times are UTC.')).toBeVisible();
  });

  await test.step('the first service by itself; another one brings its own words [portal.usage.{control.filter.service,labels-from-service,text.label.description,text.label.cost-centre}]', async () => {
    await expect(page.getByLabel('Service', { exact: true })).toHaveValue(first?.id ?? '');
    await page.getByLabel('Service', { exact: true }).selectOption('Voice');
    for (const name of [
      voice.serviceItemLabel,
      voice.serviceItem2Label,
      voice.serviceItem3Label,
      voice.unitsLabel,
    ])
      await expect(head(page, name ?? '')).toBeVisible();
    await expect(head(page, 'Service Item Description')).toBeVisible();
    await expect(head(page, 'Cost Centre')).toBeVisible();
  });

  const days = world.lastMonth;
  const whole = await world.summary({ ...days, service: voice.id });
  await expect(total(page, 'Records')).toHaveText(grouped(whole.records));
  await expect(total(page, 'Price')).toContainText(price(whole.price));

  // A hundred rows; the numbers run on.
  await expect(rows(page)).toHaveCount(100);
  await expect(cell(page, 0, 0)).toHaveText('1');
  const newest = await world.list({ ...days, service: voice.id, orderDirection: 'desc' });
  await expect(cell(page, 0, 2)).toHaveText(newest.endUsageDetails[0]?.serviceItemName ?? '');
  await test.step('a hundred rows a page; the numbers run on [portal.usage.constant.page-size, portal.usage.row-numbers]', async () => {
    await page.getByRole('button', { name: 'Page 3', exact: true }).click();
    await expect(cell(page, 0, 0)).toHaveText('201');
    await expect(cell(page, 99, 0)).toHaveText('300');
    await expect(page.getByText(`201–300 of ${grouped(whole.records)}`)).toBeVisible();
  });

  await test.step('any filter goes back to page 1 [portal.usage.filter-resets-page]', async () => {
    await page.getByLabel('Type', { exact: true }).selectOption('National call');
    await expect(page).not.toHaveURL(/page=/);
    await expect(cell(page, 0, 0)).toHaveText('1');
  });
  const type = world.recordTypes.find(({ description }) => description === 'National call');
  const national = await world.summary({ ...days, service: voice.id, recordType: type?.id });
  await expect(total(page, 'Records')).toHaveText(grouped(national.records));

  await test.step('a connection out of many, by search; then only its records [portal.usage.control.filter.connection, portal.usage.text.filter.connection-all]', async () => {
    const item = newest.endUsageDetails[0]?.serviceItemName ?? '';
    await page.getByLabel('Connection', { exact: true }).click();
    await expect(page.getByRole('option', { name: 'All Connections' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.getByRole('combobox', { name: 'Connection' }).fill(item);
    await page.getByRole('listbox', { name: 'Connection' }).getByRole('option').first().click();
    await expect(page).toHaveURL(/connection=/);
    await settled(page);
    const lines = rows(page).locator('td:nth-child(3)');
    expect(new Set(await lines.allTextContents())).toEqual(new Set([item]));
  });

  await test.step('another service takes type and connection back to all [portal.usage.service-resets-type, portal.usage.service-resets-connection]', async () => {
    await page.getByLabel('Service', { exact: true }).selectOption('SMS');
    await expect(page).not.toHaveURL(/connection=|type=/);
    await expect(page.getByLabel('Type', { exact: true })).toHaveValue('');
    await expect(page.getByLabel('Connection', { exact: true })).toHaveText('All Connections');
  });
  await page.getByLabel('Service', { exact: true }).selectOption('Voice');

  // The beginning of the number that was called.
  await settled(page);
  const called = newest.endUsageDetails[0]?.serviceItem2 ?? '';
  await page.getByRole('searchbox', { name: voice.serviceItem2Label ?? '' }).fill(called.slice(0, 6));
  await expect(page).toHaveURL(/number=/);
  const begins = await world.summary({ ...days, service: voice.id, number: called.slice(0, 6) });
  await expect(total(page, 'Records')).toHaveText(grouped(begins.records));
  await page.getByRole('searchbox', { name: voice.serviceItem2Label ?? '' }).fill('');
  await expect(total(page, 'Records')).toHaveText(grouped(whole.records));

  // The server sorts, and a sort goes to page 1; back and reload know it all.
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(cell(page, 0, 0)).toHaveText('101');
  const byPrice = head(page, 'Price');
  await byPrice.getByRole('button').click();
  await expect(byPrice).toHaveAttribute('aria-sort', 'ascending');
  await expect(cell(page, 0, 0)).toHaveText('1');
  await byPrice.getByRole('button').click();
  await expect(byPrice).toHaveAttribute('aria-sort', 'descending');
  const dearest = await world.list({
    ...days,
    service: voice.id,
    order: 'price',
    orderDirection: 'desc',
  });
  await expect(cell(page, 0, 8)).toHaveText(price(dearest.endUsageDetails[0]?.price ?? 0));
  await page.goBack();
  await expect(byPrice).toHaveAttribute('aria-sort', 'ascending');
  await page.goForward();
  await page.reload();
  await expect(byPrice).toHaveAttribute('aria-sort', 'descending');
  await expect(cell(page, 0, 8)).toHaveText(price(dearest.endUsageDetails[0]?.price ?? 0));
  await expect(page.getByLabel('Service', { exact: true })).toHaveValue(voice.id);
});

test('usage: rows a page can be chosen, and are remembered for the person [decisions.1.page-sizes, decisions.1.page-size-remembered]', async ({
  page,
  stack,
  providers,
}) => {
  const world = await usageWorld(stack, await colleagueOfAda(providers));
  await openUsage(page, world, '/usage?timeframe=lastMonth');
  await expect(rows(page)).toHaveCount(100);
  const choose = async (size: number) => {
    const stored = page.waitForResponse((response) => /preferences\/usage\.page-size/.test(response.url()));
    await page.getByRole('combobox', { name: 'Rows' }).selectOption(String(size));
    await expect(rows(page)).toHaveCount(size);
    expect((await stored).status()).toBe(204);
  };
  expect(await page.getByRole('combobox', { name: 'Rows' }).getByRole('option').allTextContents()).toEqual([
    '25',
    '50',
    '100',
  ]);
  await choose(25);
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(cell(page, 0, 0)).toHaveText('26');
  // A link means the rows on that page, whatever number of them somebody else likes.
  await expect(page).toHaveURL(/size=25/);
  await page.goto('/usage?timeframe=lastMonth');
  await expect(rows(page)).toHaveCount(25);
});

/** As screens write a day. */
const shown = (day: string) => `${day.slice(5, 7)}.${day.slice(8)}.${day.slice(0, 4)}`;

test('usage: a day of the chart filters to it, by mouse and by keyboard, and there is a way back', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  const whole = await world.summary(world.lastMonth);
  const [, second, third] = whole.days;
  if (second === undefined || third === undefined) throw new Error('the demo world has no days');
  const chart = page.getByRole('listbox', { name: /^Records per day/ });
  await expect(chart.getByRole('option')).toHaveCount(world.daysOfLastMonth);
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(cell(page, 0, 0)).toHaveText('26');

  await chart.getByRole('option', { name: shown(second.day) }).click();
  await expect(page).toHaveURL(new RegExp(`only=${second.day}`));
  await expect(page).not.toHaveURL(/page=/);
  await expect(total(page, 'Records')).toHaveText(grouped(second.records));
  await expect(total(page, 'Price')).toContainText(price(second.price));
  await settled(page);
  const listed = await rows(page).locator('time').allTextContents();
  expect(new Set(listed.map((text) => text.slice(0, 10)))).toEqual(new Set([shown(second.day)]));
  await page.getByRole('button', { name: 'Show whole timeframe' }).click();
  await expect(total(page, 'Records')).toHaveText(grouped(whole.records));

  // One stop for the keyboard: arrows move, Enter chooses, and gives up what is chosen.
  await chart.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(total(page, 'Records')).toHaveText(grouped(third.records));
  await expect(chart).toBeFocused();
  await expect(chart.getByRole('option', { selected: true })).toHaveAccessibleName(
    new RegExp(shown(third.day)),
  );
  await expectAccessible(page, 'usage-day');
  await chart.focus();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/only=/);
});

test('usage: the chart as a table has the same days, and each can be chosen', async ({ page, stack }) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&service=all&size=25');
  const { days } = await world.summary(world.lastMonth);
  const [, second] = days;
  if (second === undefined) throw new Error('the demo world has no days');
  await page.getByRole('button', { name: 'Show as table: Records per day' }).click();
  const table = page.getByRole('table', { name: 'Records per day' });
  await expect(table.getByRole('row')).toHaveCount(world.daysOfLastMonth + 1);
  const row = table.getByRole('row', { name: shown(second.day) });
  await expect(row).toContainText(price(second.price));
  await row.getByRole('button').press('Enter');
  await expect(total(page, 'Records')).toHaveText(grouped(second.records));
  await expectAccessible(page, 'usage-day-table');
});
