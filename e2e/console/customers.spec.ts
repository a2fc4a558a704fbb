import { otpCode } from '../../apps/api/test/fixtures/otp-code.ts';
import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, operatorPassword, press, tabTo } from '../support/console.ts';
import { runCommand } from '../support/stack/child.ts';
import { expect, signedIn, test } from '../support/test.ts';

test('an operator follows the invitation, signs in again, finds a customer, invites a user and disables the customer, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark.
  test.slow();
  const provider = await providers.add({ moreCustomers: ['Harbour Office', 'Lantern Works'] });
  const { email, url } = await invitation(stack, provider, 'owner');
  await page.goto(url);
  await expect(page.getByRole('img', { name: 'QR code of the key' }).locator('path')).toBeVisible();
  await expectAccessible(page, 'console-invitation');
  const secret = await follow(page, url);
  await expectAccessible(page, 'console-customers');
  await press(page, page.getByRole('button', { name: 'Sign out' }));
  await expect(page.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible();

  await test.step('a wrong code is refused, in words that do not tell which was wrong', async () => {
    await tabTo(page, page.getByLabel('E-mail address'));
    await page.keyboard.type(email);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type(operatorPassword);
    await tabTo(page, page.getByLabel('Code of your authenticator app'));
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('E-mail address, password or code is not right');
    await expectAccessible(page, 'console-sign-in');
  });
  await tabTo(page, page.getByLabel('Code of your authenticator app'));
  // The code of the next half minute: the present one was used by the invitation.
  await page.keyboard.type(otpCode(secret, new Date(), 1));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /a person$/ })).toBeVisible();
  await goTo(page, 'c', 'Customers');

  await page.keyboard.press('/');
  await page.keyboard.type('harb');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await press(page, page.getByRole('link', { name: 'Harbour Office' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Office' })).toBeVisible();

  await page.keyboard.press('u');
  const invite = page.getByRole('dialog', { name: 'Invite a user' });
  await tabTo(page, invite.getByLabel('E-mail address'));
  await page.keyboard.type(`mia-${provider.resellerId}@harbour.example`);
  await tabTo(page, invite.getByLabel('Name'));
  await page.keyboard.type('Mia Harbour');
  await expectAccessible(page, 'console-invite', { within: 'dialog' });
  await page.keyboard.press('Enter');
  const users = page.getByRole('list', { name: 'Users' });
  await expect(users.getByRole('listitem').filter({ hasText: 'Mia Harbour' })).toContainText('Invited');
  await expect.poll(() => stack.mailsTo(`mia-${provider.resellerId}@harbour.example`).length).toBe(1);

  await press(page, page.getByRole('button', { name: 'Shut out Mia Harbour' }));
  const shutOut = page.getByRole('dialog', { name: 'Shut Mia Harbour out?' });
  await press(page, shutOut.getByRole('button', { name: 'Shut out' }));
  await expect(users.getByRole('listitem').filter({ hasText: 'Mia Harbour' })).toContainText('Shut out');
  await press(page, page.getByRole('button', { name: 'Let in again: Mia Harbour' }));
  await expect(page.getByText('Mia Harbour may sign in again.')).toBeVisible();

  await press(page, page.getByRole('button', { name: 'Disable' }));
  const disable = page.getByRole('dialog', { name: 'Disable Harbour Office?' });
  await press(page, disable.getByRole('button', { name: 'Disable' }));
  await expect(page.getByText('Harbour Office is disabled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expectAccessible(page, 'console-customer');

  const { out } = await runCommand(['audit', '--reseller', `${provider.resellerId}`, '--json'], stack.env);
  const { events } = JSON.parse(out) as { events: { action: string; actor: string | null }[] };
  const acts = events.filter(({ actor }) => actor === `operator:${email}`).map(({ action }) => action);
  expect(acts).toEqual(expect.arrayContaining(['customer.disabled', 'user.added', 'operator.joined']));
});

test('who may only read is offered nothing that changes; a customer’s session opens no page of the console', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ moreCustomers: ['Harbour Office'] });
  const { url } = await invitation(stack, provider, 'readOnly');
  await follow(page, url);
  await page.getByRole('link', { name: 'Harbour Office' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Office' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  const path = new URL(page.url()).pathname;
  await page.goto(`${stack.url}${path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`);
  await expect(page.getByText('This customer is not known')).toBeVisible();

  await page.context().clearCookies();
  await signedIn(page, stack, provider);
  await page.goto(`${stack.url}/admin/customers`);
  await expect(page.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible();
});
