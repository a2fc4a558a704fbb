import type { Page } from '@playwright/test';
import { cutCells } from '../support/cut-cells.ts';
import { demoPassword } from '../support/demo.ts';
import { type FontName, fonts, useFont } from '../support/fonts.ts';
import { isLongRun } from '../support/long-run.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';
import { openUsage, usageWorld } from '../support/usage.ts';

const person = { email: 'stripe@demo.example', password: demoPassword };
/** Usual windows, and some between them: where cards become a table differs from grid to grid. */
const widths = [320, 390, 480, 640, 768, 900, 1024, 1120, 1280, 1600, 2560];
/** Where the widest font is readable, so is a narrower one of the same grid, but for what the grid measures itself. */
const widest: FontName = 'DejaVu Sans';
const widthsOfOthers = isLongRun ? widths : [390, 1280];
/** Of 26 characters, which are always shown. */
const NUMBER = 'INV-2026-WM-000123456-WMW1';
const AMOUNT = 1_284_916.25;

type Rows = Record<string, unknown>[];

interface GridPage {
  readonly name: string;
  readonly path: string;
  /** Columns of descriptions and sites. */
  readonly shortened?: readonly string[];
  /** What says nothing on a card. */
  readonly tableOnly?: readonly string[];
  /** What the server answers at this address, made as wide as providers have it. */
  readonly wide?: readonly [path: RegExp, change: (data: never) => void];
  /** Brings the grid up. */
  readonly open?: (page: Page) => Promise<void>;
  readonly table: string | RegExp;
}

const wideInvoice = (rows: Rows) => Object.assign(rows[0] ?? {}, { number: NUMBER });

const wideCosts = ({ currencies }: { currencies: { costCentres: Rows }[] }) =>
  Object.assign(currencies[0]?.costCentres[0] ?? {}, { amount: AMOUNT, tax: AMOUNT / 10, total: AMOUNT });
const job = {
  id: '018cc251-f400-7000-930f-b5aab322e3c8',
  status: 30,
  path: 'a'.repeat(24),
  rows: 1_284_916,
  name: 'Invoice Details',
  fileName: 'Report Invoice Details.xlsx',
  sizeBytes: 982_515_712,
  createdAt: '2026-10-28T12:48:00Z',
  finishedAt: '2026-10-28T12:49:00Z',
  expiresAt: '2026-11-28T12:48:00Z',
};

const pages: readonly GridPage[] = [
  { name: 'dashboard', path: '/dashboard', table: 'Invoices', wide: [/\/ec\/invoices$/, wideInvoice] },
  { name: 'invoices', path: '/invoices', table: 'Invoices', wide: [/\/ec\/invoices$/, wideInvoice] },
  {
    name: 'invoice lines',
    path: '/invoices',
    table: /^Lines of/,
    shortened: ['product', 'details'],
    open: openInvoice,
  },
  {
    name: 'records of an invoice line',
    path: '/invoices',
    table: /^Usage records of/,
    shortened: ['product', 'details'],
    open: async (page) => {
      await openInvoice(page);
      await page
        .getByRole('button', { name: /^\d+ records? of/ })
        .first()
        .click();
    },
  },
  {
    name: 'invoice usage',
    path: '/invoices',
    table: /^Usage of/,
    open: async (page) => {
      await openInvoice(page);
      await page.getByRole('tab', { name: 'Usage' }).click();
    },
  },
  {
    name: 'transactions',
    path: '/transactions',
    table: 'Transactions',
    shortened: ['productName', 'siteLabel'],
    wide: [/\/ec\/transactions/, (rows: Rows) => Object.assign(rows[0] ?? {}, { price: AMOUNT })],
  },
  {
    name: 'statement',
    path: '/statement?from=2024-01-01&to=2026-10-31',
    table: 'Entries',
    wide: [
      /\/ec\/statement/,
      ({ entries }: { entries: Rows }) =>
        Object.assign(entries[0] ?? {}, { amount: AMOUNT, balance: -AMOUNT, reference: NUMBER }),
    ],
  },
  {
    name: 'cost centres',
    path: '/cost-centre',
    table: 'Cost Centre Allocation',
    shortened: ['description'],
  },
  {
    name: 'cost summary',
    path: '/cost-centre?tab=summary',
    table: /^Cost by cost centre/,
    wide: [/\/ec\/cost-centres\/summary/, wideCosts],
  },
  { name: 'service items', path: '/service-items', table: /./, shortened: ['description'] },
  {
    name: 'reports',
    path: '/reports',
    table: 'Generated reports',
    wide: [/\/ec\/reports\/jobs/, (rows: Rows) => rows.splice(0, rows.length, job)],
  },
];

async function openInvoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'HAL-202610-001' }).click();
  await expect(page.getByRole('tab', { name: 'Usage' })).toBeVisible();
}

/** Every fault of the page's grids: in every font, and at every width in the widest. */
async function faultsOf(page: Page, columns: Parameters<typeof cutCells>[1]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const font of Object.keys(fonts) as FontName[]) {
    await useFont(page, font);
    for (const width of font === widest ? widths : widthsOfOthers) {
      await page.setViewportSize({ width, height: 900 });
      for (const fault of await cutCells(page, columns)) faults.push(`${font}, ${width} px: ${fault}`);
    }
  }
  return faults;
}

const table = (page: Page, name: string | RegExp) => page.getByRole('table', { name, exact: true });

async function show(page: Page, stack: Stack, grid: GridPage): Promise<void> {
  if (grid.wide) {
    const [path, change] = grid.wide;
    await page.route(path, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: never };
      change(body.data);
      await route.fulfill({ response: answer, json: body });
    });
  }
  await signedIn(page, stack, person);
  await page.goto(grid.path);
  await grid.open?.(page);
}

for (const grid of pages) {
  test(`nothing essential is cut at any width in any font: ${grid.name}`, async ({ page, stack }) => {
    await show(page, stack, grid);
    await expect(table(page, grid.table).getByRole('cell').first()).toBeVisible();
    expect(await faultsOf(page, grid)).toEqual([]);
  });
}

test('nothing essential is cut at any width in any font: usage, and its dearest records', async ({
  page,
  stack,
}) => {
  const world = await usageWorld(stack);
  await openUsage(page, world, '/usage?timeframe=lastMonth&size=25');
  await expect(table(page, 'Usage').getByRole('cell').first()).toBeVisible();
  const columns = { shortened: ['serviceItemDescription', 'siteName'], tableOnly: ['row'] };
  expect(await faultsOf(page, columns)).toEqual([]);
  await page.getByRole('button', { name: 'Top 10 by price' }).click();
  await expect(table(page, 'Top 10 by price').getByRole('cell').first()).toBeVisible();
  expect(await faultsOf(page, columns)).toEqual([]);
});
