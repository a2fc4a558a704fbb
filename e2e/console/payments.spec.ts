import { readFileSync } from 'node:fs';
import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation, press, tabTo } from '../support/console.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { expect, test } from '../support/test.ts';

test('an operator sees what a customer owes, opens a payment as a story, looks it up, refunds a part of it, and finds all of it in the audit trail, by keyboard alone [decisions.11.refund-fee-told]', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  // A fee of 2 %, of which a refund gives back its part.
  const provider = await providers.add({
    settings: [`cardFee=${JSON.stringify({ basisPoints: 200, fixedMinor: 0, capMinor: null })}`],
  });
  const bill = await provider.bill('120.00');
  await provider.bill('45.50');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  const { email, url } = await invitation(stack, provider, 'billing');
  await follow(page, url);

  await press(page, page.getByRole('link', { name: /^Customer of / }));
  await expect(page.getByRole('definition').filter({ hasText: '45.50' }).first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Open invoices' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page, 'console-customer-owing');

  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Payments' }).getByRole('row')).toHaveCount(2);
  await expectAccessible(page, 'console-payments');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Charge of .*122\.40/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Story' })).toContainText('Being sent → Succeeded');
  await page.keyboard.press('l');
  await expect(page.getByText('The gateway was asked')).toBeVisible();

  await page.keyboard.press('r');
  const refund = page.getByRole('dialog', { name: /^Refund to / });
  await tabTo(page, refund.getByLabel(/^Amount in /));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('500');
  await expect(refund.getByText(/above zero and not above/)).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('20.00');
  await expect(refund).toContainText('Of which fee USD\u00a00.39.');
  await tabTo(page, refund.getByLabel('Reason'));
  await page.keyboard.type('Line 3 was billed twice');
  await expectAccessible(page, 'console-refund', { within: 'dialog' });
  await press(page, refund.getByRole('button', { name: /^Refund .*20\.00/ }));
  await expect(page.getByRole('status').filter({ hasText: /Refund of .*20\.00 ordered/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Story' })).toContainText(
    /Refund of .*20\.00 \(of which fee USD\s0\.39\) ordered: Succeeded/,
  );
  await expect(page.getByRole('region', { name: 'Amounts' })).toContainText('20.00');
  await expectAccessible(page, 'console-payment');

  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit trail' })).toBeVisible();
  const line = page.getByRole('row').filter({ hasText: 'Payment refunded' });
  await expect(line).toContainText(email);
  await expectAccessible(page, 'console-audit');
  // Narrowed, it is addressed, and exported as it is shown.
  await page.getByLabel('What').selectOption('Payment refunded');
  await tabTo(page, page.getByRole('button', { name: 'Show', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/action=payment\.refunded/);
  await expect(page.getByRole('row')).toHaveCount(2);
  const saved = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Export CSV' }));
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"payment.refunded","operator:${email}"`);
});
