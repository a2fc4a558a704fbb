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

  await test.step('one field finds customers and users, the best match chosen already', async () => {
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.press('/');
    await page.keyboard.type('lan');
    const results = page.getByRole('listbox', { name: 'Results' });
    await expect(results.getByRole('option', { selected: true })).toContainText('Lantern Works');
    await expect(field).toHaveAttribute('aria-activedescendant', /customer/);
    await expect(page.getByRole('tab', { name: 'Customers 1' })).toBeVisible();
    await expectAccessible(page, 'console-search');
    // Tab goes through the kinds while something is found, and the field keeps the focus.
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tab', { name: 'Customers 1' })).toHaveAttribute('aria-selected', 'true');
    await expect(results.getByRole('option', { selected: true })).toContainText('Lantern Works');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tab', { name: 'Invoices 0' })).toHaveAttribute('aria-selected', 'true');
    await expect(results.getByRole('option')).toHaveCount(0);
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(results).toHaveCount(0);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('nothing of that name');
    await expect(page.getByText('Nothing found for ‘nothing of that name’')).toBeVisible();
    await page.keyboard.press('Control+A');
    // Enter before the answer is there opens what is found.
    await page.keyboard.type('harb');
    await page.keyboard.press('Enter');
  });
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

  await test.step('what is held about the customer and its user is saved as a file', async () => {
    for (const [name, file] of [
      ['Harbour Office', /^data-of-harbour-office-[\d-]+\.zip$/],
      ['Mia Harbour', /^data-of-mia-harbour-[\d-]+\.zip$/],
    ] as const) {
      const saved = page.waitForEvent('download');
      await press(page, page.getByRole('button', { name: `Export the data of ${name}` }));
      expect((await saved).suggestedFilename()).toMatch(file);
    }
  });

  await press(page, page.getByRole('button', { name: 'Shut out Mia Harbour' }));
  const shutOut = page.getByRole('dialog', { name: 'Shut Mia Harbour out?' });
  await press(page, shutOut.getByRole('button', { name: 'Shut out' }));
  await expect(users.getByRole('listitem').filter({ hasText: 'Mia Harbour' })).toContainText('Shut out');
  await press(page, page.getByRole('button', { name: 'Let in again: Mia Harbour' }));
  await expect(page.getByText('Mia Harbour may sign in again.')).toBeVisible();

  await test.step('the user is erased once the name was typed', async () => {
    await press(page, page.getByRole('button', { name: 'Erase Mia Harbour' }));
    const dialog = page.getByRole('dialog', { name: 'Erase Mia Harbour for good?' });
    await expect(dialog.getByRole('button', { name: 'Erase for good' })).toBeDisabled();
    await tabTo(page, dialog.getByLabel('Type Mia Harbour to confirm'));
    await page.keyboard.type('Mia Harbour');
    await expectAccessible(page, 'console-erase', { within: 'dialog' });
    await page.keyboard.press('Enter');
    await expect(page.getByText('Mia Harbour is erased.')).toBeVisible();
    await expect(users.getByRole('listitem').filter({ hasText: 'Mia Harbour' })).toHaveCount(0);
  });

  await press(page, page.getByRole('button', { name: 'Disable' }));
  const disable = page.getByRole('dialog', { name: 'Disable Harbour Office?' });
  await press(page, disable.getByRole('button', { name: 'Disable' }));
  await expect(page.getByText('Harbour Office is disabled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expectAccessible(page, 'console-customer');

  const { out } = await runCommand(['audit', '--reseller', `${provider.resellerId}`, '--json'], stack.env);
  const { events } = JSON.parse(out) as { events: { action: string; actor: string | null }[] };
  const acts = events.filter(({ actor }) => actor === `operator:${email}`).map(({ action }) => action);
  expect(acts).toEqual(
    expect.arrayContaining([
      'customer.disabled',
      'user.added',
      'operator.joined',
      'privacy.exported',
      'privacy.erased',
    ]),
  );
});

test('an operator looks at the portal as a user, for a reason, and changes nothing there, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const { email, url } = await invitation(stack, provider, 'support');
  await follow(page, url);
  await press(page, page.getByRole('link', { name: /^Customer of / }));
  await expect(page.getByRole('heading', { level: 1, name: /^Customer of / })).toBeVisible();
  await page.keyboard.press('s');
  const form = page.getByRole('region', { name: 'Sign in as' });
  await expect(form.getByLabel('Reason')).toBeFocused();
  await expect(form.getByRole('button', { name: /^Sign in as / })).toBeDisabled();
  await page.keyboard.type('Ticket 5521');
  await expectAccessible(page, 'console-sign-in-as');
  const [portal] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  await expect(page.getByText(/^The portal opens as /)).toBeVisible();
  await expect(portal.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(portal.getByRole('region', { name: 'Support session' })).toContainText(
    'Olga Berg (look only, 15 minutes)',
  );
  const refused = await portal.evaluate(async () => {
    const stored = Object.values(localStorage).find((text) => text.includes('access_token')) ?? '{}';
    const { access_token: token } = JSON.parse(stored) as { readonly access_token: string };
    const answer = await fetch('/v1/ec/allow-reseller-charge', {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allowResellerCharge: true }),
    });
    return ((await answer.json()) as { readonly code: string }).code;
  });
  expect(refused).toBe('support.lookOnly');
  await portal.close();
  await page.reload();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByRole('listitem').filter({ hasText: 'Link made to sign in' })).toContainText(
    email,
  );
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
