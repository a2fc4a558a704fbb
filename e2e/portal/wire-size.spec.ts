import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** Bytes of every answer with its headers, until nothing more comes; a brand's own pictures are the brand's. */
const budgets = { signIn: 36_000, pay: 50_000 };
const brandImage = /\/v1\/brands\/\d+\/(?:logo|banner)$/;

interface Cost {
  readonly path: string;
  readonly bytes: number;
}

/** Opens an address with an empty cache and weighs what comes from its own host. */
async function weigh(page: Page, url: string, works: () => Promise<void>): Promise<Cost[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const paths = new Map<string, string>();
  const costs: Cost[] = [];
  const { host } = new URL(url);
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { host: asked, pathname } = new URL(request.url);
    if (asked === host) paths.set(requestId, pathname);
  });
  // Counts the status line and the headers as they came, beside the body.
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId);
    if (path !== undefined) costs.push({ path, bytes: encodedDataLength });
  });
  await page.goto(url);
  await works();
  await page.waitForLoadState('networkidle');
  return costs.filter(({ path }) => !brandImage.test(path));
}

function expectLight(costs: readonly Cost[], budget: number, mostScripts: number): void {
  const bytes = costs.reduce((sum, cost) => sum + cost.bytes, 0);
  const list = costs.map((cost) => `${cost.path} ${cost.bytes}`).join('\n');
  const scripts = costs.filter(({ path }) => path.endsWith('.js'));
  test.info().annotations.push({ type: 'wire', description: `${bytes} bytes\n${list}` });
  expect(scripts.length, list).toBeGreaterThan(0);
  expect(scripts.length, list).toBeLessThanOrEqual(mostScripts);
  expect(bytes, list).toBeLessThanOrEqual(budget);
}

test('the sign-in page costs at most 36 kB on the wire, and three scripts', async ({ page, providers }) => {
  const provider = await providers.add();
  const costs = await weigh(page, `${provider.url}/login`, () =>
    expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled(),
  );
  expectLight(costs, budgets.signIn, 3);
});

test('the pay page costs at most 50 kB on the wire, and three scripts beside the card fields of the gateway', async ({
  page,
  providers,
}) => {
  const provider = await providers.add({ settings: ['billingAddressRequired=true'] });
  const bill = await provider.bill('12.00');
  const costs = await weigh(page, `${provider.url}${bill.payPath}`, () =>
    expect(page.locator('iframe').first()).toBeVisible(),
  );
  expectLight(costs, budgets.pay, 4);
});
