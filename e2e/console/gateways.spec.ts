import { otpCode } from '../../apps/api/test/fixtures/otp-code.ts';
import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation, press, tabTo } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

/** A code works once, and one of the next half minute is taken already. */
const nextCode = (secret: string): string => otpCode(secret, new Date(Date.now() + 30_000));

test('an owner changes a gateway, has its keys checked, sees a verification pass case by case, and makes a key for a program, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Many screens, each looked at wide and narrow, light and dark, and a run of cases.
  test.slow();
  const provider = await providers.add();
  const { url } = await invitation(stack, provider, 'owner');
  const secret = await follow(page, url);

  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await expect(page.getByRole('heading', { level: 1, name: 'Gateways' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Gateways' })).toContainText('In use');
  await expectAccessible(page, 'console-gateways');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Stripe' })).toBeVisible();
  const addresses = page.getByRole('region', { name: 'Enter at the provider' });
  await expect(addresses).toContainText(`/v1/webhooks/stripe/${provider.resellerId}`);
  await expectAccessible(page, 'console-gateway');

  const settings = page.getByRole('region', { name: 'Settings' });
  const key = settings.getByLabel('Secret key');
  await expect(key).toHaveValue('');
  await tabTo(page, key);
  await page.keyboard.type('northline');
  await press(page, settings.getByRole('button', { name: 'Save settings' }));
  await expect(settings.getByRole('alert')).toContainText('“Secret key” does not fit: it must be a secret');
  await tabTo(page, key);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await tabTo(page, settings.getByRole('checkbox', { name: 'Separate card inputs' }));
  await page.keyboard.press('Space');
  await press(page, settings.getByRole('button', { name: 'Save settings' }));
  await expect(page.getByText('Settings saved.')).toBeVisible();
  await expect(settings.getByRole('checkbox', { name: 'Separate card inputs' })).toBeChecked();

  await press(page, page.getByRole('button', { name: 'Check the keys' }));
  await expect(page.getByText('Stripe: the keys work.')).toBeVisible();

  const run = page.getByRole('region', { name: 'Verification' });
  await press(page, run.getByRole('button', { name: 'Verify with test keys' }));
  const order = page.getByRole('dialog', { name: 'Verify with test keys' });
  await expectAccessible(page, 'console-verify', { within: 'dialog' });
  await press(page, order.getByRole('button', { name: 'Verify with test keys' }));
  await expect(run.getByRole('list', { name: 'Cases' })).toContainText('Passed');
  await expect(run.getByRole('status')).toHaveText(/^(\d+) of \1 passed$/, { timeout: 120_000 });
  await expectAccessible(page, 'console-verified');

  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('table', { name: 'Operators' })).toContainText('Olga Berg (You)');
  await expectAccessible(page, 'console-operators');
  await tabTo(page, page.getByRole('tab', { name: 'Operators' }));
  await page.keyboard.press('ArrowRight');
  await press(page, page.getByRole('button', { name: 'Add a key' }));
  const adding = page.getByRole('dialog', { name: 'Add a key' });
  await tabTo(page, adding.getByLabel('What it is for'));
  await page.keyboard.type('erp');
  await tabTo(page, adding.getByRole('checkbox', { name: 'customers:read' }));
  await page.keyboard.press('Space');
  await tabTo(page, adding.getByLabel('Code of your authenticator app'));
  await page.keyboard.type(nextCode(secret));
  await expectAccessible(page, 'console-add-key', { within: 'dialog' });
  await press(page, adding.getByRole('button', { name: 'Make the key' }));
  const once = page.getByRole('dialog', { name: 'Secret of erp' });
  const made = await once.locator('code').innerText();
  const call = await page.request.get(`${stack.url}/v1/admin/customers`, {
    headers: { authorization: `Bearer ${made}` },
  });
  expect(call.status()).toBe(200);
  await expectAccessible(page, 'console-secret', { within: 'dialog' });
  await press(page, once.getByRole('button', { name: 'Done' }));
  await expect(page.getByRole('table', { name: 'API keys' })).toContainText('customers:read');
  await expectAccessible(page, 'console-keys');
  await tabTo(page, page.getByRole('tab', { name: 'API keys' }));
  await page.keyboard.press('End');
  await expect(page.getByRole('list', { name: 'Where you are signed in' })).toContainText('This one');
  await expectAccessible(page, 'console-my-sessions');
});
