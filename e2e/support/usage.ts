import type { Service } from '@counterfoil/contract/service-items.ts';
import type { RecordType, UsagePage, UsageSummary } from '@counterfoil/contract/usage.ts';
import { usagePreset } from '@counterfoil/domain/time/period.ts';
import type { Locator, Page } from '@playwright/test';
import { demoPassword } from './demo.ts';
import type { Providers } from './provider.ts';
import { type Auth, expect, newSession, type Person, type Stack } from './test.ts';

/** The demo customer with 250,000 records. */
const FLEET = 'Kestrel Parcel Logistics';
const ada = { email: 'ada@demo.example', password: demoPassword };

type Query = Readonly<Record<string, string | number | undefined>>;

/** That customer, and what the calls answer about it. */
export interface UsageWorld {
  readonly auth: Auth;
  readonly customerId: string;
  readonly url: string;
  readonly services: readonly Service[];
  readonly recordTypes: readonly RecordType[];
  readonly lastMonth: { readonly dateFrom: string; readonly dateTo: string };
  readonly daysOfLastMonth: number;
  serviceNamed(name: string): Service;
  summary(query: Query): Promise<UsageSummary>;
  /** The first page of a hundred, unless the query says otherwise. */
  list(query: Query): Promise<UsagePage>;
}

/** @param person of that customer; preferences are their own */
export async function usageWorld(stack: Stack, person: Person = ada): Promise<UsageWorld> {
  const auth = await newSession(stack, person);
  const customerId = stack.world.customers.find(({ label }) => label === FLEET)?.id;
  if (customerId === undefined) throw new Error(`the demo world has no ${FLEET}`);
  const headers = { authorization: `Bearer ${auth.access_token}`, 'x-customer-id': customerId };
  const ask = async <T>(path: string, query: Query = {}): Promise<T> => {
    const url = new URL(path, `http://127.0.0.1:${stack.port}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`${url.pathname}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
  const { start, end } = usagePreset('lastMonth', new Date());
  const services = await ask<readonly Service[]>('/v1/ec/services');
  return {
    auth,
    customerId,
    services,
    url: stack.url,
    recordTypes: await ask('/v1/ec/record-types'),
    lastMonth: { dateFrom: start, dateTo: end },
    daysOfLastMonth: Number(end.slice(8)),
    serviceNamed(name) {
      const found = services.find((service) => service.name === name);
      if (found === undefined) throw new Error(`the demo world has no service ${name}`);
      return found;
    },
    summary: (query) => ask('/v1/ec/usage/summary', query),
    list: (query) => ask('/v1/ec/usage', { pageNumber: 1, ...query }),
  };
}

/** Another user of that customer. */
export async function colleagueOfAda(providers: Providers): Promise<Person> {
  const email = `colleague${Date.now()}@e2e.example`;
  await providers.sql(
    `with one as (
       insert into app_user (id, reseller_id, email, display_name, password_hash)
       select gen_random_uuid(), reseller_id, $2, 'Colleague', password_hash from app_user where email = $1
       returning id)
     insert into membership (user_id, customer_id)
     select one.id, m.customer_id from one, membership m join app_user u on u.id = m.user_id where u.email = $1`,
    [ada.email, email],
  );
  return { email, password: demoPassword };
}

/** Opens a page as the user of that customer. */
export async function openUsage(page: Page, world: UsageWorld, path: string): Promise<void> {
  await page.goto(`${world.url}/healthz`);
  await page.evaluate(
    ([auth, customerId]) => {
      globalThis.localStorage.setItem('auth', auth);
      globalThis.localStorage.setItem('current_customer_id', customerId);
    },
    [JSON.stringify(world.auth), world.customerId] as const,
  );
  await page.goto(`${world.url}${path}`);
}

/** Rows of the list. */
export const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Usage', exact: true }).locator('tbody').getByRole('row');
/** Both counted from 0. */
export const cell = (page: Page, row: number, column: number): Locator =>
  rows(page).nth(row).getByRole('cell').nth(column);
export const head = (page: Page, name: string): Locator =>
  page.getByRole('columnheader', { name, exact: true });
/** A figure of the totals, by its label. */
export const total = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Totals' }).locator('div', { hasText: name }).locator('dd');
export const grouped = (figure: number): string => new Intl.NumberFormat('en-GB').format(figure);
/** As the screen writes a usage price. */
export const price = (figure: number): string =>
  `$${new Intl.NumberFormat('en-GB', { minimumFractionDigits: 4, maximumFractionDigits: 4 }).format(figure)}`;
/** Options of a select. */
export const options = (page: Page, label: string): Promise<string[]> =>
  page.getByLabel(label, { exact: true }).getByRole('option').allTextContents();

/** Nothing is on its way any more. */
export const settled = (page: Page) => expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
