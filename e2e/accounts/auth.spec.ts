import type { Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, signInByForm, statusOfMe, test } from '../support/test.ts';

let provider: Provider;

test.beforeAll(async ({ providers }) => {
  provider = await providers.add({ settings: ['allowedOrigins=http://elsewhere.localhost:9'] });
});

/** The signed-in shell: whose portal it is, and a way out. */
const shell = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^(Settings|Menu)$/ })
    .first();

test('a good sign-in leads into the portal of the reseller @external [decisions.0.whole-portal, portal.login.{screen.state-1,field.username,field.password,control.sign-in,state.redirect-after-success,field.state.username,field.state.password}, portal.session.{field.claim.resellername,reseller-name-in-header,field.stored.auth}, decisions.2.one-origin, portal.route.screen.login]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveTitle(/^Sign in/);
  await signInByForm(page, provider);
  await expect(shell(page)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText(`Reseller ${provider.resellerId}`);
  const stored = await page.evaluate(() => ({ ...globalThis.localStorage }));
  expect(JSON.parse(stored['auth'] ?? '{}')).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  expect(stored['superUser']).toBe('false');
});

test('the demo sign-in works at the demo address', async ({ page, stack }) => {
  await page.goto(`${stack.url}/login`);
  await signInByForm(page, { email: 'stripe@demo.example', password: demoPassword });
  await expect(shell(page)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Halyard Telecom');
});

test('a wrong password and an unknown user are refused with the same words [portal.login.{field.state.error_description,error.server-text,error.default-text}]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  for (const email of [provider.email, 'nobody@e2e.example']) {
    await signInByForm(page, { email, password: 'wrong password' });
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await expect(summary).toContainText('Invalid username or password');
    await expect(summary).toBeFocused();
    await expect(page).toHaveURL(/\/login$/);
  }
  expect(await page.evaluate(() => globalThis.localStorage.getItem('auth'))).toBeNull();
});

test('username and password are required [portal.login.username-required, portal.login.password-required]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toContainText('Enter your username');
  await expect(summary).toContainText('Enter your password');
  await summary.getByRole('link', { name: 'Enter your password' }).click();
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused();
});

test('by keyboard alone, with the password shown and hidden [portal.login.control.show-password, portal.login.field.state.passwordType]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/login`);
  const password = page.getByRole('textbox', { name: 'Password' });
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type(provider.email);
  await page.keyboard.press('Tab');
  await expect(password).toBeFocused();
  await page.keyboard.type(provider.password);
  await expect(password).toHaveAttribute('type', 'password');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'text');
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'password');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(shell(page)).toBeVisible();
});

test('pressing Sign In twice signs in once', async ({ page }) => {
  await page.goto(`${provider.url}/login`);
  let calls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/token')) calls += 1;
  });
  await page.getByLabel('Username').fill(provider.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(provider.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).dblclick();
  await expect(shell(page)).toBeVisible();
  expect(calls).toBe(1);
});

