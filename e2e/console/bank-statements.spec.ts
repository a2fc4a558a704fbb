import { sampleCamt } from '../../apps/api/test/fixtures/bank/sample-camt.ts';
import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, press, tabTo } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

test('an operator adds a bank statement, books what is not certain, takes it back, and sets aside what is not ours, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Several screens, each looked at wide and narrow, light and dark.
  test.slow();
  page.on('filechooser', () => undefined);
  const provider = await providers.add();
  const [paid, partly] = [await provider.bill('120.00'), await provider.bill('80.00')];
  const statement = sampleCamt(
    [
      { amount: '120.00', text: `Invoice ${paid.number}`, name: 'Harbour Office', reference: 'R-1' },
      {
        amount: '70.00',
        text: `${partly.number} less what was broken`,
        name: 'Harbour Office',
        reference: 'R-2',
      },
      { amount: '9.99', text: 'Interest of the first quarter', name: 'Bank of the North', reference: 'R-3' },
    ].map((entry) => Object.assign(entry, { currency: 'USD' })),
  );
  const { url } = await invitation(stack, provider, 'billing');
  await follow(page, url);
  await goTo(page, 'm', 'Imports');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')]);
  await chooser.setFiles({ name: 'march.xml', mimeType: 'application/xml', buffer: Buffer.from(statement) });
  await expect(page.getByRole('heading', { level: 1, name: 'march.xml' })).toBeVisible();
  await expect(page.getByText('1 booked, 1 to be decided, 1 waiting')).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText(/3 rows in/)).toBeVisible();

  await goTo(page, 't', /a person$/);
  // It was looked at before, and is looked at again every minute.
  await page.reload();
  await expect(page.getByText('Bank statements to decide')).toBeVisible();
  await goTo(page, 'p', 'Payments');
  await press(page, page.getByRole('link', { name: 'Bank statements' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Bank statements' })).toBeVisible();
  const list = page.getByRole('table', { name: 'Bank statements' });
  await expect(list.getByRole('row')).toHaveCount(2);
  await expect(list).toContainText('Its amount is not what is due');
  await expectAccessible(page, 'console-bank-entries');

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'USD 70.00 from Harbour Office' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'What may be meant' })).toContainText(
    'USD 10.00 less than is due',
  );
  await expectAccessible(page, 'console-bank-entry');
  await page.keyboard.press('d');
  const asking = page.getByRole('dialog', { name: new RegExp(`^Book USD.70\\.00 to .*${partly.number}`) });
  await expect(asking).toContainText('USD 10.00 stays due.');
  await expectAccessible(page, 'console-bank-entry-book', { within: 'dialog' });
  await press(page, asking.getByRole('button', { name: 'Book' }));
  await expect(page.getByText('Booked.', { exact: true })).toBeVisible();
  await expectAccessible(page, 'console-bank-entry-booked');

  await press(page, page.getByRole('button', { name: 'Take back' }));
  const back = page.getByRole('dialog', { name: 'Take this decision back?' });
  await tabTo(page, back.getByLabel('Why'));
  await page.keyboard.type('It was for the other bill');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Taken back.', { exact: true })).toBeVisible();
  await expect(page.getByText('Its booking was taken back.')).toBeVisible();

  await page.keyboard.press('i');
  const other = page.getByRole('dialog', { name: 'Book to another invoice' });
  await tabTo(page, other.getByLabel('Numbers of invoices'));
  await page.keyboard.type('NONE-1');
  await page.keyboard.press('Enter');
  await expect(other.getByRole('alert')).toContainText('There is no invoice NONE-1.');
  await tabTo(page, other.getByLabel('Numbers of invoices'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(partly.number);
  await expectAccessible(page, 'console-bank-entry-other', { within: 'dialog' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('Booked.', { exact: true })).toBeVisible();

  await page.goto(`${new URL(page.url()).origin}/admin/payments/bank?state=unmatched`);
  await expect(list.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'USD 9.99 from Bank of the North' }),
  ).toBeVisible();
  await page.keyboard.press('x');
  const aside = page.getByRole('dialog', { name: 'Set this entry aside?' });
  await tabTo(page, aside.getByLabel('Why'));
  await page.keyboard.type('Interest');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Set aside.', { exact: true })).toBeVisible();
  await goTo(page, 't', /a person$/);
  await expect(page.getByText('Bank statements to decide')).toHaveCount(0);
});
