import { readFileSync } from 'node:fs';
import type { Page, Route } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { follow, invitation } from '../support/console.ts';
import { isLongRun } from '../support/long-run.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { quiet } from '../support/quiet.ts';
import { expect, test } from '../support/test.ts';

/** Every page behind the sign-in, from the list that the router is built from: a new one is looked at by itself. */
const paths = [
  ...readFileSync('apps/web/src/console/pages.ts', 'utf8').matchAll(/path: '(\/admin\/[^']+)'/g),
].map(([, path = '']) => path);

/** What a call is answered with instead of its own answer. */
type Fault = 'role' | 'fault' | 'gone' | 'ended';
const answers = {
  role: [403, 'operator.role', 'Your role may not do this'],
  fault: [500, 'server.fault', 'Something went wrong'],
  ended: [401, 'operator.signedOut', 'Please sign in'],
} as const;
const words: Readonly<Record<Exclude<Fault, 'ended'>, string>> = {
  role: 'Your role may not see this.',
  fault: 'The server has failed over it.',
  gone: 'The server could not be reached.',
};

const fail = (route: Route, fault: Fault): Promise<void> => {
  if (fault === 'gone') return route.abort('internetdisconnected');
  const [status, code, message] = answers[fault];
  return route.fulfill({ status, contentType: 'application/problem+json', json: { status, code, message } });
};

/** Answers the console's calls otherwise, but for those that say who is signed in. */
class Faults {
  readonly page: Page;
  fault: Fault | undefined;
  /** Whether what a page asks for first is answered, so that its parts fail one by one. */
  isFirstAnswered = false;
  /** What has failed since the last visit. */
  failed: string[] = [];
  #first: string | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  async begin(): Promise<void> {
    await this.page.route(/\/v1\/(admin|operator)\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (this.fault === undefined || pathname === '/v1/operator/session') return route.continue();
      if (this.isFirstAnswered) {
        if (!pathname.endsWith('/today')) this.#first ??= pathname;
        if (pathname === this.#first) return route.continue();
      }
      this.failed.push(pathname);
      await fail(route, this.fault);
    });
  }

  #forget(): void {
    this.failed = [];
    this.#first = undefined;
  }

  /** Goes to a page without asking for the document again, as a link does. */
  async follow(path: string): Promise<void> {
    this.#forget();
    await this.page.evaluate((to) => history.pushState({}, '', to), path);
    await quiet(this.page);
  }

  async open(path: string): Promise<void> {
    this.#forget();
    await this.page.goto(path);
    // The frame stands once it is known who is signed in; the page begins to ask then.
    await expect(this.page.locator('main')).toBeVisible();
    await quiet(this.page);
  }
}

/** What has to hold of a page, however it fails: it is there, and no part of it is blank or waits for ever. */
async function expectWhole(page: Page, path: string): Promise<void> {
  const menu = page
    .getByRole('navigation', { name: 'Console' })
    .or(page.getByRole('button', { name: 'Menu' }));
  await expect.soft(menu.filter({ visible: true }), `${path}: the menu`).toHaveCount(1);
  await expect.soft(page.getByRole('heading', { level: 1 }), `${path}: its heading`).toHaveCount(1);
  const waiting = page.locator('main').getByText('Loading', { exact: true });
  await expect.soft(waiting.or(page.locator('main [aria-busy="true"]')), `${path}: waits`).toHaveCount(0);
  const blank = await page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('section, [role="tabpanel"]')]
      .filter((part) => {
        const heading = part.querySelector('h2')?.textContent ?? '';
        return (
          (part.textContent ?? '').trim().length <= heading.length &&
          part.querySelector('input, iframe') === null
        );
      })
      .map((part) => part.outerHTML.slice(0, 200)),
  );
  expect.soft(blank, `${path}: blank parts`).toEqual([]);
}

/** An id that nothing has. */
const NOTHING = '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21';

/** Calls that only name, count or narrow something: without them nothing of a page is missing but that. */
const ASIDE = /\/(today|gateways|brands)$/;

const nameOf = (path: string): string => path.replaceAll(/[/$]+/g, '-').slice('-admin-'.length);

