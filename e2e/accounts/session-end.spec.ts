import type { Page } from '@playwright/test';
import type { Provider } from '../support/provider.ts';
import { type Auth, expect, type Stack, signedIn, signInByForm, test } from '../support/test.ts';

/** The session ends while somebody types: what was typed is there again for them, and for nobody else. */
let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({
    currency: 'AUD',
    settings: ['directDebitPaymentMethodId=1', 'partPayment=true'],
  });
});

test.beforeEach(({ cleanConsole }) => cleanConsole.allow(/ApiError|ended/));

/** Ends the session as its running out does: neither token is worth anything any more. */
async function endSession(page: Page, stack: Stack, auth: Auth): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${stack.port}/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'counterfoil-portal', token: auth.refresh_token }),
  });
  expect(response.ok).toBe(true);
  const spent = JSON.stringify({ ...auth, access_token: `${auth.access_token.slice(0, -4)}AAAA` });
  await page.evaluate((text) => globalThis.localStorage.setItem('auth', text), spent);
}

const ended = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Your session has ended. Sign in to go on.' });

test('a report dialog: its dates are there again after signing in', async ({ page, stack }) => {
  const auth = await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/reports`);
  const open = () => page.getByRole('button', { name: /^Generate Payments/ }).click();
  const dialog = page.getByRole('dialog');
  const from = dialog.getByLabel('From');
  const to = dialog.getByLabel('To', { exact: true });
  await open();
  await from.fill('2026-03-04');
  await to.fill('2026-03-31');
  await endSession(page, stack, auth);
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(ended(page)).toBeVisible();
  await signInByForm(page, provider);
  await expect(page).toHaveURL(`${provider.url}/reports`);
  await open();
  await expect(from).toHaveValue('2026-03-04');
  await expect(to).toHaveValue('2026-03-31');
});

test('a bank form: name and address are there again, numbers of the account are not kept', async ({
  page,
  stack,
}) => {
  const auth = await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/payment-types`);
  const dialog = page.getByRole('dialog');
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const open = () => page.getByRole('button', { name: 'Add Bank Account' }).first().click();
  await open();
  await field('Account holder name').fill('Ada Nakamura');
  await field('Email').fill('ada@mail.example');
  await field('BSB').fill('000-000');
  await field('Account number').fill('000123456');
  await dialog.getByRole('checkbox').check();
  await endSession(page, stack, auth);
  await dialog.getByRole('button', { name: 'Add Bank Account', exact: true }).click();
  await expect(ended(page)).toBeVisible();
  const kept = await page.evaluate(() => globalThis.sessionStorage.getItem('counterfoil.typed') ?? '');
  expect(kept).toContain('Ada Nakamura');
  expect(kept).not.toMatch(/000123456|000-000/);
  await signInByForm(page, provider);
  await expect(page).toHaveURL(`${provider.url}/payment-types`);
  await open();
  await expect(field('Account holder name')).toHaveValue('Ada Nakamura');
  await expect(field('Email')).toHaveValue('ada@mail.example');
  await expect(field('Account number')).toHaveValue('');
});

test('somebody else who signs in on the tab sees nothing of it, nor does the tab keep it', async ({
  page,
  stack,
  providers,
}) => {
  const other = await providers.add();
  const auth = await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/reports`);
  await page.getByRole('button', { name: /^Generate Payments/ }).click();
  await page.getByRole('dialog').getByLabel('From').fill('2026-03-04');
  await page.getByRole('dialog').getByLabel('To', { exact: true }).fill('2026-03-31');
  await endSession(page, stack, auth);
  await page.getByRole('dialog').getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(ended(page)).toBeVisible();
  await signInByForm(page, other);
  await expect(page).toHaveURL(`${provider.url}/reports`);
  await page.getByRole('button', { name: /^Generate Payments/ }).click();
  await expect(page.getByRole('dialog').getByLabel('From')).toHaveValue('');
  expect(await page.evaluate(() => globalThis.sessionStorage.getItem('counterfoil.typed'))).toBeNull();
});
