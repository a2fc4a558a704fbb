import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, press, tabTo } from '../support/console.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, test } from '../support/test.ts';

test('an operator makes, copies, replaces and ends a pay link, and sees what Auto-Pay did and would do next, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const bill = await provider.bill('120.00');
  const other = await provider.bill('45.50');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  // Due today; Auto-Pay has left the one out, and charged the other one, as far as its tables tell.
  await providers.sql('update invoice set due_on = current_date where customer_id = $1', [
    provider.customerId,
  ]);
  await providers.sql(
    `insert into autopay_plan (customer_id, invoice_id, state, updated_at)
     select customer_id, id, 'skipped', now() from invoice where customer_id = $1`,
    [provider.customerId],
  );
  await providers.sql(
    `insert into autopay_run (customer_id, invoice_id, run_no, attempt_id, reason, at)
     select i.customer_id, i.id, 1, a.id, case when a.id is null then 'disputed' end, now() from invoice i
       left join attempt a on a.customer_id = i.customer_id and i.number = $2
      where i.customer_id = $1`,
    [provider.customerId, bill.number],
  );
  const { url } = await invitation(stack, provider, 'billing');
  await follow(page, url);

  await goTo(page, 'l', 'Pay links');
  const links = page.getByRole('table', { name: 'Pay links' });
  await expect(links.getByRole('row').filter({ hasText: bill.number })).toContainText(
    /Paid\s*Last payment by link/,
  );
  await expect(links.getByRole('row').filter({ hasText: other.number })).toContainText('Not paid yet');
  await expectAccessible(page, 'console-pay-links');
  await press(page, page.getByRole('button', { name: 'New pay link' }));
  const made = page.getByRole('dialog', { name: 'New pay link' });
  await tabTo(page, made.getByLabel('Number of the invoice'));
  await page.keyboard.type('NO-SUCH');
  await page.keyboard.press('Enter');
  await expect(made.getByText('There is no invoice with this number.')).toBeVisible();
  await tabTo(page, made.getByLabel('Number of the invoice'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(other.number);
  await page.keyboard.press('Enter');
  const link = page.getByRole('dialog', { name: `Pay link of ${other.number}` });
  await expect(link).toContainText(other.payPath);
  await expectAccessible(page, 'console-pay-link', { within: 'dialog' });
  await press(page, link.getByRole('button', { name: 'Make another' }));
  const replace = page.getByRole('dialog', { name: `Make another link for ${other.number}?` });
  await tabTo(page, replace.getByLabel('Reason'));
  await page.keyboard.type('Sent to the wrong person');
  await page.keyboard.press('Enter');
  await expect(link).not.toContainText(other.payPath);
  await expect(link).toContainText('/pay/');
  await press(page, link.getByRole('button', { name: 'End' }));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'End link' }));
  await expect(page.getByRole('status').filter({ hasText: 'is ended' })).toBeVisible();
  await expect(links.getByRole('row').filter({ hasText: other.number })).toHaveCount(0);

  await goTo(page, 'c', 'Customers');
  await press(page, page.getByRole('link', { name: /^Customer of / }));
  await press(page, page.getByRole('button', { name: `Pay link of ${other.number}` }));
  await expect(link).toContainText('/pay/');
  await press(page, link.getByRole('button', { name: 'Close' }));

  await goTo(page, 'y', 'Auto-Pay');
  await expectAccessible(page, 'console-auto-pay');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Auto-Pay on / })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Invoices of the run' });
  await expect(rows.getByRole('row').filter({ hasText: other.number })).toContainText('It is disputed');
  await expectAccessible(page, 'console-auto-pay-run');
  await press(page, rows.getByRole('link', { name: `Payment of ${bill.number}` }));
  await expect(page.getByRole('heading', { level: 1, name: /^Charge of .*120\.00/ })).toBeVisible();

  await goTo(page, 'y', 'Auto-Pay');
  await press(page, page.getByRole('link', { name: 'See the next run' }));
  await expect(page.getByRole('heading', { level: 1, name: 'The next run of Auto-Pay' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: other.number })).toContainText(
    'The customer has not agreed',
  );
  await expectAccessible(page, 'console-auto-pay-next');
});
