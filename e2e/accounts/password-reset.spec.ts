import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { linkInMail } from '../support/link-mail.ts';
import type { Provider } from '../support/provider.ts';
import { expect, newSession, signedIn, signInByForm, test } from '../support/test.ts';

let provider: Provider;
const NEW = 'harbour-lantern-47';

test.beforeEach(async ({ providers }) => {
  provider = await providers.add();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function openLink(page: Page, stack: Parameters<typeof linkInMail>[0]): Promise<void> {
  await page.goto(`${provider.url}/login`);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(provider.email);
  await page.getByRole('button', { name: 'Request a new password' }).click();
  await expect(heading(page, 'Check your e-mail')).toBeVisible();
  const link = await linkInMail(stack, provider.email, '/reset-password/');
  expect(link.origin).toBe(provider.url);
  await page.goto(link.href);
  await expect(heading(page, 'Reset your password')).toBeVisible();
}

test('from the forgotten password by mail to a new one, which signs in [portal.reset.screen.page, portal.route.screen.reset-password]', async ({
  page,
  stack,
}) => {
  const before = await newSession(stack, provider);
  await page.goto(`${provider.url}/login`);
  await test.step('an address is asked for [portal.login.{screen.state-2,control.forgot-link,state.1-to-2}]', async () => {
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(heading(page, 'Reset your password')).toBeFocused();
  });
  const request = page.getByRole('button', { name: 'Request a new password' });
  await test.step('nothing is requested without it [portal.login.{field.email,field.state.email,control.request-reset,request-reset-disabled,reset-email-required}]', async () => {
    await expect(request).toBeDisabled();
    await page.getByLabel('E-mail').fill('   ');
    await expect(request).toBeDisabled();
    await page.getByLabel('E-mail').fill(provider.email);
    await expectAccessible(page, 'reset-request');
  });
  await test.step('the request is confirmed, whoever asked [portal.login.{screen.state-3,state.2-to-3}, portal.reset.text.request-info]', async () => {
    await request.click();
    await expect(
      page.getByText(
        'Password reset email will be sent to the associated email address. If you not received this email please check your username and try again, or contact support',
      ),
    ).toBeVisible();
    await expectAccessible(page, 'reset-sent');
  });
  await test.step('Continue leads back to the sign-in [portal.login.{control.continue,state.3-to-1-continue}]', async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
  });

  const link = await linkInMail(stack, provider.email, '/reset-password/');
  await page.goto(link.href);
  const password = page.getByRole('textbox', { name: 'New Password' });
  const update = page.getByRole('button', { name: 'Update Password' });
  await test.step('a short or common password is not taken [portal.reset.{field.newPassword,min-length}]', async () => {
    await password.fill('12345');
    await expect(update).toBeDisabled();
    await password.fill('123456');
    await update.click();
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await expect(summary).toContainText('This password is too common. Please choose another');
    await expect(summary).toBeFocused();
    await expectAccessible(page, 'reset-password-refused');
  });
  await test.step('a good one is, and the form makes room for the words of success [portal.reset.{control.update,text.success,form-until-end,success-hides-form}]', async () => {
    await password.fill(NEW);
    await expectAccessible(page, 'reset-password');
    await update.click();
    await expect(
      page.getByText(
        'Your password has been reset successfully! Your new password has been sent to your primary email address. Click "Back to Login" to return to the login page.',
      ),
    ).toBeVisible();
    await expect(password).toHaveCount(0);
    await expect(page.locator(':focus')).toContainText('Your password has been reset successfully!');
    await expectAccessible(page, 'reset-password-done');
  });
  const headers = { authorization: `Bearer ${before.access_token}` };
  expect((await fetch(`http://127.0.0.1:${stack.port}/v1/ec/me`, { headers })).status).toBe(401);
  await test.step('and signs in [portal.reset.control.back]', async () => {
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await signInByForm(page, { email: provider.email, password: NEW });
    await expect(page.getByRole('banner')).toBeVisible();
  });

  await test.step('the link does not work twice [portal.reset.{failure-message,error.expired}]', async () => {
    await page.goto(link.href);
    await password.fill(`${NEW}!`);
    await update.click();
    await expect(page.getByText('Your change password session has expired. Please try again.')).toBeVisible();
    await expect(password).toHaveCount(0);
  });
});

test("'Log in' leads back from the request and from its confirmation [portal.login.control.log-in-link, portal.login.state.2-to-1, portal.login.state.3-to-1-log-in]", async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  const forgot = page.getByRole('button', { name: 'Forgot your password?' });
  const logIn = page.getByRole('button', { name: 'Log in', exact: true });
  await forgot.click();
  await logIn.click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await forgot.click();
  const email = page.getByLabel('E-mail');
  await email.fill(`nobody.${provider.email}`);
  // In the field: the form has the focus moved once it is there, which may be after it was filled.
  await email.press('Enter');
  await expect(heading(page, 'Check your e-mail')).toBeVisible();
  await logIn.click();
  await expect(heading(page, 'Sign in')).toBeVisible();
});

test('a failing server shows the banner and keeps what was typed [portal.reset.form-until-end]', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/^ApiError: x/); // a failure is logged (portal §8)
  await openLink(page, stack);
  await page.route('**/v1/ec/password-reset', (route) =>
    route.fulfill({ status: 503, json: { code: 'server.unavailable', message: 'x' } }),
  );
  const password = page.getByRole('textbox', { name: 'New Password' });
  await password.fill(NEW);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible();
  await expect(password).toHaveValue(NEW);
});

test('whoever is signed in here is signed out by the new password', async ({ page, stack }) => {
  await openLink(page, stack);
  const link = page.url();
  await signedIn(page, stack, provider, provider.url);
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New Password' }).fill(NEW);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your password has been reset successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Login' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
});
