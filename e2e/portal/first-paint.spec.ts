import type { Page } from '@playwright/test';
import { PayPage } from '../support/pay-page.ts';
import { expect, test } from '../support/test.ts';

/** Holds the page's code back, as a slow line does. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

test('the pay page shows what is to be paid before its code is there, and loses nothing typed', async ({
  page,
  providers,
}) => {
  const provider = await providers.add({ settings: ['billingAddressRequired=true'] });
  const bill = await provider.bill('64.20');
  const letGo = await holdCode(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${provider.url}${bill.payPath}`, { waitUntil: 'domcontentloaded' });
  const amount = page.getByRole('main').locator('p', { hasText: /^\$64\.20$/ });
  await expect(amount).toBeVisible();
  await page.getByLabel('Card Holder Name').fill('Ada Finch');
  await amount.evaluate((element) => element.setAttribute('data-served', ''));
  letGo();
  await expect(new PayPage(page).number).toBeVisible();
  await expect(page.getByLabel('Card Holder Name')).toHaveValue('Ada Finch');
  await expect(page.getByText(/^To pay, complete:/)).not.toContainText('Card Holder Name');
  // The same element: the code has taken over what the server drew, and asked nobody again.
  await expect(amount).toHaveAttribute('data-served', '');
  expect(asked.filter((path) => path.startsWith('/v1/ec/'))).toEqual([]);
});

test('a press on the sign-in page before its code is there is done when it is', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  const letGo = await holdCode(page);
  await page.goto(`${provider.url}/login`, { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('main')).toContainText('Sign in');
  await page.getByLabel('Username').fill(provider.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  letGo();
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid username or password' })).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue(provider.email);
});

test('what the server drew and this browser has not is taken away, and the rest is taken over', async ({
  page,
  providers,
}) => {
  const provider = await providers.add();
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
  const letGo = await holdCode(page);
  await page.goto(`${provider.url}/login`, { waitUntil: 'domcontentloaded' });
  const passkey = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(passkey).toBeVisible();
  const username = page.getByLabel('Username');
  await username.evaluate((element) => element.setAttribute('data-served', ''));
  letGo();
  await expect(passkey).toHaveCount(0);
  await expect(username).toHaveAttribute('data-served', '');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('There is a problem');
  await expect(username).toHaveAccessibleDescription(/\S/);
});
