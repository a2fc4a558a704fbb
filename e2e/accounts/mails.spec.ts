import { expectAccessible } from '../support/accessible.ts';
import { expect, signedIn, test } from '../support/test.ts';

/** A zone whose clocks show noon or later now: no mail about an invoice goes out at night. */
const noonZone = (): string => {
  const offset = 12 - new Date().getUTCHours();
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
};

test('who asks for invoices by mail gets the next one, with its PDF and the link that pays it', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await providers.add({ settings: ['invoiceMails.newInvoices=true'] });
  await providers.sql('update brand set time_zone = $2 where id = $1', [provider.brandId, noonZone()]);
  await providers.sql(
    "insert into invoice_mail_start values ($1, now() - interval '1 minute') on conflict do nothing",
    [provider.brandId],
  );
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'E-mails' }).click();
  const box = page.getByRole('checkbox', { name: 'Invoices and reminders' });
  await expect(box).not.toBeChecked();
  await expectAccessible(page, 'mails');
  await box.press('Space');
  await expect(page.locator(':focus')).toContainText(`Saved. You will get them at ${provider.email}.`);
  await expect(box).toBeChecked();
  await expectAccessible(page, 'mails-saved');
  await page.reload();
  await expect(box).toBeChecked();

  const bill = await provider.bill('84.00');
  await providers.sql('update invoice set issued_on = current_date where reseller_id = $1', [
    provider.resellerId,
  ]);
  await providers.sql("update background_round set wanted_at = now() where name = 'invoice mails'");
  await expect
    .poll(() => stack.mailsTo(provider.email).filter((mail) => mail.includes(bill.number)), {
      timeout: 40_000,
    })
    .toHaveLength(1);
  const [mail = ''] = stack.mailsTo(provider.email).filter((one) => one.includes(bill.number));
  expect(mail).toContain(`invoice_${bill.number}.pdf`);
  expect(mail.replaceAll('=\r\n', '')).toContain(bill.payPath);
});

test('a brand that mails no invoices has no such page', async ({ page, providers, stack }) => {
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/mails`);
  await expect(page).toHaveURL(`${provider.url}/dashboard`);
});
