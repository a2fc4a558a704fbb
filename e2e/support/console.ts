import { expect, type Locator, type Page } from '@playwright/test';
import { otpCode } from '../../apps/api/test/fixtures/otp-code.ts';
import type { Provider } from './provider.ts';
import { runCommand } from './stack/child.ts';
import type { Stack } from './test.ts';

export const operatorPassword = 'seven grey herons';

/** The link that `counterfoil operator add` prints. @param isWide of the whole installation, not of the provider alone */
export async function invitation(stack: Stack, provider: Provider, role: string, isWide = false) {
  const email = `${role}-${provider.resellerId}@provider.example`.toLowerCase();
  const named = ['operator', 'add', '--email', email, '--name', 'Olga Berg', '--role', role];
  const whose = isWide ? ['--installation'] : ['--reseller', `${provider.resellerId}`];
  const args = [...named, ...whose, '--json'];
  const { code, out, err } = await runCommand(args, stack.env);
  if (code !== 0) throw new Error(err);
  return { email, url: (JSON.parse(out) as { url: string }).url };
}

/** Follows an invitation to its end, and goes on to the customers. @returns the secret of the authenticator app */
export async function follow(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await expect(page.getByRole('img', { name: 'QR code of the key' }).locator('path')).toBeVisible();
  const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '');
  await page.getByRole('textbox', { name: 'Choose a password' }).fill(operatorPassword);
  await page
    .getByRole('textbox', { name: 'Enter the code that the app shows' })
    .fill(otpCode(secret, new Date()));
  await page.getByRole('button', { name: 'Start' }).click();
  // A password is hashed, and the console is loaded for the first time.
  await expect(page.getByRole('heading', { level: 1, name: /a person$/ })).toBeVisible({ timeout: 30_000 });
  await goTo(page, 'c', 'Customers');
  return secret;
}

/** Goes to a place of the console by its key. */
export async function goTo(page: Page, key: string, heading: string | RegExp): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}

/** Comes to an element as somebody without a mouse would. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Comes to a button or link and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
