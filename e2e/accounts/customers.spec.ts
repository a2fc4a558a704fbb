import type { Page } from '@playwright/test';
import { demoPassword } from '../support/demo.ts';
import { expect, newSession, signedIn, test } from '../support/test.ts';

const ada = { email: 'ada@demo.example', password: demoPassword };
const stella = { email: 'stripe@demo.example', password: demoPassword };
const selector = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Customer / });
const current = (page: Page) => page.evaluate(() => globalThis.localStorage.getItem('current_customer_id'));

test('a user of several customers chooses one; the page loads again and every call carries it [portal.session.field.stored.current_customer_id, portal.calls.customer-header, decisions.1.cache-customer-switch, portal.customers.{shown-when-several,sorted,several,switch-stores,switch-reloads,sent-always}]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, ada);
  await page.goto('/');
  await expect(selector(page)).toBeVisible();
  await selector(page).click();
  const options = page.getByRole('option');
  const labels = await options.allTextContents();
  expect(labels).toHaveLength(3);
  expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));

  const kestrel = stack.world.customers.find(({ label }) => label === 'Kestrel Parcel Logistics');
  const carried = new Set<string | null>();
  const reloaded = page.waitForEvent('load');
  await options.filter({ hasText: 'Kestrel' }).click();
  await reloaded;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/ec/') && pathname !== '/v1/ec/me') {
      carried.add(request.headers()['x-customer-id'] ?? null);
    }
  });
  await expect(selector(page)).toContainText('Kestrel Parcel Logistics');
  expect(await current(page)).toBe(kestrel?.id);
  await page.reload();
  await expect(selector(page)).toContainText('Kestrel Parcel Logistics');
  expect([...carried]).toEqual([kestrel?.id]);
});

test('the list is searched and chosen from by keyboard [portal.customers.control.selector, portal.customers.text.placeholder]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, ada);
  await page.goto('/');
  await selector(page).focus();
  await page.keyboard.press('Enter');
  const search = page.getByPlaceholder('Select customer...');
  await expect(search).toBeFocused();
  await page.keyboard.type('bookbind');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(selector(page)).toContainText('Byron & Daughters Bookbinders');
});

test('Escape closes the list and gives the focus back', async ({ page, stack }) => {
  await signedIn(page, stack, ada);
  await page.goto('/');
  await selector(page).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(selector(page)).toBeFocused();
});

test('a search without a match says so', async ({ page, stack }) => {
  await signedIn(page, stack, ada);
  await page.goto('/');
  await selector(page).click();
  await page.getByPlaceholder('Select customer...').fill('zzzz');
  await expect(page.getByRole('option')).toHaveCount(0);
});

