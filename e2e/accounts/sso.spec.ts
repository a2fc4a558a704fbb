import { type IdentityProvider, startIdentityProvider } from '@counterfoil/testing/identity-provider.ts';
import type { Page } from '@playwright/test';
import { setCompany } from '../../apps/api/src/features/admin/companies.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Provider } from '../support/provider.ts';
import { expect, test } from '../support/test.ts';

let provider: Provider;
let identity: IdentityProvider;
let company: string;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add();
  identity = await startIdentityProvider({ redirectUris: [`${provider.url}/sso/callback`] });
  company = `Harbour ${provider.resellerId}`;
  const { issuer, clientId, clientSecret } = identity;
  const change = {
    resellerId: provider.resellerId,
    customerIds: [provider.customerId],
    clientId,
    clientSecret,
  };
  await providers.db.transaction(async (tx) => {
    await setCompany(tx, providers.secrets, { ...change, name: company, issuer }, new Date());
    const { resellerId } = provider;
    await setCompany(tx, providers.secrets, { resellerId, name: `${company} without` }, new Date());
  });
});
test.afterAll(() => identity.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const settings = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^(Settings|Menu)$/ })
    .first();
/** The provider's own page. */
const atProvider = async (page: Page) => {
  await expect(heading(page, 'Company sign-in')).toBeVisible();
  expect(new URL(page.url()).origin).toBe(identity.issuer);
};

test('by company name, through the company’s own page, into the portal; the code stays in no address [portal.login.{screen.state-4,field.company,control.company-link,state.1-to-4}, portal.sso.field.login.{b,ct}]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  await page.getByRole('button', { name: 'I know my company name!' }).click();
  await expect(heading(page, 'Sign in with your company')).toBeFocused();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('Enter your company name');
  await page.getByLabel('Company name').fill(company.toUpperCase());
  const started = page.waitForRequest((request) => new URL(request.url()).pathname === '/sso/login');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(Object.fromEntries(new URL((await started).url()).searchParams)).toEqual({
    b: company.toUpperCase(),
    ct: '2',
  });
  await atProvider(page);
  await page.getByLabel('Address').fill(provider.email);
  // The server takes its time, so that what is shown meanwhile can be seen.
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/token', async (route) => {
    await mayGoOn;
    await route.continue();
  });
  const trade = page.waitForRequest(`${provider.url}/token`);
  await page.getByRole('button', { name: 'Continue' }).click();
  const form = new URLSearchParams((await trade).postData() ?? '');
  expect(form.get('redirect_uri')).toBe(`${provider.url}/login`);
  await expect(page.getByText('Signing you in…')).toBeVisible();
  await expect(page).toHaveURL(`${provider.url}/login`);
  goOn();
  await expect(settings(page)).toBeVisible();
  const code = form.get('code') ?? '';
  expect(code).not.toBe('');
  expect(await page.evaluate(() => globalThis.localStorage.getItem('superUser'))).toBe('false');
  // Nor does Back find it: before the portal stands the company's page.
  await page.goBack();
  expect(new URL(page.url()).origin).toBe(identity.issuer);
});

test('a link with b leads on by itself, and r is where it ends [portal.login.field.query.{b,r}, portal.sso.field.login.{b,r}, decisions.2.call.sso-login]', async ({
  page,
}) => {
  const started = page.waitForRequest((request) => new URL(request.url()).pathname === '/sso/login');
  await page.goto(
    `${provider.url}/login?${new URLSearchParams({ b: company, r: '/no-such-page?sort=due' })}`,
  );
  expect(Object.fromEntries(new URL((await started).url()).searchParams)).toEqual({
    b: company,
    ct: '2',
    r: '/no-such-page?sort=due',
  });
  await atProvider(page);
  await page.getByLabel('Address').fill(provider.email);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${provider.url}/no-such-page?sort=due`);
  await expect(settings(page)).toBeVisible();
});

test('each error opens the company form with its words, the company still in the field [portal.login.{field.query.e,state.4-to-1}, portal.sso.error.*, portal.sso.errors-open-company-form]', async ({
  page,
}) => {
  const alert = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  const name = page.getByLabel('Company name');
  await page.goto(`${provider.url}/login?b=Nobody+Ltd&r=%2Fusage`);
  await expect(alert).toContainText('The Company does not exist or blocked');
  await expect(alert).toBeFocused();
  await expect(name).toHaveValue('Nobody Ltd');
  await expect(heading(page, 'Sign in with your company')).toBeVisible();
  await expectAccessible(page, 'company-refused');
  await name.fill(`${company} without`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(alert).toContainText('The Company does not have SSO authentication');
  await expect(page).toHaveURL(/r=%2Fusage/);
  await name.fill(company);
  await page.getByRole('button', { name: 'Continue' }).click();
  await atProvider(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(alert).toContainText('Authentication failed');
  await expect(name).toHaveValue(company);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expect(alert).toHaveCount(0);

  await page.goto(`${provider.url}/login?code=made-up&r=%2Fusage`);
  await expect(
    page.getByText('This sign-in has expired or was used already. Please sign in again'),
  ).toBeVisible();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expect(page).toHaveURL(`${provider.url}/login?r=%2Fusage`);
});

test('by keyboard alone: a password where the company requires single sign-on leads there [portal.login.state.{1-to-4,4-to-1}, portal.sso.on-400-with-brand-header, decisions.2.field.X-Brand-Company]', async ({
  page,
  providers,
}) => {
  const domain = `harbour${provider.resellerId}.example`;
  const change = { resellerId: provider.resellerId, name: company, domains: [domain], requiresSso: true };
  await providers.db.transaction((tx) => setCompany(tx, providers.secrets, change, new Date()));
  await page.goto(`${provider.url}/login`);
  const company4 = page.getByRole('button', { name: 'I know my company name!' });
  for (
    let presses = 0;
    presses < 8 && !(await company4.evaluate((one) => one === document.activeElement));
    presses += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Sign in with your company')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Company name')).toBeFocused();
  await expectAccessible(page, 'company');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Sign in')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(`anybody@${domain}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('any password');
  await page.keyboard.press('Enter');
  await atProvider(page);
  await page.keyboard.type(provider.email);
  await page.keyboard.press('Enter');
  await expect(settings(page)).toBeVisible();
});
