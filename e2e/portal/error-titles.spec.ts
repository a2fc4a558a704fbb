import { PayPage } from '../support/pay-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import { expect, signedIn, test } from '../support/test.ts';

const failed = /^Error: /;

test('the title says that a form was refused, and no longer once it is mended', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: ['cardHolderRequired=true'] });
  await page.goto(`${provider.url}/login`);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveTitle(/^Error: Sign in – /);
  await page.getByLabel('Username').fill(provider.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Invalid username or password')).toBeVisible();
  await expect(page).toHaveTitle(failed);

  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('12.00'));
  const title = await page.title();
  await pay.enter({ number: '4242424242424242', expiry: '12 / 31', cvc: '739' });
  await pressDimmed(pay.button);
  await expect(page).toHaveTitle(`Error: ${title}`);
  await page.getByLabel('Card Holder Name').fill('Ada Finch');
  await expect(page).toHaveTitle(title);

  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/settings`);
  await page.getByLabel('Current Password').fill('wrong password');
  await page.getByLabel('New Password').first().fill('Kestrel-Ledger-77!');
  await page.getByLabel(/Confirm|Repeat/).fill('Kestrel-Ledger-77!');
  await page.getByRole('button', { name: /Change|Save/ }).click();
  await expect(page).toHaveTitle(failed);
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await expect(page).toHaveTitle(/^Invoices – /);
});