test('it has the specified size, and a name of 200 characters stays inside [portal.customers.constant.*]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, ada);
  await page.goto('/');
  expect(await selector(page).boundingBox()).toMatchObject({ width: 250, height: 54 });
  await selector(page).click();
  const list = await page.getByRole('listbox').boundingBox();
  expect(list?.height).toBeLessThanOrEqual(450);
  await page.getByRole('option').filter({ hasText: 'Lighthouse Keepers' }).click();
  await expect(selector(page)).toContainText('The Amalgamated Northern');
  expect(await selector(page).boundingBox()).toMatchObject({ width: 250, height: 54 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('a user of one customer has no selector [portal.customers.shown-when-several]', async ({
  page,
  stack,
}) => {
  await signedIn(page, stack, stella);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible();
  await expect(selector(page)).toHaveCount(0);
});

test('a stored customer that is not the user’s is forgotten, and the page loads again once [decisions.2.customer-forgotten]', async ({
  page,
  stack,
  cleanConsole,
}) => {
  cleanConsole.allow(/This customer is not one of yours/);
  await signedIn(page, stack, stella);
  const foreign = stack.world.users.find(({ email }) => email === 'split@demo.example')?.customerIds[0] ?? '';
  await page.evaluate((id) => globalThis.localStorage.setItem('current_customer_id', id), foreign);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible();
  await expect.poll(() => current(page)).not.toBe(foreign);
  expect(loads).toBeLessThanOrEqual(2);
});

test('on a phone the menu opens with the customer first, and the page behind it is out of reach [portal.shell.control.burger]', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signedIn(page, stack, ada);
  await page.goto('/');
  const burger = page.getByRole('button', { name: 'Menu' });
  await expect(burger).toHaveAttribute('aria-expanded', 'false');
  await burger.click();
  await expect(burger).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('#main')).toHaveAttribute('inert', '');
  await expect(page.getByRole('link', { name: 'Log Out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(burger).toHaveAttribute('aria-expanded', 'false');
  await expect(burger).toBeFocused();
});

test('a window made wide while the phone menu is open shows the page again, within reach', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signedIn(page, stack, ada);
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.locator('#main')).toHaveAttribute('inert', '');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator('#main')).not.toHaveAttribute('inert', '');
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible();
});

test('of 500 customers one is found by typing, arrows and Enter; Back shows nothing of the one before', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const { number } = await provider.bill('47.11');
  await providers.sql(
    `with made as (
       insert into customer (customer_id, reseller_id, brand_id, label)
       select gen_random_uuid(), $1, $2, 'Branch ' || n || case n % 3 when 0 then ' Göteborg' else ' Malmö' end
         from generate_series(1, 499) n returning customer_id, reseller_id, brand_id, label),
     listed as (
       insert into reseller_customer (reseller_id, customer_id, brand_id, label)
       select reseller_id, customer_id, brand_id, label from made)
     insert into membership (user_id, customer_id)
     select u.id, made.customer_id from made, app_user u where u.email = $3`,
    [provider.resellerId, provider.brandId, provider.email],
  );
  await signedIn(page, stack, provider, provider.url);
  await page.evaluate((id) => localStorage.setItem('current_customer_id', id), provider.customerId);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: number }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number);

  await selector(page).focus();
  await page.keyboard.press('ArrowDown');
  const options = page.getByRole('option');
  await expect(options).toHaveCount(500);
  expect(await options.allTextContents()).toEqual(
    (await options.allTextContents()).toSorted(new Intl.Collator('en', { numeric: true }).compare),
  );
  expect((await page.getByRole('listbox').boundingBox())?.height).toBeLessThanOrEqual(450);
  await page.keyboard.type('GOTEBORG 3');
  await expect(options.first()).toHaveText('Branch 3 Göteborg');
  // Also the last character has been looked for: without it the second is Branch 6.
  await expect(options.nth(1)).toHaveText('Branch 30 Göteborg');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  const active = page.locator('[role=option][data-active]');
  const label = (await active.textContent()) ?? '';
  await expect(page.getByRole('combobox')).toHaveAttribute(
    'aria-activedescendant',
    (await active.getAttribute('id')) ?? '',
  );
  const reloaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await reloaded;
  await expect(selector(page)).toContainText(label);
  await expect(page.getByText('There is no such invoice')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/invoices$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(selector(page)).toContainText(label);
  await expect(page.getByText(number)).toHaveCount(0);

  // A browser that keeps pages in its memory shows one as it was left.
  const again = page.waitForEvent('load');
  await page.evaluate((id) => {
    localStorage.setItem('current_customer_id', id);
    globalThis.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  }, provider.customerId);
  await again;
  await expect(page.getByText(number).first()).toBeVisible();
});

test('me names the customers whatever the header says; other calls take the first by label, and refuse a foreign one [portal.customers.field.*, portal.customers.call.me, decisions.field.{2.X-Customer-Id,3.me.brandId}, decisions.2.{customer-absent,me-ignores-header}, decisions.error.2.customer-not-yours]', async ({
  stack,
}) => {
  const { access_token } = await newSession(stack, ada);
  const call = (path: string, customer?: string) =>
    fetch(`http://127.0.0.1:${stack.port}${path}`, {
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(customer !== undefined && { 'X-Customer-Id': customer }),
      },
    });
  const foreign = stack.world.users.find(({ email }) => email === 'split@demo.example')?.customerIds[0] ?? '';
  const me = await call('/v1/ec/me', foreign);
  expect(me.status).toBe(200);
  const { data } = (await me.json()) as { data: { customers: Customer[] } };
  const { customers } = data;
  expect(customers).toHaveLength(3);
  for (const one of customers) {
    expect(one).toEqual(
      expect.objectContaining({
        customerId: expect.any(String),
        label: expect.any(String),
        selected: expect.any(Boolean),
        brandId: 1,
      }),
    );
  }
  const first = customers.toSorted((a, b) => a.label.localeCompare(b.label))[0];
  const bare = (await (await call('/v1/ec/invoices')).json()) as { data: { customer: { name: string } }[] };
  expect(bare.data[0]?.customer.name).toBe(first?.label);

  const refused = await call('/v1/ec/invoices', foreign);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'customer.notYours' });
});

interface Customer {
  readonly customerId: string;
  readonly label: string;
  readonly selected: boolean;
  readonly brandId: number;
}
