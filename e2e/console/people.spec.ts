import { startIdentityProvider } from '@counterfoil/testing/identity-provider.ts';
import { otpCode } from '../../apps/api/test/fixtures/otp-code.ts';
import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, operatorPassword, press, tabTo } from '../support/console.ts';
import { addDevice } from '../support/device.ts';
import { linkInMail } from '../support/link-mail.ts';
import { expect, test } from '../support/test.ts';

/** A code works once, and one of the next half minute is taken already. */
const nextCode = (secret: string): string => otpCode(secret, new Date(Date.now() + 30_000));

test('an owner invites an operator, withdraws that and removes them; a forgotten password comes by mail, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const { email, url } = await invitation(stack, provider, 'owner');
  const secret = await follow(page, url);
  await goTo(page, 'o', 'Operators and keys');
  await press(page, page.getByRole('button', { name: 'Add an operator' }));
  const adding = page.getByRole('dialog', { name: 'Add an operator' });
  await tabTo(page, adding.getByLabel('E-mail address'));
  await page.keyboard.type(`nora-${provider.resellerId}@provider.example`);
  await tabTo(page, adding.getByLabel('Name', { exact: true }));
  await page.keyboard.type('Nora New');
  await tabTo(page, adding.getByLabel('Code of your authenticator app'));
  await page.keyboard.type(nextCode(secret));
  await press(page, adding.getByRole('button', { name: 'Invite' }));
  const link = page.getByRole('dialog', { name: 'Invitation for Nora New' });
  await expect(link.locator('code')).toContainText('/admin/invitation/');
  await press(page, link.getByRole('button', { name: 'Done' }));
  const row = page.getByRole('table', { name: 'Operators' }).getByRole('row', { name: /Nora New/ });
  await expect(row).toContainText('Invited');
  await press(page, row.getByRole('button', { name: 'Withdraw the invitation of Nora New' }));
  const asked = page.getByRole('dialog', { name: 'Withdraw the invitation of Nora New?' });
  await press(page, asked.getByRole('button', { name: 'Withdraw' }));
  await expect(row).toContainText('No way in');
  await expectAccessible(page, 'console-operators-withdrawn');
  await press(page, row.getByRole('button', { name: 'Remove Nora New' }));
  const removing = page.getByRole('dialog', { name: 'Remove Nora New?' });
  await press(page, removing.getByRole('button', { name: 'Remove' }));
  await expect(page.getByText('Nora New is removed')).toBeVisible();
  await expect(row).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto(`${stack.url}/admin/sign-in`);
  await press(page, page.getByRole('link', { name: 'Forgot your password?' }));
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expectAccessible(page, 'console-forgotten');
  await tabTo(page, page.getByLabel('E-mail address'));
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`If ${email} has access`)).toBeVisible();
  const { href } = await linkInMail(stack, email, '/admin/password/');
  await page.goto(href);
  const password = page.getByRole('textbox', { name: 'Choose a password' });
  await expect(password).toBeVisible();
  await expectAccessible(page, 'console-new-password');
  await tabTo(page, password);
  await page.keyboard.type(`${operatorPassword} more`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password is changed')).toBeVisible();
  await page.goto(href);
  await tabTo(page, password);
  await page.keyboard.type(`${operatorPassword} else`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This link is not valid any more')).toBeVisible();
});

