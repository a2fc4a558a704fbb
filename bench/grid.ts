import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { billingOf } from '../e2e/support/billing.ts';
import { type Provider, Providers } from '../e2e/support/provider.ts';
import { PortalStack } from '../e2e/support/stack/portal-stack.ts';
import { findBrowser } from '../tools/browser.ts';
import { buildWeb } from '../tools/web-build.ts';
import { printFigure, quantile } from './support/figure.ts';
import { interactionsOf, type Seen, shiftOf, watchPaints } from './support/paint-watch.ts';

/**
 * What a person waits for between pressing something in a grid and seeing it: sorting, leafing and choosing, by the
 * browser's own event timing, in real pages on the real server. Pages show 25 rows; the same pages are measured once
 * more with 100 rows a page, which only the served script is told. A figure beyond its limit makes the exit code 1.
 */
const ROWS = 240;
const LIMIT_MS = 50;
const SHARE = 0.98;
/** What the browser tells apart; `Task` is all of it, with the painting and what Playwright looks for. */
const parts = ['Task', 'Script', 'Layout', 'RecalcStyle'] as const;
/** Shifts within half a second of an input are that input's own; later ones are nobody's wish. */
const AFTER_INPUT_MS = 600;
const sizes = [25, 100] as const;

interface GridPage {
  readonly name: string;
  readonly path: string;
  readonly sortBy: readonly string[];
  readonly hasSelection: boolean;
}

const pages: readonly GridPage[] = [
  { name: 'transactions', path: '/transactions', sortBy: ['Product', 'Price'], hasSelection: false },
  {
    name: 'cost centres',
    path: '/cost-centre?service=all',
    sortBy: ['Service Item', 'Description'],
    hasSelection: true,
  },
];

if ((await buildWeb()) !== 0) throw new Error('the portal could not be built');
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
const stack = await PortalStack.start({ folder, hasDemo: false });
const providers = new Providers(stack.facts);
try {
  const provider = await providers.add();
  await fill(provider);
  const { executablePath, env, args } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args: [...args],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(watchPaints);
    const page = await context.newPage();
    const inspector = await context.newCDPSession(page);
    // By the processor time of the page's thread: what else runs on the machine adds nothing to it.
    await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
    await signIn(page, provider);
    for (const size of sizes) {
      if (size !== 25) await raisePageSize(page, size);
      for (const grid of pages) await measure({ page, inspector }, provider, grid, size);
    }
  } finally {
    await browser.close();
  }
} finally {
  await providers.end();
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A provider's customer with that many service items and lines of this month. */
async function fill(provider: Provider): Promise<void> {
  const make = billingOf(providers, provider);
  const serviceId = await make.service('Line');
  const agreementId = await make.agreement('Agreement', '2024-01-01');
  const from = new Date().toISOString().slice(0, 10);
  const start = `${from.slice(0, 8)}01`;
  await make.period(agreementId, start, `${from.slice(0, 8)}28`);
  for (let at = 0; at < ROWS; at += 1) {
    // Spread, so that no column is in order already.
    const place = (at * 7919) % ROWS;
    const name = `09 555 ${String(place).padStart(4, '0')}`;
    const serviceItemId = await make.item(serviceId, name, `Desk ${place % 31}`, `Team ${place % 12}`);
    await make.line({ agreementId, serviceItemId, name: `Rental ${place}`, from: start, amount: place * 37 });
  }
}

async function signIn(page: Page, provider: Provider): Promise<void> {
  await page.goto(`${provider.url}/login`);
  await page.getByLabel('Username').fill(provider.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(provider.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Serves the portal's scripts with more rows a page than the specification gives its grids. */
async function raisePageSize(page: Page, size: number): Promise<void> {
  // Lists that are here as a whole, and those that the server pages.
  const pattern = /(mode:\s*[`"']client[`"'],\s*size:\s*|\bsize(?::\s*\w+)?\s*=\s*)25\b/g;
  await page.route(/\.js$/, async (route) => {
    // A host below localhost is known to the browser alone; scripts are the same at every host.
    const url = new URL(route.request().url());
    url.hostname = 'localhost';
    const response = await route.fetch({ url: url.href });
    const body = (await response.text()).replace(pattern, `$1${size}`);
    await route.fulfill({ response, body });
  });
}

/** Presses everything there is to press until more than a hundred interactions are seen, and prints the figures. */
async function measure(
  { page, inspector }: { readonly page: Page; readonly inspector: CDPSession },
  provider: Provider,
  grid: GridPage,
  size: number,
): Promise<void> {
  await page.goto(`${provider.url}${grid.path}`);
  const rows = page.locator('tbody tr');
  await rows.nth(size - 1).waitFor();
  const shown = await rows.count();
  if (shown !== size) throw new Error(`${grid.name} shows ${shown} rows in place of ${size}`);
  await page.waitForTimeout(AFTER_INPUT_MS);
  const sort = (name: string) =>
    page.getByRole('columnheader', { name, exact: true }).getByRole('button').click();
  const turn = (name: RegExp) => page.getByRole('button', { name }).first().click();
  const kinds: Record<string, (() => Promise<void>)[]> = {
    sort: [...grid.sortBy, ...grid.sortBy].map((name) => () => sort(name)),
    page: [() => turn(/^Next/), () => turn(/^Previous/)],
  };
  if (grid.hasSelection)
    kinds['select all'] = [0, 1].map(() => () => page.locator('thead').getByRole('checkbox').click());
  const steps = Object.values(kinds).flat();
  const rounds = Math.ceil(104 / steps.length);
  const before = await processorOf(inspector);
  for (let round = 0; round < rounds; round += 1) for (const step of steps) await step();
  await page.waitForTimeout(AFTER_INPUT_MS);
  const after = await processorOf(inspector);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  const interactions = interactionsOf(seen, rounds * steps.length);
  const latencies = interactions.map(({ duration }) => duration);
  const what = `${grid.name}, ${size} of ${ROWS} rows`;
  const waits = `${Object.keys(kinds).join(', ')}: input to next paint, 98 % of ${latencies.length}`;
  print(`${what}: ${waits}`, quantile(latencies, SHARE), 'ms', LIMIT_MS);
  print(`${what}: layout shift from loading on`, shiftOf(seen), 'CLS', 0);
  const spent = parts.map(
    (part) => `${part} ${((after[part] - before[part]) / steps.length / rounds).toFixed(1)}`,
  );
  process.stderr.write(`${what}: processor time of the page's thread, ms a step: ${spent.join(', ')}\n`);
  for (const { duration, waited, worked } of interactions.slice(0, 3)) {
    const [wait, work] = [Math.round(waited), Math.round(worked)];
    process.stderr.write(
      `${what}: ${duration} ms: waiting ${wait}, working ${work}, painting ${duration - wait - work}\n`,
    );
  }
  for (const shift of seen.shifts) process.stderr.write(`${what}: moved ${shift.value}: ${shift.what}\n`);
}

/** Milliseconds so far. */
async function processorOf(inspector: CDPSession): Promise<Record<(typeof parts)[number], number>> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  const ms = (part: string) => 1_000 * (metrics.find(({ name }) => name === `${part}Duration`)?.value ?? 0);
  return { Task: ms('Task'), Script: ms('Script'), Layout: ms('Layout'), RecalcStyle: ms('RecalcStyle') };
}

function print(figure: string, value: number, unit: string, limit: number): void {
  printFigure({ bench: 'grid', figure, value, unit, limit, isMost: true });
  if (value > limit) process.exitCode = 1;
}
