import { readFileSync } from 'node:fs';
import { cards, PayPage } from './support/pay-page.ts';
import { expect, signedIn, test } from './support/test.ts';

// Half past eleven in the evening in New York is the afternoon of the next day where this browser is.
test.use({ timezoneId: 'Asia/Tokyo' });
const PAID_AT = '2026-11-21T04:30:00Z';
const DAY = '11.20.2026';

test('a payment near midnight has one day and one time, named, wherever it is read', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await providers.sql(`update brand set time_zone = 'America/New_York' where id = $1`, [provider.brandId]);
  const bill = await provider.bill('23.30');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();
  await expect(page.getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d E[DS]T$/)).toBeVisible();
  for (const [table, column] of [
    ['attempt', 'updated_at'],
    ['capture', 'at'],
    ['ledger', 'at'],
  ]) {
    await providers.sql(`update ${table} set ${column} = $1 where customer_id = $2`, [
      PAID_AT,
      provider.customerId,
    ]);
  }

  await page.reload();
  await expect(page.getByText(`${DAY}, 23:30 EST`)).toBeVisible();

  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: bill.number }).click();
  await expect(page.getByText(new RegExp(`^${DAY} · .*4242`))).toBeVisible();

  await page.goto(`${provider.url}/statement?from=2026-11-01&to=2026-11-30`);
  await expect(page.getByRole('row', { name: /Payment/ })).toContainText(DAY);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toMatch(/"2026-11-20","Payment"/);
});
