import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, press, tabTo } from '../support/console.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, test } from '../support/test.ts';

test('an operator sees what needs a person, sends a refused mail to another address, and looks at events and jobs, by keyboard alone', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  // The browser says so where a test looks into a frame in which nothing may run.
  cleanConsole.allow(/^Blocked script execution in .*\/operator\/mails\//);
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const bill = await provider.bill('120.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  // The mail server has refused the mail, as it says of an address that is not there.
  await providers.sql(
    `insert into mail (id, reseller_id, brand_id, customer_id, kind, address, subject, content, task, payload, job_id, state,
                       tries, created_at, updated_at)
     select o.id, $1, $2, o.customer_id, 'receipt', 'wrong@harbour.example', 'Your payment', $3, 'receipt',
            jsonb_build_object('customerId', o.customer_id, 'outboxId', o.id), (9000000000000000 + $1::int)::text, 'refused', $4, now(), now()
       from outbox o join customer c on c.customer_id = o.customer_id where c.reseller_id = $1 and o.kind = 'receipt'`,
    [
      provider.resellerId,
      provider.brandId,
      JSON.stringify({
        heading: 'Thank you',
        paragraphs: ['We have received your payment.'],
        facts: [],
        companyName: 'Harbour',
        contact: [],
        language: 'en',
      }),
      JSON.stringify([{ at: new Date().toISOString(), outcome: 'refused', reason: '550 5.1.1 at RCPT TO' }]),
    ],
  );
  const { url } = await invitation(stack, provider, 'owner', true);
  await follow(page, url);
  await page.getByLabel('Reseller').selectOption({ value: String(provider.resellerId) });

  await goTo(page, 't', /needs? a person$/);
  const needs = page.getByRole('region', { name: 'Needs a person' });
  await expect(needs).toContainText('1 mail was not delivered');
  await expect(page.getByRole('table', { name: 'Money today, by gateway' })).toContainText('120.00');
  await expect(page.getByRole('region', { name: 'Health' })).toContainText('Database');
  await expectAccessible(page, 'console-today');
  await page.keyboard.press('j');
  await page.keyboard.press('z');
  const snoozing = page.getByRole('dialog', { name: 'Snooze until when?' });
  await expectAccessible(page, 'console-snooze', { within: 'dialog' });
  await press(page, snoozing.getByRole('button', { name: 'Snooze' }));
  await expect(page.getByText('1 mail was not delivered')).toHaveCount(0);
  await expect(page.getByText('1 thing is snoozed.')).toBeVisible();
  await expectAccessible(page, 'console-today-snoozed');
  await press(page, page.getByRole('button', { name: 'Show again' }));
  await expect(needs).toContainText('1 mail was not delivered');
  await press(page, needs.getByRole('link', { name: 'See mails' }));

  await expect(page.getByRole('heading', { level: 1, name: 'Mails' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Mails' }).getByRole('row')).toHaveCount(2);
  const next = page.getByRole('navigation', { name: 'What needs a person' });
  await expect(next).toContainText('Needs a person');
  await expectAccessible(page, 'console-mails');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your payment' })).toBeVisible();
  await expect(page.frameLocator('iframe').getByRole('paragraph').first()).toHaveText(
    'We have received your payment.',
  );
  await expectAccessible(page, 'console-mail');
  await press(page, page.getByRole('button', { name: 'Send again' }));
  const again = page.getByRole('dialog', { name: 'Send it again?' });
  await tabTo(page, again.getByLabel('To'));
  await page.keyboard.press('Control+A');
  const right = `right-${provider.resellerId}@harbour.example`;
  await page.keyboard.type(right);
  await expectAccessible(page, 'console-mail-again', { within: 'dialog' });
  await press(page, again.getByRole('button', { name: 'Send' }));
  await expect(page.getByRole('status').filter({ hasText: `on its way to ${right}` })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What became of it' })).toContainText(`Sent again`);
  await expect.poll(() => stack.mailsTo(right).length).toBe(1);
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();

  await goTo(page, 't', /a person$/);
  await expect(page.getByText('1 mail was not delivered')).toHaveCount(0);
  await goTo(page, 'w', 'Webhooks');
  await expectAccessible(page, 'console-webhooks');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'What became of it' })).toContainText('Followed up');
  await expectAccessible(page, 'console-webhook');
  await goTo(page, 'j', 'Jobs and health');
  await expect(page.getByRole('table', { name: 'Background rounds' })).toContainText('reconcile');
  await expectAccessible(page, 'console-jobs');
  await press(page, page.getByRole('button', { name: 'Run now: quarantine' }));
  await expect(
    page.getByRole('status').filter({ hasText: 'quarantine begins within seconds' }),
  ).toBeVisible();
});
