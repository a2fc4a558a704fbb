import type { Locator, Page } from '@playwright/test';
import { otpCode } from '../../apps/api/test/fixtures/otp-code.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Provider } from '../support/provider.ts';
import { expect, newSession, type Stack, signedIn, signInByForm, test } from '../support/test.ts';

/** A code as the app shows it now; the next one is taken too, and counts where the present one was used. */
const codeNow = (secret: string, steps = 0) => otpCode(secret, new Date(), steps);

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

async function press(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Turns the factor on by the calls themselves. */
async function enrolled(stack: Stack, provider: Provider): Promise<{ secret: string; codes: string[] }> {
  const { access_token } = await newSession(stack, provider);
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${stack.port}/v1/ec/second-factor/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: T }).data;
  };
  const { secret } = await post<{ secret: string }>('enrolment', {});
  const { codes } = await post<{ codes: string[] }>('enrolment/confirm', { otp: codeNow(secret) });
  return { secret, codes };
}

/** What stands on the set-up dialog instead of the QR code, without its spaces. */
const keyIn = async (dialog: Locator) => (await dialog.locator('code').innerText()).replaceAll(/\s/g, '');

test('two-step sign-in is turned on and used by keyboard alone [decisions.4.screen.security]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await page.goto(`${provider.url}/login`);
  const signIn = async () => {
    await tabTo(page, page.getByLabel('Username'));
    await page.keyboard.type(provider.email);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type(provider.password);
    await page.keyboard.press('Enter');
  };
  await signIn();
  await press(page, page.getByRole('button', { name: 'Settings' }));
  await press(page, page.getByRole('link', { name: 'Security' }));
  await expect(page).toHaveURL(`${provider.url}/security`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Authenticator app' })).toContainText('Off');
  await expectAccessible(page, 'security-off');
  const ownData = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Download my data' }));
  expect((await ownData).suggestedFilename()).toMatch(/^data-of-.+\.zip$/);

  await press(page, page.getByRole('button', { name: 'Turn on' }));
  const scan = page.getByRole('dialog', { name: 'Turn on two-step sign-in' });
  await expect(scan.getByRole('img', { name: /^QR code/ }).locator('path')).toBeVisible();
  const secret = await keyIn(scan);
  await expectAccessible(page, 'security-scan');
  await tabTo(page, scan.getByRole('textbox', { name: 'Code' }));
  await page.keyboard.type('000 000');
  await page.keyboard.press('Enter');
  await expect(scan.getByRole('alert')).toContainText('This code is not correct');
  await expectAccessible(page, 'security-scan-refused');
  await tabTo(page, scan.getByRole('textbox', { name: 'Code' }));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(codeNow(secret));
  await page.keyboard.press('Enter');

  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(kept.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, 'security-codes');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await press(page, kept.getByRole('button', { name: 'Download' }));
  expect((await download).suggestedFilename()).toContain('recovery codes.txt');
  await press(page, kept.getByRole('button', { name: 'I have kept them' }));
  await expect(page.locator(':focus')).toContainText('Two-step sign-in is on');
  await expectAccessible(page, 'security-on');
  await expect.poll(() => stack.mailsTo(provider.email).join()).toContain('Two-step sign-in was turned on');

  await page.goto(`${provider.url}/logout`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await signIn();
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm it is you' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await expectAccessible(page, 'sign-in-code');
  await page.keyboard.type(codeNow(secret, 1));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner')).toBeVisible();
});

test('a recovery code signs in once, and turns the second step off', async ({ page, stack, providers }) => {
  const provider = await providers.add();
  const { codes } = await enrolled(stack, provider);
  await page.goto(`${provider.url}/login`);
  await signInByForm(page, provider);
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toContainText('This code is not correct');
  await expect(summary).toBeFocused();
  await expectAccessible(page, 'sign-in-code-refused');
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await signInByForm(page, provider);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  const field = page.getByRole('textbox', { name: 'Recovery code' });
  await expect(field).toBeFocused();
  await expectAccessible(page, 'sign-in-recovery');
  await field.fill(`${codes[0]}`.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner')).toBeVisible();

  await page.goto(`${provider.url}/security`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Recovery codes' })).toContainText(
    '9 of 10 are left',
  );
  await page.getByRole('button', { name: 'Turn off' }).click();
  const off = page.getByRole('dialog', { name: 'Turn off two-step sign-in?' });
  await off.getByRole('textbox', { name: 'Current password' }).fill(provider.password);
  await off.getByRole('button', { name: 'Use a recovery code' }).click();
  const act = off.getByRole('button', { name: 'Turn off' });
  await off.getByRole('textbox', { name: 'Recovery code' }).fill(`${codes[0]}`);
  await act.click();
  await expect(off.getByRole('alert')).toContainText('it was used before');
  await expectAccessible(page, 'security-turn-off');
  await off.getByRole('textbox', { name: 'Recovery code' }).fill(`${codes[1]}`);
  await act.click();
  await expect(page.locator(':focus')).toContainText('Two-step sign-in is off');
  await signedIn(page, stack, provider, provider.url);
});

test('a brand that asks for it leads to the set-up, and opens after it', async ({ page, providers }) => {
  const provider = await providers.add({ settings: ['requireSecondFactor=true'] });
  await page.goto(`${provider.url}/login?r=/invoices`);
  await signInByForm(page, provider);
  await expect(page).toHaveURL(`${provider.url}/security`);
  const notice = page.getByRole('status').filter({ hasText: 'One more step' });
  await expect(notice).toContainText(`${provider.companyName} asks everybody`);
  await expectAccessible(page, 'security-required');
  const menu = page.getByRole('navigation').getByRole('link');
  await expect(menu).toHaveCount(0);
  await page.goto(`${provider.url}/invoices`);
  await expect(page).toHaveURL(`${provider.url}/security`);

  await page.getByRole('button', { name: 'Turn on' }).click();
  const scan = page.getByRole('dialog', { name: 'Turn on two-step sign-in' });
  const secret = await keyIn(scan);
  await scan.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret));
  await scan.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Turn off' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Invoices' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
});