test('an operator adds a passkey, signs in by it alone and removes it, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Each screen is looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const { url } = await invitation(stack, provider, 'support');
  await addDevice(page);
  await follow(page, url);
  await goTo(page, 'o', 'Operators and keys');
  const own = page.getByRole('region', { name: 'Your passkeys' });
  await press(page, own.getByRole('button', { name: 'Add a passkey' }));
  await expect(page.getByText('The passkey Chrome on Linux was added')).toBeVisible();
  await expectAccessible(page, 'console-passkeys');
  await press(page, own.getByRole('button', { name: 'Add a passkey' }));
  await expect(own).toContainText('has a passkey for you already');
  await press(page, own.getByRole('button', { name: 'Rename Chrome on Linux' }));
  const renaming = page.getByRole('dialog', { name: 'Rename Chrome on Linux' });
  await tabTo(page, renaming.getByLabel('Name'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Laptop');
  await page.keyboard.press('Enter');
  await expect(own.getByRole('listitem')).toContainText('Laptop');

  await press(page, page.getByRole('button', { name: 'Sign out', exact: true }));
  const byPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(byPasskey).toBeVisible();
  await expectAccessible(page, 'console-sign-in');
  await press(page, byPasskey);
  await expect(page.getByRole('heading', { level: 1, name: /a person$/ })).toBeVisible();
  await goTo(page, 'o', 'Operators and keys');
  await expect(page.getByRole('list', { name: 'Where you are signed in' })).toContainText('by passkey');
  await press(page, own.getByRole('button', { name: 'Remove Laptop' }));
  await press(
    page,
    page.getByRole('dialog', { name: 'Remove Laptop?' }).getByRole('button', { name: 'Remove' }),
  );
  await expect(own).toContainText('You have none yet');
});

test('an owner sets up single sign-on and tests it; an operator signs in by it, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Each screen is looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add();
  const support = await invitation(stack, provider, 'support');
  const { url } = await invitation(stack, provider, 'owner');
  const redirectUris = [`${stack.url}/v1/operator/sso/callback`];
  const identity = await startIdentityProvider({ redirectUris });
  const name = `staff ${provider.resellerId}`;
  try {
    const secret = await follow(page, url);
    await page.goto(`${stack.url}/admin/operators?tab=sso`);
    await press(page, page.getByRole('button', { name: 'Set up single sign-on' }));
    const setting = page.getByRole('dialog', { name: 'Set up single sign-on' });
    for (const [label, text] of [
      ['Name', name],
      ['Issuer', identity.issuer],
      ['Client ID', identity.clientId],
      ['Client secret', identity.clientSecret],
      ['Code of your authenticator app', nextCode(secret)],
    ] as const) {
      await tabTo(page, setting.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    }
    await expectAccessible(page, 'console-sso-dialog', { within: 'dialog' });
    await press(page, setting.getByRole('button', { name: 'Save' }));
    await expect(page.getByText(`Single sign-on ${name} is saved`)).toBeVisible();
    const part = page.getByRole('region', { name: 'Single sign-on' });
    await expect(part).toContainText(redirectUris[0] ?? '');
    await expectAccessible(page, 'console-sso');
    await press(page, part.getByRole('button', { name: `Test ${name}` }));
    const tested = page.getByRole('dialog', { name: `Test of ${name}` });
    await expect(tested.getByText('Yes', { exact: true })).toHaveCount(3);
    await expectAccessible(page, 'console-sso-test', { within: 'dialog' });
    await press(page, tested.getByRole('button', { name: 'Close' }));

    await page.context().clearCookies();
    await page.goto(`${stack.url}/admin/sign-in`);
    const byName = async () => {
      await press(page, page.getByRole('button', { name: 'Single sign-on of your company' }));
      await tabTo(page, page.getByLabel('Name of the single sign-on'));
      await page.keyboard.type(name);
    };
    await byName();
    await expectAccessible(page, 'console-sign-in-sso');
    await page.keyboard.press('Enter');
    await page.getByLabel('Address').fill('stranger@provider.example');
    await page.keyboard.press('Enter');
    await expect(page.getByText('the console does not know you')).toBeVisible();
    await page.context().clearCookies();
    await byName();
    await page.keyboard.press('Enter');
    await page.getByLabel('Address').fill(support.email);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /a person$/ })).toBeVisible();
    await goTo(page, 'o', 'Operators and keys');
    await expect(page.getByRole('list', { name: 'Where you are signed in' })).toContainText(
      'by single sign-on',
    );
  } finally {
    await identity.stop();
  }
});
