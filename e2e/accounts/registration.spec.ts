import { sql } from '../../apps/api/src/db/sql.ts';
import { enqueueRegistrationMail } from '../../apps/api/src/features/auth/mail-queue.ts';
import { expectAccessible } from '../support/accessible.ts';
import { linkInMail } from '../support/link-mail.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signInByForm, test } from '../support/test.ts';

let provider: Provider;
let link: URL;
const GOOD = 'Harbour!47lantern';

test.beforeEach(async ({ providers, stack, page }) => {
  provider = await providers.add();
  await providers.db.transaction(async (tx) => {
    const { id } = await tx.one<{ id: string }>(sql`
      update app_user set password_hash = null where email = ${provider.email} returning id`);
    await enqueueRegistrationMail(tx, id);
  });
  link = await linkInMail(stack, provider.email, '/finish-registration/');
  expect(link.origin).toBe(provider.url);
  await page.goto(link.href);
});

test('a new user sets the password and signs in; the link works once [payments.registration.{screen.page,purpose}, payments.registration.text.*, portal.route.screen.finish-registration]', async ({
  page,
}) => {
  await expect(page.getByRole('heading', { level: 1, name: 'User Registration' })).toBeVisible();
  await expect(
    page.getByText(
      'Password should be at least 8 characters long and include a mix of uppercase and lowercase letters, numbers, and special characters.',
    ),
  ).toBeVisible();
  const finish = page.getByRole('button', { name: 'Finish Registration' });
  await test.step('two times the same good password finish it [payments.registration.{field.password,field.confirmation,control.finish,state.initial,state.success}]', async () => {
    await expect(finish).toBeDisabled();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(GOOD);
    await page.getByRole('textbox', { name: 'Confirm Password' }).fill(GOOD);
    await expectAccessible(page, 'registration');
    await finish.click();
    await expect(
      page.getByText('Registration complete! Click "Back to Login" to return to the login page.'),
    ).toBeVisible();
    await expect(finish).toHaveCount(0);
    await expectAccessible(page, 'registration-done');
  });
  await test.step('and sign in [payments.registration.control.back]', async () => {
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await signInByForm(page, { email: provider.email, password: GOOD });
    await expect(page.getByRole('banner')).toBeVisible();
  });

  await test.step('the link does not work twice [payments.registration.{error.expired,state.failure}, decisions.7.registration-token-single-use]', async () => {
    await page.goto(link.href);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(GOOD);
    await page.getByRole('textbox', { name: 'Confirm Password' }).fill(GOOD);
    await finish.click();
    await expect(page.getByText('Your registration session has expired. Please try again.')).toBeVisible();
    await expect(finish).toHaveCount(0);
  });
});

test('the messages come one by one, in their order, once both fields are filled [payments.registration.{confirmation-matches,error.short,error.no-uppercase,error.no-lowercase,error.no-number,error.no-special,error.no-match,message-order,error-when-both-filled,disabled-until-valid}]', async ({
  page,
}) => {
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  const confirm = page.getByRole('textbox', { name: 'Confirm Password' });
  const finish = page.getByRole('button', { name: 'Finish Registration' });
  await password.fill('a');
  await expect(page.getByText('Password shorter than 8 characters.')).toHaveCount(0);
  await confirm.fill('b');
  for (const [typed, message] of [
    ['a', 'Password shorter than 8 characters.'],
    ['harbours', "Password don't include at least one uppercase letter."],
    ['HARBOURS', "Password don't include at least one lowercase letter."],
    ['Harbours', "Password don't include at least one number."],
    ['Harbour4', "Password don't include at least one special character."],
    [GOOD, 'Passwords do not match.'],
  ] as const) {
    await password.fill(typed);
    await expect(page.getByText(message)).toBeVisible();
    await expect(finish).toBeDisabled();
  }
  await expectAccessible(page, 'registration-refused');
  await confirm.fill(GOOD);
  await expect(page.getByText('Passwords do not match.')).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: ': met' })).toHaveCount(5);
  await expect(finish).toBeEnabled();
});
