import { safeRedirect } from '@counterfoil/domain/paying/redirect.ts';
import { hostileRedirects } from '@counterfoil/testing/hostile-redirects.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Provider } from '../support/provider.ts';
import { runCommand } from '../support/stack/child.ts';
import { expect, newSession, type Stack, signedIn, test } from '../support/test.ts';

const noDashboard = 'endShowDashboard=false';
const region = (page: Page) => page.getByRole('region', { name: 'Support session' });
const selector = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Customer / });
const stored = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      ['auth', 'superUser', 'current_customer_id'].map((key) => [key, globalThis.localStorage.getItem(key)]),
    ),
  );
const nothing = { auth: null, superUser: null, current_customer_id: null };

/** The link that `counterfoil login-code` prints. */
async function linkFor(stack: Stack, provider: Provider, ...more: readonly string[]): Promise<string> {
  const args = ['login-code', '--user', provider.email, '--actor', 'Sam Reed', '--reason', 'ticket 17'];
  const { code, out, err } = await runCommand([...args, ...more, '--json'], stack.env);
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { url: string }).url;
}

test('support sees the portal as the user, and everybody can tell; no password is changed; ending it ends it [portal.roles.la-without-login, portal.login-as.support-one-time-code]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: [noDashboard], moreCustomers: ['Another quay'] });
  await page.goto(await linkFor(stack, provider, '--customer', provider.customerId));
  await test.step('the link leads in, as the user and for the customer it names [portal.session.field.stored.super-user, portal.roles.super-user-login-as, portal.login-as.{screen.page,field.query.c,c-stored,success-without-r}]', async () => {
    // The dashboard, which this brand has not: the first enabled area.
    await expect(page).toHaveURL(`${provider.url}/invoices`);
    await expect(region(page)).toContainText(
      `Sam Reed is signed in as Eve Endtoend, ${provider.email}. Every change is recorded under both names.`,
    );
    await expect(selector(page)).toContainText('Customer of');
    expect(await stored(page)).toMatchObject({ superUser: 'true', current_customer_id: provider.customerId });
    await expectAccessible(page, 'support-session');
  });

  await page.goto(`${provider.url}/settings`);
  await page.getByRole('textbox', { name: 'Current Password' }).fill(provider.password);
  await page.getByRole('textbox', { name: 'New Password', exact: true }).fill('harbour-lantern-47');
  await page.getByRole('textbox', { name: 'Confirm New Password' }).fill('harbour-lantern-47');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('alert').first()).toContainText('Only the person themselves can do this');

  await selector(page).click();
  const reloaded = page.waitForEvent('load');
  await page.getByRole('option', { name: 'Another quay' }).click();
  await reloaded;
  await expect(selector(page)).toContainText('Another quay');
  await expect(region(page)).toBeVisible();

  const { auth } = await stored(page);
  const { access_token } = JSON.parse(auth ?? '{}') as { access_token: string };
  await test.step('ending the session leaves nothing [portal.guard.logout-clears-super-user]', async () => {
    await region(page).getByRole('link', { name: 'End support session' }).click();
    await expect(page).toHaveURL(`${provider.url}/login`);
    expect(await stored(page)).toEqual(nothing);
  });
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await fetch(`${stack.at('localhost')}/v1/ec/me`, { headers })).status).toBe(401);
  expect((await newSession(stack, provider)).access_token).toBeTruthy();
});

