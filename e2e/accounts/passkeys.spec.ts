import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { addDevice } from '../support/device.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, signInByForm, test } from '../support/test.ts';

let provider: Provider;

test.beforeEach(async ({ providers }) => {
  provider = await providers.add();
});

/** Browsers without suggestions: passkeys are used by the button alone. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

const signInWithPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

test('a passkey is added, signs in alone, is named and removed [decisions.2.call.passkey-grant, decisions.4.screen.security]', async ({
  page,
  stack,
}) => {
  await withoutSuggestions(page);
  await addDevice(page);
  await page.goto(`${provider.url}/login`);
  await signInByForm(page, provider);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Security' }).click();
  const section = page.getByRole('region', { name: 'Passkeys' });
  await expect(section).toContainText(`works at ${provider.host} only`);
  await expect(section).toContainText('You have no passkey yet');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(section.locator(':focus')).toContainText('The passkey “Chrome on Linux” was added');
  await expect(section.getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page, 'security-passkeys');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(section).toContainText('has a passkey for this account already');

  await section.getByRole('button', { name: 'Rename Chrome on Linux' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' });
  await renaming.getByLabel('Name').fill('My laptop');
  await expectAccessible(page, 'security-passkey-rename');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByRole('listitem')).toContainText('My laptop');

  await page.goto(`${provider.url}/logout`);
  await expect(page).toHaveURL(/\/login/);
  await signInWithPasskey(page).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Settings' })).toBeVisible();
  await page.goto(`${provider.url}/sessions`);
  await expect(page.getByRole('list', { name: 'This device' })).toContainText('with a passkey');

  await page.goto(`${provider.url}/security`);
  await expect(section.getByRole('listitem')).toContainText('Last used just now');
  await section.getByRole('button', { name: 'Remove My laptop' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove My laptop?' });
  await removing.getByRole('textbox', { name: 'Current password' }).fill(provider.password);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(section).toContainText('You have no passkey yet');
  await expect.poll(() => stack.mailsTo(provider.email).length).toBeGreaterThanOrEqual(2);

  await page.goto(`${provider.url}/logout`);
  await signInWithPasskey(page).click();
  await expect(page.getByText('This passkey does not open an account here')).toBeVisible();
  await expectAccessible(page, 'sign-in-passkey-refused');
  await signInByForm(page, provider);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Settings' })).toBeVisible();
});

test('removing a passkey asks for the password, and signs out who signed in with it elsewhere', async ({
  page,
  browser,
  stack,
}) => {
  await withoutSuggestions(page);
  await addDevice(page);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('was added')).toBeVisible();
  await page.goto(`${provider.url}/logout`);
  await signInWithPasskey(page).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Settings' })).toBeVisible();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signedIn(other, stack, provider, provider.url);
  await other.goto(`${provider.url}/security`);
  const section = other.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
  const dialog = other.getByRole('dialog', { name: 'Remove Chrome on Linux?' });
  const remove = dialog.getByRole('button', { name: 'Remove' });
  const password = dialog.getByRole('textbox', { name: 'Current password' });
  await expect(remove).toBeDisabled();
  await password.fill('wrong');
  await remove.click();
  await expect(dialog.getByRole('alert')).toContainText('The current password is not correct');
  await expectAccessible(other, 'security-passkey-remove-refused');
  await password.fill(provider.password);
  await remove.click();
  await expect(section.locator(':focus')).toContainText('was removed');
  await expect(section).toContainText('You have no passkey yet');
  await elsewhere.close();

  await page.goto(`${provider.url}/security`);
  await expect(page).toHaveURL(/\/login/);
});

test('a passkey chosen among the suggestions for the user name signs in without a press', async ({
  page,
  stack,
}) => {
  await addDevice(page);
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('was added')).toBeVisible();
  // The device of this test chooses for its owner as soon as it is asked.
  await page.goto(`${provider.url}/logout`);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Settings' })).toBeVisible();
  await page.goto(`${provider.url}/sessions`);
  await expect(page.getByRole('list', { name: 'This device' })).toContainText('with a passkey');
});

test('a while after the sign-in the password is asked for before a passkey is made', async ({
  page,
  stack,
  providers,
}) => {
  await addDevice(page);
  await signedIn(page, stack, provider, provider.url);
  await providers.sql(
    `update user_session set created_at = $2
      where user_id = (select id from app_user where email = $1)`,
    [provider.email, new Date(Date.now() - 3_600_000)],
  );
  await page.goto(`${provider.url}/security`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByRole('textbox', { name: 'Current Password' }).fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The current password is not correct');
  await expectAccessible(page, 'security-passkey-password');
  await dialog.getByRole('textbox', { name: 'Current Password' }).fill(provider.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);
});

test('without a passkey the sign-in page says what to do', async ({ page }) => {
  const { session, id } = await addDevice(page);
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await page.goto(`${provider.url}/login`);
  await signInWithPasskey(page).click();
  await expect(page.getByText('No passkey was used')).toBeVisible();
  await expect(signInWithPasskey(page)).toBeEnabled();
});

test('a press is not lost to suggestions that are only just beginning', async ({ page }) => {
  const { session, id } = await addDevice(page);
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await page.addInitScript(() => {
    // The page asks whether there are suggestions, then the library asks again: that answer comes after the press.
    const hasPressed = Promise.withResolvers<boolean>();
    let questions = 0;
    PublicKeyCredential.isConditionalMediationAvailable = () => {
      questions += 1;
      if (questions !== 2) return Promise.resolve(true);
      document.documentElement.dataset['suggestions'] = 'beginning';
      return hasPressed.promise;
    };
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = (options) => {
      if (options?.mediation !== 'conditional') hasPressed.resolve(true);
      return get(options);
    };
  });
  await page.goto(`${provider.url}/login`);
  await expect(page.locator('html[data-suggestions="beginning"]')).toBeAttached();
  await signInWithPasskey(page).click();
  await expect(page.getByText('No passkey was used')).toBeVisible();
});
