import type { Locator, Page } from '@playwright/test';
import { demoPassword } from './demo.ts';
import { quiet } from './quiet.ts';
import { expect, type Stack, signedIn } from './test.ts';

const person = { email: 'stripe@demo.example', password: demoPassword };

/** A page of the portal, or something that opens on one. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Opens what hangs on the page. @returns false where there is nothing of the kind at this width */
  readonly open?: (page: Page) => Promise<boolean>;
}

/** Without a session. */
const OUTSIDE = ['/login', '/reset-password/none', '/finish-registration/none'];
const SIGNED_IN = [
  '/dashboard',
  '/invoices',
  '/transactions',
  '/usage',
  '/reports',
  '/cost-centre',
  '/service-items',
  '/cost-centre?tab=summary',
  '/statement',
  '/payment-types',
  '/security',
  '/sessions',
  '/settings',
];

const payPath = ({ world }: Stack): string =>
  new URL(world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null)?.payLink ?? '')
    .pathname;

/** Waits until a page has what it asked for. */
export async function arrived(page: Page): Promise<void> {
  await quiet(page);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** Opens every page in turn, signed in where that is needed; the first invoice of the list and paying several at once are among them. */
export async function everyPage(
  page: Page,
  stack: Stack,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const visit = async (path: string, name = path) => {
    await page.goto(`${stack.url}${path}`);
    await arrived(page);
    await look(name);
  };
  for (const path of OUTSIDE) await visit(path);
  await visit(payPath(stack), '/pay');
  await signedIn(page, stack, person);
  for (const path of SIGNED_IN) await visit(path);
  await page.goto(`${stack.url}/invoices`);
  const invoice = page.locator('main a[href^="/invoices/"]').first();
  await visit((await invoice.getAttribute('href')) ?? '', '/invoices/{id}');
  await page.goto(`${stack.url}/invoices`);
  await page
    .getByRole('checkbox', { name: /^Select HAL/ })
    .first()
    .check();
  await page.getByRole('button', { name: 'Pay', exact: true }).first().click();
  await expect(page).toHaveURL(/\/bulk-pay\?id=/);
  await arrived(page);
  await look('/bulk-pay');
}

const press =
  (find: (page: Page) => Locator) =>
  async (page: Page): Promise<boolean> => {
    const button = find(page).filter({ visible: true }).first();
    if ((await button.count()) === 0) return false;
    await button.click();
    return true;
  };
const button = (name: string | RegExp) => press((page) => page.getByRole('button', { name }));

/** What opens over a page or in it: menus, dialogs, pickers, the bar of what is chosen. */
const OPENED: readonly Screen[] = [
  { name: 'menu', path: '/dashboard', open: button('Menu') },
  { name: 'settings', path: '/dashboard', open: button(/^Settings/) },
  { name: 'customers', path: '/dashboard', open: button(/^Customer/) },
  { name: 'chart as table', path: '/dashboard', open: button(/^Show as table: Last/) },
  { name: 'columns', path: '/invoices', open: button('Columns') },
  {
    name: 'selection',
    path: '/invoices',
    open: press((page) => page.getByRole('checkbox', { name: /^Select HAL/ })),
  },
  {
    name: 'period',
    path: '/transactions',
    open: press((page) => page.locator('main [aria-haspopup=listbox]')),
  },
  { name: 'CSV options', path: '/transactions', open: button('CSV options') },
  {
    name: 'connections',
    path: '/usage',
    open: press((page) => page.locator('main [aria-haspopup=listbox]')),
  },
  { name: 'dates', path: '/usage?timeframe=dates&from=2026-10-01&to=2026-10-31', open: async () => true },
  { name: 'top 10', path: '/usage', open: button('Top 10 by price') },
  { name: 'days as table', path: '/usage', open: button(/^Show as table/) },
  { name: 'report', path: '/reports', open: button('Generate Top destinations') },
  { name: 'edit item', path: '/cost-centre', open: button(/^Edit /) },
  { name: 'changes', path: '/cost-centre', open: button('Recent changes') },
  {
    name: 'assign',
    path: '/cost-centre',
    open: press((page) => page.locator('main').getByRole('checkbox')),
  },
  { name: 'add card', path: '/payment-types', open: button('Add Card') },
  { name: 'add account', path: '/payment-types', open: button('Add Bank Account') },
  { name: 'second factor', path: '/security', open: button('Turn on') },
  { name: 'passkey', path: '/security', open: button('Add a passkey') },
  {
    name: 'invoice usage',
    path: '/invoices/{id}',
    open: press((page) => page.getByRole('tab', { name: 'Usage' })),
  },
  { name: 'records of a line', path: '/invoices/{id}', open: button(/^\d+ records? of/) },
];

/**
 * Opens whatever opens, signed in, one after another.
 * @param look gives false where it could not see all it looks for
 * @param except names of what need not be opened
 * @returns names of what was seen
 */
export async function everythingOpened(
  page: Page,
  stack: Stack,
  look: (name: string) => Promise<unknown>,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  await signedIn(page, stack, person);
  const invoice = stack.world.invoices.find(({ number }) => number === 'HAL-202610-001')?.id ?? '';
  const seen: string[] = [];
  for (const { name, path, open } of OPENED.filter((one) => !except.includes(one.name))) {
    await page.goto(`${stack.url}${path.replace('{id}', invoice)}`);
    await arrived(page);
    if (!(await open?.(page))) continue;
    await quiet(page);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    if ((await look(`${path.split('?')[0]} · ${name}`)) !== false) seen.push(name);
  }
  return seen;
}
