import { cards, PayPage } from '../../support/pay-page.ts';
import type { Bill, Provider } from '../../support/provider.ts';
import { expect, type Stack, test } from '../../support/test.ts';

/** What was taken and not heard of is never called failed, and is never taken twice (payments §4, design 5). */
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add();
});

async function expectPaidOnce(stack: Stack, pay: PayPage, bill: Bill): Promise<void> {
  await expect(pay.heading('Payment Successful')).toBeVisible({ timeout: 30_000 });
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured', refundedMinor: 0 }]);
}

test('a time-out after the charge is being confirmed, then paid by itself, charged once @external [decisions.9.{processing-when-unknown,call-goes-on}, decisions.1.confirming-refreshes]', async ({
  page,
  stack,
}) => {
  test.slow();
  const bill = await provider.bill('100.01');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await stack.sandbox.fault(provider.account, 'charge', 'timeout-after');
  // Else the gateway's message settles it before anybody has to wait.
  await stack.sandbox.fault(provider.account, 'charge', 'webhook-lost');
  await pay.pay(cards.good);
  await expect(pay.heading('Payment being confirmed')).toBeVisible({ timeout: 40_000 });
  await expect(pay.outcome('Payment being confirmed')).toContainText('please don’t pay again');
  await expect(pay.number).toHaveCount(0);
  await expectPaidOnce(stack, pay, bill);
});

for (const mode of ['error-500-after', 'reset-after', 'malformed']) {
  test(`${mode}: the charge is found, and nobody is told that it failed`, async ({ page, stack }) => {
    const bill = await provider.bill('100.02');
    const pay = new PayPage(page);
    await pay.open(provider, bill);
    await stack.sandbox.fault(provider.account, 'charge', mode);
    await pay.pay(cards.good);
    await expectPaidOnce(stack, pay, bill);
    await expect(page.getByText('Payment Failed')).toHaveCount(0);
  });
}

for (const mode of ['webhook-first', 'webhook-late', 'webhook-twice', 'webhook-lost', 'webhook-reversed']) {
  test(`${mode}: paid once, one receipt`, async ({ page, stack }) => {
    const bill = await provider.bill('100.03');
    const receiptTo = `${mode}-${bill.number}@e2e.example`.toLowerCase();
    const pay = new PayPage(page);
    await pay.open(provider, bill);
    await stack.sandbox.fault(provider.account, 'charge', mode, mode === 'webhook-late' ? { ms: 500 } : {});
    await page.getByLabel('Email Receipt').fill(receiptTo);
    await pay.pay(cards.good);
    await expectPaidOnce(stack, pay, bill);
    await expect.poll(() => stack.mailsTo(receiptTo).length).toBe(1);
  });
}

test('the answer to the browser gets lost: the page finds out by itself, and pays once', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('100.04');
  const pay = new PayPage(page);
  await page.route(
    '**/v1/ec/pay',
    async (route) => {
      // Chromium resolves every name below localhost, Node does not.
      await route.fetch({ url: `http://127.0.0.1:${stack.port}/v1/ec/pay` });
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await pay.open(provider, bill);
  await pay.pay(cards.good);
  await expectPaidOnce(stack, pay, bill);
});

test('closing the page while it is being confirmed loses nothing: the link shows the end', async ({
  page,
  stack,
}) => {
  const bill = await provider.bill('100.05');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await stack.sandbox.fault(provider.account, 'charge', 'reset-after');
  await pay.enter(cards.good);
  const sent = page.waitForRequest('**/v1/ec/pay');
  await pay.button.click();
  await sent;
  await page.goto('about:blank');
  await expect(async () => {
    await page.goto(`${provider.url}${bill.payPath}`);
    await expect(pay.outcome('Already paid')).toBeVisible({ timeout: 1_500 });
  }).toPass({ timeout: 30_000 });
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ state: 'captured' }]);
});
