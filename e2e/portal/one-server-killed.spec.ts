import { cards, PayPage } from '../support/pay-page.ts';
import { expect, test } from '../support/test.ts';

// A second try must not kill the other server too: nothing would answer any more.
test.beforeEach(async ({ stack }) => void (await stack.control.revive()));

/**
 * Runs among the other files: what comes after it runs with one server less, until `resilience.spec.ts` starts it
 * again, and must not notice.
 */
test('a server killed while it charges: nobody is told that it failed, and it is paid once', async ({
  page,
  providers,
  stack,
}) => {
  const provider = await providers.add();
  const bill = await provider.bill('77.77');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await stack.sandbox.fault(provider.account, 'charge', 'slow', { ms: 8_000 });
  await pay.enter(cards.good);
  const sent = page.waitForRequest('**/v1/ec/pay');
  await pay.button.click();
  await sent;
  // The charge is at the gateway by then and stays there for seconds: killed before, nothing would be charged.
  await page.waitForTimeout(2_000);
  const killed = await stack.control.killWhile('/v1/ec/pay', bill.uid);
  expect(await stack.control.alive()).not.toContain(killed);

  await expect(page.getByText('Payment Failed')).toHaveCount(0);
  await expect(pay.heading('Payment Successful')).toBeVisible({ timeout: 45_000 });
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 7777, state: 'captured' }]);
  // The other one answers.
  await page.goto(`${provider.url}/login`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
});
