import type { Page } from '@playwright/test';
import { billingOf } from '../support/billing.ts';
import { isLongRun } from '../support/long-run.ts';
import type { Provider, Providers } from '../support/provider.ts';
import { expect, type Stack, signedIn, test } from '../support/test.ts';

test.describe.configure({ mode: 'parallel', timeout: 180_000 });

/** Each ends with a sign that stands at the wrong end where a name is not isolated; longer than any cell. */
const names = {
  arabic: 'شركة النور للاتصالات 2026 (الفرع الرئيسي) لخدمات الشبكات!',
  hebrew: 'חברת האור לתקשורת 42 בע"מ (סניף ראשי) לשירותי רשת!',
  chinese: '光明通信有限公司2026（總部）網絡服務部北區第三分公司',
  thai: 'บริษัทแสงสว่างโทรคมนาคม 99 สำนักงานใหญ่ (กรุงเทพฯ)!',
} as const;
type Script = keyof typeof names;

/** A customer, sites, items, cost centres, agreements and products that are all called by that name. */
async function called(providers: Providers, name: string): Promise<Provider> {
  const provider = await providers.add({
    moreCustomers: ['Zebra'],
    settings: ['endShowUsageCostCentre=true'],
  });
  const make = billingOf(providers, provider);
  await providers.sql('update reseller_customer set label = $2 where customer_id = $1', [
    provider.customerId,
    name,
  ]);
  const service = await make.service(name);
  const agreement = await make.agreement(name, '2024-01-01');
  const from = `${new Date().toISOString().slice(0, 8)}01`;
  await make.period(agreement, from, `${from.slice(0, 8)}28`);
  const item = await make.item(service, name, name, name);
  await make.line({ agreementId: agreement, serviceItemId: item, name, from, amount: 1234 });
  await provider.bill('12.00');
  return provider;
}

/**
 * Where a name's own order is broken: its first sign must be the first that is read, in its own direction, and its last
 * the last; a shortened one shows its first sign. Line by line, as the browser drew it.
 */
const broken = (page: Page, name: string): Promise<readonly string[]> =>
  page.evaluate((whole) => {
    const isFromRight = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(whole);
    const faults: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const place = (node: Node, at: number): DOMRect => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    };
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const parent = node.parentElement as HTMLElement;
      const from = text.indexOf(whole);
      if (from === -1 || parent.closest('option, title, script, [class*="hidden"]') !== null) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const say = (what: string) =>
        faults.push(`${parent.nodeName}.${parent.className} in ${parent.parentElement?.nodeName}: ${what}`);
      const first = place(node, from);
      const last = place(node, from + whole.length - 1);
      // On one line the last sign is at the other end; over several it is that of the last line.
      const sameLine = Math.abs(first.top - last.top) < 4;
      if (sameLine && (isFromRight ? last.left >= first.left : last.left <= first.left)) say('order');
      if (!sameLine) {
        const end = place(node, from + whole.length - 2);
        if (Math.abs(end.top - last.top) < 4 && (isFromRight ? last.left >= end.left : last.left <= end.left))
          say('order of its last line');
      }
      for (let at: HTMLElement | null = parent; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(at);
        if (textOverflow !== 'ellipsis' || overflowX === 'visible') continue;
        const box = at.getBoundingClientRect();
        if (first.left < box.left - 1 || first.right > box.right + 1) say('shortened at its beginning');
      }
    }
    for (const one of document.querySelectorAll<HTMLElement>('[title]')) {
      const isWhole = !one.title.includes(whole) || !isFromRight;
      if (!isWhole && getComputedStyle(one).direction !== 'rtl' && !one.title.includes('\u2068'))
        faults.push(`title of ${one.nodeName}.${one.className}`);
    }
    for (const option of document.querySelectorAll('option'))
      if (isFromRight && option.text.includes(whole) && !option.text.includes('\u2068'))
        faults.push(`option ${option.parentElement?.id}`);
    return [...new Set(faults)];
  }, name);

/** What shows names, and how it is opened. */
const screens: readonly (readonly [path: string, open?: (page: Page, name: string) => Promise<void>])[] = [
  ['/dashboard'],
  ['/dashboard', (page) => page.getByRole('button', { name: /^Customer/ }).click()],
  ['/invoices'],
  ['/transactions'],
  ['/usage'],
  ['/usage', (page) => page.locator('main [aria-haspopup=listbox]').first().click()],
  ['/cost-centre'],
  [
    '/cost-centre',
    (page) =>
      page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click(),
  ],
  ['/cost-centre', (page) => page.getByRole('button', { name: 'Recent changes' }).click()],
  ['/cost-centre?tab=summary'],
  ['/service-items'],
  ['/statement'],
  ['/payment-types'],
];

async function faultsOn(page: Page, stack: Stack, provider: Provider, name: string): Promise<string[]> {
  const faults: string[] = [];
  page.setDefaultTimeout(20_000);
  await signedIn(page, stack, provider, provider.url);
  await page.evaluate(
    (id) => globalThis.localStorage.setItem('current_customer_id', id),
    provider.customerId,
  );
  let seen = 0;
  const look = async (where: string) => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
      faults.push(...(await broken(page, name)).map((one) => `${where}, ${width} px: ${one}`));
    }
    seen += await page.getByText(name).count();
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  for (const [path, open] of screens) {
    await page.goto(`${provider.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await open?.(page, name);
    await look(open ? `${path}, opened` : path);
  }
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: /^E2E-/ }).click();
  await expect(page.getByRole('tab', { name: 'Usage' })).toBeVisible();
  await look('/invoices/{id}');
  // The name really stands on most of them.
  expect(seen).toBeGreaterThan(20);
  return faults;
}

/** One of each direction; the others are written in the same two. */
const ordinary: readonly Script[] = ['arabic', 'chinese'];

for (const script of isLongRun ? (Object.keys(names) as Script[]) : ordinary) {
  test(`names are read in their own order and shortened at their own end: ${script}`, async ({
    page,
    stack,
    providers,
  }) => {
    const provider = await called(providers, names[script]);
    expect(await faultsOn(page, stack, provider, names[script])).toEqual([]);
  });
}
