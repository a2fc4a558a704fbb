import { readFileSync } from 'node:fs';
import { sql } from '../../apps/api/src/db/sql.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import type { Providers } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

// Half past eleven in the evening in New York is the afternoon of the next day where this browser is.
test.use({ timezoneId: 'Asia/Tokyo' });
const PAID_AT = '2026-11-21T04:30:00Z';
const DAY = '11.20.2026';

test('a payment near midnight has one day and one time, named, wherever it is read [decisions.11.payment-times-{zone,named}]', async ({
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

/** When the latest payment of a customer came to how it stands, as New York writes it. */
async function ownTime(providers: Providers, customerId: string): Promise<string> {
  const found = await providers.db.maybeOne<{ at: string }>(sql`
    select to_char(updated_at at time zone 'America/New_York', 'MM.DD.YYYY, HH24:MI') as at
      from attempt where customer_id = ${customerId} order by sent_at desc, id desc limit 1`);
  return found?.at ?? '';
}

for (const [what, card, heading] of [
  ['paid', cards.good, 'Payment Successful'],
  ['declined', cards.declined, 'Payment Failed'],
] as const) {
  test(`right after it was ${what}, a payment has its own time, whatever the clock of the browser says`, async ({
    page,
    stack,
    providers,
  }) => {
    const provider = await providers.add();
    await providers.sql(`update brand set time_zone = 'America/New_York' where id = $1`, [provider.brandId]);
    // Three hours and some minutes behind: no zone explains it.
    await page.clock.setSystemTime(new Date(Date.now() - (3 * 60 + 17) * 60_000));
    const pay = new PayPage(page);
    await pay.open(provider, await provider.bill('23.30'));
    await pay.pay(card);
    await expect(pay.heading(heading)).toBeVisible();
    const byLink = await ownTime(providers, provider.customerId);
    await expect(page.getByText(new RegExp(`^${byLink} E[DS]T$`))).toBeVisible();

    await signedIn(page, stack, provider, provider.url);
    const bulk = new BulkPayPage(page);
    await bulk.begin(provider, [await provider.bill('40.00'), await provider.bill('2.00')]);
    await bulk.method('New Payment Method').check();
    await bulk.enterCard(card);
    await bulk.button.click();
    await expect(bulk.heading(heading)).toBeVisible();
    const inBulk = await ownTime(providers, provider.customerId);
    await expect(page.getByText(new RegExp(`^${inBulk} E[DS]T$`))).toBeVisible();
  });
}
