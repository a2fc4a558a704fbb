import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage, saveCard } from '../support/bulk-pay-page.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

const visa = 'Visa ending 4242';
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['cardFee.basisPoints=150', 'emailReceipt=true'] });
});

test('a link of which the provider captures a part: what was taken, what is still due, and the way to pay it [decisions.11.captured-payer]', async ({
  page,
  stack,
}) => {
  await page.setViewportSize(sizes.phone);
  const bill = await provider.bill('110.00');
  const pay = new PayPage(page);
  await pay.open(provider, bill);
  await stack.sandbox.fault(provider.account, 'charge', 'partial', { minor: 5_000 });
  await pay.pay(cards.good);
  const paid = pay.outcome('Payment Successful');
  await expect(paid).toContainText(`You paid $50.00 to ${provider.companyName}`);
  await expect(paid).toContainText(
    'You were asked for $111.65, but only $50.00 was taken. $60.00 is still to be paid.',
  );
  await expect(page.getByRole('main')).toContainText('Still to pay$60.00');
  await expectAccessible(page, 'pay-part-captured');

  await page.getByRole('button', { name: 'Pay the rest' }).click();
  await expect(pay.button).toHaveText('Pay $60.90');
  const notice = 'Of the last payment only a part was taken. What is still to be paid is shown above.';
  await expect(page.getByText(notice)).toBeVisible();
  await page.reload();
  await expect(page.getByText(notice)).toBeVisible();
  await pay.pay(cards.good);
  await expect(paid).toContainText(`You paid $60.90 to ${provider.companyName}`);
  await expect(page.getByRole('button', { name: 'Pay the rest' })).toHaveCount(0);
  expect(await stack.sandbox.chargesOf(bill)).toMatchObject([{ minor: 5_000 }, { minor: 6_090 }]);
});

test('several invoices of which the provider captures a part: what each got, and only the rest is paid again', async ({
  page,
  stack,
}) => {
  await page.setViewportSize(sizes.desk);
  await signedIn(page, stack, provider, provider.url);
  await saveCard(page, provider, cards.good, visa);
  const bills = [await provider.bill('110.00'), await provider.bill('90.00')];
  const bulk = new BulkPayPage(page);
  await bulk.openInvoices(provider);
  for (const bill of bills) await bulk.box(bill).check();
  await bulk.paySelected().click();
  await bulk.method(visa).check();
  await stack.sandbox.fault(provider.account, 'charge', 'partial', { minor: 12_000 });
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeFocused();
  const main = page.getByRole('main');
  await expect(main).toContainText(`You paid $120.00 to ${provider.companyName}`);
  await expect(main).toContainText(
    'You were asked for $203.00, but only $120.00 was taken. $80.00 is still to be paid.',
  );
  await expect(main.getByText(/^Still to pay of /)).toHaveCount(1);
  await expectAccessible(page, 'bulk-part-captured');

  await page.getByRole('button', { name: 'Pay the rest' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Pay invoice / })).toBeVisible();
  await expect(bulk.sumOf('Total: ')).toHaveText('$80.00');
});
