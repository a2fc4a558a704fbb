import { randomInt } from 'node:crypto';
import { sampleUbl } from '../../apps/api/src/features/imports/invoices/sample-documents.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { follow } from '../support/console.ts';
import { linkInMail } from '../support/link-mail.ts';
import { cards } from '../support/pay-page.ts';
import { runCommand } from '../support/stack/child.ts';
import { expect, signInByForm, test } from '../support/test.ts';

const PASSWORD = 'Harbour!47lantern';

/** What `import.spec.ts` does by commands: after the one that makes the first operator, all of it in the console. */
test('the first afternoon: from a new reseller to a customer who pays an imported invoice, in the console alone', async ({
  page,
  browser,
  stack,
  providers,
}) => {
  test.slow();
  const started = performance.now();
  const id = String(randomInt(100_000, 99_999_999));
  const host = `afternoon${id}.localhost`;
  const email = `hanna${id}@e2e.example`;
  const operator = ['operator', 'add', '--email', `first-${id}@provider.example`, '--name', 'Olga Berg'];
  const { code, out, err } = await runCommand(
    [...operator, '--role', 'owner', '--installation', '--json'],
    stack.env,
  );
  expect(code, err).toBe(0);
  await follow(page, (JSON.parse(out) as { url: string }).url);
  const dialog = (title: string) => page.getByRole('dialog', { name: title });
  const open = async (place: string) => {
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: place }).click();
    await expect(page.getByRole('heading', { level: 1, name: place, exact: true })).toBeVisible();
  };

  await test.step('a reseller and its brand', async () => {
    await page.getByLabel('Reseller').selectOption('New reseller');
    await dialog('New reseller').getByLabel('Reference').fill(`first-${id}`);
    await dialog('New reseller').getByLabel('Name').fill('First Telecom');
    await dialog('New reseller').getByRole('button', { name: 'Make reseller' }).click();
    await expect(page.getByText('No brands yet')).toBeVisible();
    await page.getByRole('button', { name: 'New brand' }).click();
    await dialog('New brand').getByLabel('Reference').fill('first');
    await dialog('New brand').getByLabel('Name').fill('First');
    await dialog('New brand').getByLabel('Host').fill(host);
    await dialog('New brand').getByLabel('Currency').selectOption('EUR');
    await dialog('New brand').getByRole('button', { name: 'Make brand' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'First' })).toBeVisible();
    await page.getByRole('tab', { name: 'Names' }).click();
    await expect(page.getByLabel('Currency')).toHaveValue('EUR');
  });
  // A server of the demo that is killed and started again refuses to be one beside others.
  if (stack.demo !== null)
    await providers.sql('update reseller set is_demo = true where reference = $1', [`first-${id}`]);

  await test.step('a gateway', async () => {
    await open('Gateways');
    await page.getByRole('link', { name: 'Add a gateway' }).click();
    await page.getByLabel('Gateway', { exact: true }).selectOption('Stripe');
    await page.getByLabel('Secret key').fill(`sk_test_first${id}`);
    await page.getByLabel('Publishable key').fill(`pk_test_first${id}`);
    await page.getByLabel('Webhook signing secrets').fill(`whsec_first${id}`);
    await page.getByRole('button', { name: 'Add and use' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Stripe' })).toBeVisible();
  });

  await test.step('a customer, and who signs in for it; one that is there is not changed', async () => {
    await open('Customers');
    for (const label of ['Harbour Office', 'Another']) {
      await page.getByRole('button', { name: 'New customer' }).click();
      await dialog('New customer').getByLabel('Number').fill('C-1001');
      await dialog('New customer').getByLabel('Name').fill(label);
      await dialog('New customer').getByLabel('Country').selectOption('DE');
      await dialog('New customer').getByRole('button', { name: 'Make customer' }).click();
      if (label === 'Another') break;
      await expect(page.getByRole('heading', { level: 1, name: label })).toBeVisible();
      await page.getByRole('button', { name: 'Invite user' }).click();
      await dialog('Invite a user').getByLabel('E-mail address').fill(email);
      await dialog('Invite a user').getByLabel('Name').fill('Hanna Harbour');
      await dialog('Invite a user').getByRole('button', { name: 'Invite' }).click();
      await expect(page.getByRole('list', { name: 'Users' })).toContainText('Invited');
      await open('Customers');
    }
    await expect(dialog('New customer').getByRole('alert')).toContainText(
      'There is a customer with this number already.',
    );
    await page.keyboard.press('Escape');
  });

  await test.step('an invoice', async () => {
    await open('Imports');
    await page.getByText('Mapping and customer').click();
    await page.getByLabel('Customer', { exact: true }).fill('C-1001');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    const bill = sampleUbl({ number: `F-${id}`, buyer: '' });
    await chooser.setFiles({ name: 'bill.xml', mimeType: 'application/xml', buffer: Buffer.from(bill) });
    await expect(page.getByRole('heading', { level: 1, name: 'bill.xml' })).toBeVisible();
    await page.getByRole('button', { name: 'Start import' }).click();
    await expect(page.getByText('1 row in')).toBeVisible();
  });

  const context = await browser.newContext();
  const customer = await context.newPage();
  await test.step('the customer follows the invitation, signs in and pays', async () => {
    const link = await linkInMail(stack, email, '/finish-registration/');
    expect(link.hostname).toBe(host);
    await customer.goto(link.href);
    await customer.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await customer.getByRole('textbox', { name: 'Confirm Password' }).fill(PASSWORD);
    await customer.getByRole('button', { name: 'Finish Registration' }).click();
    await expect(customer.getByText(/^Registration complete!/)).toBeVisible();
    await customer.getByRole('link', { name: 'Back to Login' }).click();
    await signInByForm(customer, { email, password: PASSWORD });
    await expect(customer.getByRole('banner')).toContainText('First Telecom');
    await customer.goto(new URL('/invoices', customer.url()).href);
    const bulk = new BulkPayPage(customer);
    await bulk
      .row({ number: `F-${id}` })
      .getByRole('button', { name: 'Pay' })
      .click();
    await expect(bulk.heading(`Pay invoice F-${id}`)).toBeVisible();
    await bulk.method('New Payment Method').check();
    await bulk.enterCard(cards.good);
    for (const [label, text] of Object.entries({
      Address: '1 Quay',
      City: 'Port',
      State: 'PT',
      Zip: '12345',
    }))
      await customer.getByLabel(label, { exact: true }).fill(text);
    await customer.getByLabel('Country').selectOption('DE');
    await expect(bulk.sumOf('Total: ')).toHaveText('€12.00');
    await bulk.button.click();
    await expect(bulk.heading('Payment Successful')).toBeVisible();
  });
  await context.close();
  expect(await stack.sandbox.chargesOf({ number: `F-${id}` })).toMatchObject([
    { minor: 1200, currency: 'EUR' },
  ]);
  process.stdout.write(
    `first afternoon in the console: ${Math.round((performance.now() - started) / 1000)} s\n`,
  );
});