test('a code works once, takes the place of who was signed in, and goes on to r with the invoices at hand [portal.login-as.{field.query.r,success-with-r,error.failure}, decisions.2.login-code-once, portal.route.screen.{la,redirect-loader}, portal.redirect-loader.{r,preload-invoices,preload-other}]', async ({
  page,
  stack,
  providers,
  browser,
}) => {
  const provider = await providers.add({ settings: [noDashboard] });
  const other = await providers.add();
  const link = await linkFor(stack, provider, '--redirect', '/invoices?page=1');
  const before = await signedIn(page, stack, other, provider.url);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto(link);
  await expect(page).toHaveURL(`${provider.url}/invoices?page=1`);
  await expect(region(page)).toContainText(provider.email);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(calls).toContain('/redirect-loader');
  // Loaded by the redirect loader, and still there when the page is shown.
  for (const data of ['/v1/ec/invoices', '/v1/ec/me', '/v1/ec/settings']) {
    expect(calls.filter((path) => path === data)).toHaveLength(1);
  }
  const headers = { authorization: `Bearer ${before.access_token}` };
  await expect
    .poll(async () => (await fetch(`${stack.at('localhost')}/v1/ec/me`, { headers })).status)
    .toBe(401);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(link);
  await expect(elsewhere).toHaveURL(`${provider.url}/login`);
  await expect(elsewhere.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(await stored(elsewhere)).toEqual(nothing);
  await elsewhere.context().close();
});

test('only the token makes somebody support; a refused refresh and /logout forget the flag; unknown pages say so [portal.session.failed-refresh-clears-super-user, portal.guard.logout-clears-super-user, portal.route.screen.catch-all]', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  await signedIn(page, stack, provider, provider.url);
  const claim = () => page.evaluate(() => globalThis.localStorage.setItem('superUser', 'true'));
  await claim();
  await page.goto(`${provider.url}/no/such/page`);
  await expect(
    page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }),
  ).toBeVisible();
  await expect(region(page)).toHaveCount(0);
  await page.goto(`${provider.url}/logout`);
  await expect(page).toHaveURL(`${provider.url}/login`);
  expect(await stored(page)).toEqual(nothing);

  // In one go: the page leaves for /login by itself as soon as the token was refused.
  await page.evaluate(() => {
    const auth = { access_token: 'a.b.c', refresh_token: 'spent', token_type: 'Bearer', expires_in: 900 };
    globalThis.localStorage.setItem('auth', JSON.stringify(auth));
    globalThis.localStorage.setItem('superUser', 'true');
    globalThis.location.assign('/settings');
  });
  await page.waitForURL(`${provider.url}/login`);
  await expect.poll(() => stored(page).catch(() => undefined)).toEqual(nothing);
});

test('r leads to pages here and to origins the brand lists, never elsewhere; a failing preload holds nobody up [decisions.8.{redirect-own-origin,redirect-brand-origins,redirect-otherwise-landing}, portal.redirect-loader.{loader,r}]', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  cleanConsole.allow(/ApiError/);
  const listed = stack.at('listed-shop.localhost');
  const provider = await providers.add({ settings: [noDashboard, `allowedOrigins=${listed}`] });
  await signedIn(page, stack, provider, provider.url);
  const home = `${provider.url}/invoices`;
  // What this browser makes of every hostile form, and of what becomes of it.
  const origins = (texts: readonly string[]) =>
    page.evaluate(
      (all) => all.map((to) => (URL.canParse(to, location.href) ? new URL(to, location.href).origin : null)),
      texts,
    );
  const away = (await origins(hostileRedirects)).filter((one) => one !== null && one !== provider.url);
  expect(away.length).toBeGreaterThan(100);
  const followed = hostileRedirects.map((r) => safeRedirect(r, provider.url, [listed]));
  expect(new Set(await origins(followed))).toEqual(new Set([provider.url]));
  const odd = ['//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)'];
  const visits = [...odd.map((r) => ['/redirect-loader', r]), ['/login', odd[2] ?? '']];
  for (const [path = '', r = ''] of visits) {
    await page.goto(`${provider.url}${path}?${new URLSearchParams({ r })}`);
    await expect(page, `${path} ${r}`).toHaveURL(home);
  }
  const support = new URL(await linkFor(stack, provider));
  support.searchParams.set('r', '//evil.example');
  await page.goto(support.href);
  await expect(page).toHaveURL(home);

  let fail = () => {};
  const held = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route(/\/v1\/ec\/invoices\?/, async (route) => {
    await held;
    await route.fulfill({ status: 500, body: '{}' });
  });
  await page.goto(`${provider.url}/redirect-loader?r=%2Fsettings`);
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  fail();
  await expect(page).toHaveURL(`${provider.url}/settings`);
  await page.goto(`${provider.url}/redirect-loader?${new URLSearchParams({ r: `${listed}/login?x=1` })}`);
  await expect(page).toHaveURL(`${listed}/login?x=1`);
});