test('a sign-in empties the fields, and the form is back at its first state [portal.login.state.reset-after-success, portal.login.state.fields-cleared]', async ({
  page,
}) => {
  // What stands in the form when its page is left for the portal.
  await page.addInitScript(() => {
    globalThis.addEventListener('pagehide', () => {
      const values = [...document.querySelectorAll('input')].map((field) => field.value);
      const form = [document.querySelector('h1')?.textContent, ...values];
      if (values.length > 0) globalThis.sessionStorage.setItem('form', JSON.stringify(form));
    });
  });
  await page.goto(`${provider.url}/login`);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await signInByForm(page, provider);
  await expect(shell(page)).toBeVisible();
  const left = await page.evaluate(() => globalThis.sessionStorage.getItem('form'));
  expect(JSON.parse(left ?? '')).toEqual(['Sign in', '', '']);
  await page.goto(`${provider.url}/logout`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('');
});

test('a failing server shows the banner, which can be closed [portal.shell.error.banner, portal.shell.control.banner-close, portal.shell.failure-logged]', async ({
  page,
  cleanConsole,
}) => {
  cleanConsole.allow(/^ApiError: x/); // a failure is logged (portal §8)
  await page.route('**/token', (route) => route.fulfill({ status: 503, json: { message: 'x' } }));
  await page.goto(`${provider.url}/login`);
  await signInByForm(page, provider);
  const banner = page.getByText('Our server returned error, try again later');
  await expect(banner).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(banner).toHaveCount(1);
  await page.getByRole('button', { name: /close/i }).click();
  await expect(banner).toHaveCount(0);
});

test('a protected page asks to sign in and is shown afterwards, with its query [portal.login.destination, portal.roles.two-states, portal.guard.{protected-to-login,protected-remembers-origin}, portal.shell.no-session]', async ({
  page,
}) => {
  await page.goto(`${provider.url}/no-such-page?sort=due`);
  await expect(page).toHaveURL(`${provider.url}/login`);
  await signInByForm(page, provider);
  await expect(page).toHaveURL(`${provider.url}/no-such-page?sort=due`);
});

for (const [r, to] of [
  ['/no-such-page', '/no-such-page'],
  ['https://evil.example/x', undefined],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['javascript:alert(1)', undefined],
] as const) {
  test(`signed in, /login goes on to r when it is safe: ${r} [portal.login.destination, portal.guard.login-only-to-r, portal.guard.login-only-to-landing]`, async ({
    page,
    stack,
  }) => {
    await signedIn(page, stack, provider, provider.url);
    await page.goto(`${provider.url}/login?r=${encodeURIComponent(r)}`);
    await expect(shell(page)).toBeVisible();
    expect(new URL(page.url()).origin).toBe(provider.url);
    if (to !== undefined) await expect(page).toHaveURL(`${provider.url}${to}`);
    else await expect(page).not.toHaveURL(/evil|javascript|login/);
  });
}

test('/redirect-loader follows a safe r and refuses an unsafe one', async ({ page, stack }) => {
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/redirect-loader?r=/no-such-page`);
  await expect(page).toHaveURL(`${provider.url}/no-such-page`);
  await page.goto(`${provider.url}/redirect-loader?r=https://evil.example`);
  await expect(shell(page)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(provider.url);
});

test('any other path is the catch-all page', async ({ page, stack }) => {
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/no/such/page`);
  await expect(
    page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }),
  ).toBeVisible();
  await expect(shell(page)).toBeVisible();
});

test('logging out clears the browser and ends the session on the server, in every tab [portal.guard.{screen.logout,logout-clears-auth,logout-clears-customer,logout-to-login}, portal.route.screen.logout, portal.shell.control.{settings,settings.log-out}]', async ({
  page,
  context,
  stack,
}) => {
  const auth = await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/`);
  await expect(shell(page)).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${provider.url}/`);
  await expect(shell(other)).toBeVisible();

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(`${provider.url}/login`);
  await expect(other).toHaveURL(`${provider.url}/login`);
  const left = await page.evaluate(() => Object.keys(globalThis.localStorage));
  expect(left).not.toEqual(expect.arrayContaining(['auth']));
  expect(left).not.toEqual(expect.arrayContaining(['current_customer_id']));
  expect(left).not.toEqual(expect.arrayContaining(['superUser']));
  expect(await statusOfMe(stack, auth.access_token)).toBe(401);
});

test('a session ended elsewhere leads to sign-in at the next call', async ({ page, stack, providers }) => {
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/`);
  await expect(shell(page)).toBeVisible();
  await providers.sql(
    `update user_session set ended_at = now(), end_reason = 'password'
      where user_id = (select id from app_user where email = $1)`,
    [provider.email],
  );
  await page.reload();
  await expect(page).toHaveURL(`${provider.url}/login`);
  expect(await page.evaluate(() => globalThis.localStorage.getItem('auth'))).toBeNull();
});

test('an expired token is refreshed once for calls at the same time, in one tab and in two [portal.session.refresh-once]', async ({
  page,
  context,
  stack,
}) => {
  const auth = await signedIn(page, stack, provider, provider.url);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${provider.url}/`);
    await expect(shell(tab)).toBeVisible();
  }
  // As if its 15 minutes were over: the server refuses it, the refresh token is still good.
  const stale = JSON.stringify({ ...auth, access_token: `${auth.access_token.slice(0, -4)}AAAA` });
  await page.evaluate((text) => globalThis.localStorage.setItem('auth', text), stale);
  let refreshes = 0;
  const refused = new Set<Page>();
  const bothRefused = Promise.withResolvers<void>();
  context.on('response', (response) => {
    if (response.status() === 401) refused.add(response.frame().page());
    if (refused.size === 2) bothRefused.resolve();
  });
  // The first refresh is not answered before the other tab needs one, too.
  await context.route('**/token', async (route) => {
    refreshes += 1;
    await bothRefused.promise;
    await route.continue();
  });
  await Promise.all([page.reload(), other.reload()]);
  await expect(shell(page)).toBeVisible();
  await expect(shell(other)).toBeVisible();
  expect(refreshes).toBe(1);
});

test('a refresh that is refused logs out locally [portal.session.{failed-refresh-clears-auth,failed-refresh-clears-customer,error.failed-refresh-logs-out}, portal.roles.two-states]', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/Your session has ended/);
  const auth = await signedIn(page, stack, provider, provider.url);
  const broken = JSON.stringify({ ...auth, access_token: 'x.y.z', refresh_token: 'no-such-token' });
  await page.evaluate((text) => {
    globalThis.localStorage.setItem('auth', text);
    globalThis.localStorage.setItem('current_customer_id', 'x');
    globalThis.localStorage.setItem('superUser', 'true');
  }, broken);
  await page.goto(`${provider.url}/`);
  await expect(page).toHaveURL(`${provider.url}/login`);
  const left = await page.evaluate(() => Object.keys(globalThis.localStorage));
  expect(left.filter((key) => ['auth', 'current_customer_id', 'superUser'].includes(key))).toEqual([]);
});