test('each page of the console says what is wrong, offers to try again and keeps its menu', async ({
  page,
  stack,
  providers,
  cleanConsole,
}) => {
  // Two minutes for all pages on two quiet cores.
  test.setTimeout(480_000);
  cleanConsole.allow(/^ApiError: /);
  expect(paths.length).toBeGreaterThan(20);
  const provider = await providers.add();
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('120.00'));
  await pay.pay(cards.good);
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  const { url } = await invitation(stack, provider, 'owner', true);
  await follow(page, url);
  await page.getByLabel('Reseller').selectOption({ value: String(provider.resellerId) });
  const faults = new Faults(page);
  await faults.begin();

  const pathOf = new Map<string, string>();
  for (const path of paths) {
    const made = path.replace('$day', '2026-03-02').replaceAll(/\$\w+/g, NOTHING);
    pathOf.set(path, made);
    if (!path.endsWith('$id')) continue;
    await faults.follow(path.slice(0, -'/$id'.length));
    const others = paths.map((one) => `:not([href="${one}"])`).join('');
    const link = page.locator(`main a[href^="${path.slice(0, -'$id'.length)}"]${others}`).first();
    // What there is none of has its page all the same.
    if ((await link.count()) > 0) pathOf.set(path, (await link.getAttribute('href')) ?? made);
  }
  const look = async (path: string, name: string, scheme: 'light' | 'dark', width: number) => {
    await expectWhole(page, path);
    // Around it all pages are alike: that is looked at once.
    const around = name === 'role' ? {} : { within: 'main' };
    const looked = { schemes: [scheme], widths: [width], ...around };
    await expectAccessible(page, `failing-${name}-${nameOf(path)}`, looked);
  };

  /** Pages that ask for more than one thing, or may once they have the first. */
  const withParts = new Set<string>();
  for (const [fault, scheme, width] of [
    ['role', 'light', 1280],
    ['fault', 'dark', 390],
  ] as const) {
    faults.fault = fault;
    await page.setViewportSize({ width, height: 900 });
    await faults.open('/admin');
    for (const path of paths) {
      await faults.follow(pathOf.get(path) ?? '');
      await expect.soft(page.getByText(words[fault]).first(), `${path}: ${fault}`).toBeVisible();
      await expect.soft(page.getByRole('button', { name: 'Try again' }).first(), path).toBeVisible();
      // The two differ in a sentence.
      if (fault === 'role' || isLongRun) await look(path, fault, scheme, width);
      else await expectWhole(page, path);
      if (path.includes('$') || faults.failed.filter((call) => !ASIDE.test(call)).length > 1)
        withParts.add(path);
    }
  }

  faults.fault = 'gone';
  await page.clock.install();
  await faults.open('/admin');
  for (const path of paths) {
    await faults.follow(pathOf.get(path) ?? '');
    // A call that was not answered is made again twice, a while later.
    for (const pauseMs of [600, 1_100]) {
      await page.clock.fastForward(pauseMs);
      await quiet(page);
    }
    await expect.soft(page.getByText(words.gone).first(), `${path}: gone`).toBeVisible();
    await expectWhole(page, path);
  }

  faults.fault = 'role';
  faults.isFirstAnswered = true;
  for (const path of withParts) {
    await faults.open(pathOf.get(path) ?? '');
    if (faults.failed.every((call) => ASIDE.test(call))) continue;
    await expect.soft(page.getByText(words.role).first(), `${path}: a part`).toBeVisible();
    // Each part alone looks as it did among the others.
    if (isLongRun) await look(path, 'part', 'light', 1280);
    else await expectWhole(page, path);
  }

  faults.isFirstAnswered = false;
  faults.fault = 'ended';
  for (const path of paths) {
    const to = pathOf.get(path) ?? '';
    await page.evaluate((there) => history.pushState({}, '', there), to);
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === to && searchParams.has('ended'));
    await expect.soft(page.getByRole('heading', { level: 1, name: 'Sign in' }), path).toBeVisible();
    await expect.soft(page.getByText('Your session has ended'), path).toBeVisible();
  }
});
