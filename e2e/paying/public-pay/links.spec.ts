import { expectAccessible } from '../../support/accessible.ts';
import { tabTo } from '../../support/bulk-pay-page.ts';
import { linkInMail } from '../../support/link-mail.ts';
import { PayPage, withoutServedPayment } from '../../support/pay-page.ts';
import type { Provider } from '../../support/provider.ts';
import { expect, test } from '../../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['supportEmail=help@e2e.example'] });
});

test('a credited invoice says that no further payments are required [payments.public.state.screen.credited]', async ({
  page,
}) => {
  const bill = await provider.bill('10.00');
  const sums = ['10.00', '0.00', '10.00', '10.00'] as const;
  const lines = [{ amount: '10.00' }];
  await provider.take({
    kind: 'creditNote',
    number: `C-${bill.number}`,
    credits: bill.number,
    currency: 'USD',
    sums,
    lines,
  });
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  await expect(pay.outcome('Invoice credited')).toContainText(
    'The invoice has been credited. No further payments required.',
  );
  await expect(pay.button).toHaveCount(0);
});

test('a reseller without a gateway gets the words of a misconfigured one, and no form [payments.public.state.screen.misconfigured]', async ({
  page,
  providers,
}) => {
  const bare = await providers.add({ hasGateway: false });
  const bill = await bare.bill('10.00');
  await page.goto(`${bare.url}${bill.payPath}`);
  await expect(page.getByRole('main')).toContainText(
    'Payment Failed – Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
  );
  await expect(new PayPage(page).number).toHaveCount(0);
});

test('a link that does not exist is refused clearly', async ({ page }) => {
  const answer = await page.goto(`${provider.url}/pay/AAAAAAAAAAAAAAAAAAAAAA`);
  expect(answer?.status()).toBe(200);
  const pay = new PayPage(page);
  await expect(pay.outcome('Payment Failed')).toContainText(
    'This payment link is not valid. Please check the address or ask for a new link',
  );
  await expect(pay.outcome('Payment Failed')).toContainText('Opening this page charged nothing.');
});

for (const text of ['../../etc/passwd', '%00', '<script>alert(1)</script>', 'a'.repeat(400)]) {
  test(`a made-up link is refused clearly: ${text.slice(0, 20)}`, async ({ page }) => {
    const answer = await page.goto(`${provider.url}/pay/${encodeURIComponent(text)}`);
    expect(answer?.status()).toBeLessThan(500);
    await expect(new PayPage(page).heading('Payment Failed')).toBeVisible();
  });
}

test('an expired link says so and charges nothing', async ({ page, providers }) => {
  const bill = await provider.bill('10.00');
  await providers.sql(
    "update invoice_pay_link set expires_at = now() - interval '1 day' where customer_id = $1",
    [provider.customerId],
  );
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(new PayPage(page).outcome('Payment Failed')).toContainText('This payment link has expired');
});

test('an expired link has a new one mailed, which pays; by keyboard, and not to whoever asks [decisions.6.control.pay-link-expired]', async ({
  page,
  stack,
  providers,
}) => {
  const payer = await providers.add();
  const [bill, open] = [await payer.bill('31.00'), await payer.bill('9.00')];
  await providers.sql(
    `update invoice_pay_link set expires_at = now() - interval '1 day'
      where invoice_id in (select id from invoice where customer_id = $1 and number = $2)`,
    [payer.customerId, bill.number],
  );
  await providers.sql('update customer set email = $2 where customer_id = $1', [
    payer.customerId,
    payer.email,
  ]);
  await page.goto(`${payer.url}${bill.payPath}`);
  const ask = page.getByRole('button', { name: 'Mail me a new link' });
  await expect(ask).toBeVisible();
  // In the dress of the host: a page without a name would look like somebody else's.
  await expect(page.getByRole('main')).toContainText(`Brand ${payer.resellerId}`);
  await expectAccessible(page, 'pay-link-expired');
  await tabTo(page, ask);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'new link' })).toBeVisible();
  await expect(ask).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'new link' })).toBeFocused();
  await expect(page.getByRole('main')).not.toContainText(payer.email);
  await expectAccessible(page, 'pay-link-asked');

  const { pathname } = await linkInMail(stack, payer.email, '/pay/');
  expect([bill.payPath, open.payPath]).not.toContain(pathname);
  await page.goto(`${payer.url}${pathname}`);
  await expect(new PayPage(page).number).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$31.00');
});

test('a server that fails shows its message and a request id, and trying again works', async ({ page }) => {
  const bill = await provider.bill('10.00');
  const message = 'Our server returned error, try again later';
  const fault = { status: 500, code: 'server.fault', message, requestId: 'request-of-the-test' };
  await withoutServedPayment(page);
  await page.route('**/v1/ec/payment/details/**', (route) => route.fulfill({ status: 500, json: fault }), {
    times: 1,
  });
  await page.goto(`${provider.url}${bill.payPath}`);
  const pay = new PayPage(page);
  await expect(pay.outcome('Payment Failed')).toContainText(message);
  await expect(pay.outcome('Payment Failed')).toContainText('request-of-the-test');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(pay.number).toBeVisible();
});

test('the provider’s script does not load: the form says so, and trying again loads it', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('10.00');
  await page.route(`${stack.sandboxUrl}/**/*`, (route) => route.abort(), { times: 1 });
  await page.goto(`${provider.url}${bill.payPath}`);
  await expect(page.getByRole('alert').filter({ hasText: /could not be loaded|did not load/ })).toBeVisible();
  await page.unroute(`${stack.sandboxUrl}/**/*`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(new PayPage(page).number).toBeVisible();
});
