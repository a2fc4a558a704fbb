import { expectAccessible } from '../support/accessible.ts';
import type { Provider } from '../support/provider.ts';
import { expect, newSession, signedIn, signInByForm, test } from '../support/test.ts';

let provider: Provider;
const NEW = 'harbour-lantern-47';

test.beforeEach(async ({ providers, page, stack }) => {
  provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
});

test('the password is changed from the Settings menu; this session stays, others end [portal.product.change-password]', async ({
  page,
  stack,
}) => {
  const other = await newSession(stack, provider);
  await page.goto(`${provider.url}/`);
  await test.step('the Settings menu leads there [portal.shell.control.settings.change-password, portal.route.screen.settings, portal.account.screen.change-password]', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(`${provider.url}/settings`);
    await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
    await expectAccessible(page, 'change-password');
  });
  const submit = page.getByRole('button', { name: 'Change Password' });
  const old = page.getByRole('textbox', { name: 'Current Password' });
  const password = page.getByRole('textbox', { name: 'New Password', exact: true });
  const confirm = page.getByRole('textbox', { name: 'Confirm New Password' });
  await test.step('both new passwords must be the same [portal.account.{field.newPassword,field.newPasswordConfirmation,disabled-unless-equal,error.no-match}]', async () => {
    await expect(submit).toBeDisabled();
    await old.fill('wrong');
    await password.fill(NEW);
    await confirm.fill('harbour');
    await expect(page.getByText("Password confirmation doesn't match")).toBeVisible();
    await expect(submit).toBeDisabled();
    await confirm.fill(NEW);
    await expect(page.getByText("Password confirmation doesn't match")).toHaveCount(0);
  });
  await test.step('the present one must be right [portal.account.field.oldPassword, decisions.error.7.wrong-old-password]', async () => {
    await submit.click();
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await expect(summary).toContainText('The current password is not correct');
    await expect(summary).toBeFocused();
    await expectAccessible(page, 'change-password-refused');
  });
  await test.step('with it the new one is set [portal.account.text.success]', async () => {
    await old.fill(provider.password);
    await submit.click();
    await expect(page.getByText('Your password was successfully updated')).toBeVisible();
    await expect(page.locator(':focus')).toContainText('Your password was successfully updated');
    await expect(old).toHaveValue('');
    await expectAccessible(page, 'change-password-done');
  });
  const headers = { authorization: `Bearer ${other.access_token}` };
  expect((await fetch(`http://127.0.0.1:${stack.port}/v1/ec/me`, { headers })).status).toBe(401);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  await expect.poll(() => stack.mailsTo(provider.email).length).toBe(1);
  await page.goto(`${provider.url}/logout`);
  await signInByForm(page, { email: provider.email, password: NEW });
  await expect(page.getByRole('banner')).toBeVisible();
});

test('who signed in with a password that was made for them is led to choose their own', async ({
  page,
  providers,
}) => {
  await providers.sql(
    "update app_user set password_expires_at = now() + interval '3 days' where email = $1",
    [provider.email],
  );
  await page.goto(`${provider.url}/`);
  await expect(page).toHaveURL(`${provider.url}/settings`);
  await expect(page.getByText('Please choose a password of your own.')).toBeVisible();
  await expectAccessible(page, 'change-made-password');
  await page.getByRole('textbox', { name: 'Current Password' }).fill(provider.password);
  await page.getByRole('textbox', { name: 'New Password', exact: true }).fill(NEW);
  await page.getByRole('textbox', { name: 'Confirm New Password' }).fill(NEW);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.locator(':focus')).toContainText('Your password was successfully updated');
  await expect(page.getByText('Please choose a password of your own.')).toHaveCount(0);
  await page.goto(`${provider.url}/`);
  await expect(page).not.toHaveURL(`${provider.url}/settings`);
});

test('the strength meter is loaded when a password is typed, and rates it [portal.account.control.strength-meter, portal.account.text.{meter-bad,meter-weak,meter-decent,meter-strong,meter-great}]', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(`${provider.url}/settings`);
  const password = page.getByRole('textbox', { name: 'New Password', exact: true });
  await expect(password).toBeVisible();
  expect(scripts.filter((url) => url.includes('estimator'))).toEqual([]);
  const meter = page.getByRole('meter', { name: 'Password strength' });
  for (const [typed, word] of [
    ['h4r!', 'Bad'],
    ['harbour', 'Weak'],
    ['harbourl4', 'Decent'],
    ['harbour-lan', 'Strong'],
    ['harbour-lantern-47', 'Great'],
  ] as const) {
    await password.fill(typed);
    await expect(meter).toHaveAttribute('aria-valuetext', word);
    await expect(page.getByText(word, { exact: true })).toBeVisible();
  }
  expect(scripts.filter((url) => url.includes('estimator'))).toHaveLength(1);
});

test('submit waits for all three fields and at least six characters [portal.account.{old-required,new-required,confirmation-required,disabled-unless-long}]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/settings`);
  const submit = page.getByRole('button', { name: 'Change Password' });
  const old = page.getByRole('textbox', { name: 'Current Password' });
  const password = page.getByRole('textbox', { name: 'New Password', exact: true });
  const confirm = page.getByRole('textbox', { name: 'Confirm New Password' });
  await password.fill('abcdef');
  await confirm.fill('abcdef');
  await expect(submit).toBeDisabled();
  await old.fill('x');
  await expect(submit).toBeEnabled();
  await password.fill('abcde');
  await confirm.fill('abcde');
  await expect(submit).toBeDisabled();
  await password.fill('');
  await confirm.fill('');
  await expect(submit).toBeDisabled();
});
