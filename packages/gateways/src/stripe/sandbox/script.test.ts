import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findBrowser } from '../../../../../tools/browser.ts';
import { newName, useSandbox } from './test-support.ts';

const harness = useSandbox();
const good = ['4242', '4242', '4242', '4242'].join('');
let browser: Browser;
let shop: Server;
let page: Page;
let sent: { readonly toSandbox: string[]; readonly toOthers: string[] };
let complaints: string[];

const markup = (script: string, key: string) => `<!doctype html><html lang="en"><title>Shop</title>
<form data-key="${key}"><label for="card">Card</label><div id="card"></div><div id="number"></div>
<div id="expiry"></div><div id="cvc"></div><div id="late"></div><button>Pay</button></form>
<script src="${script}/stripe/v3/stripe.js"></script><script src="/shop.js"></script></html>`;

const shopScript = `
window.log = [];
const form = document.querySelector('form');
window.stripe = Stripe(form.dataset.key, { locale: 'en' });
const style = { base: { color: 'rgb(1, 2, 3)', fontSize: '18px' }, invalid: { color: 'rgb(200, 0, 0)' } };
const one = stripe.elements(), three = stripe.elements();
window.card = one.create('card', { style, hidePostalCode: true });
for (const name of ['ready', 'change', 'focus', 'blur', 'escape']) card.on(name, (event) => log.push({ name, event: name === 'ready' ? null : event }));
card.mount('#card');
window.number = three.create('cardNumber', { style });
number.mount('#number');
three.create('cardExpiry').mount('#expiry');
three.create('cardCvc').mount(document.querySelector('#cvc'));
form.addEventListener('submit', (event) => { event.preventDefault(); log.push({ name: 'submit' }); });`;

beforeAll(async () => {
  const { executablePath, env, args } = await findBrowser();
  const all = { ...process.env, ...env } as Record<string, string>;
  browser = await chromium.launch({ executablePath, args: [...args], env: all });
  shop = createServer((request, response) => {
    const isScript = request.url === '/shop.js';
    const { url } = harness.sandbox;
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      // A shop with a strict policy: scripts and frames from the sandbox's origin, styles without inline ones.
      'content-security-policy': `default-src 'self'; script-src 'self' ${url}; frame-src ${url}; connect-src 'self' ${url}; style-src 'self'`,
    });
    response.end(isScript ? shopScript : markup(url, `pk_test_${newName()}`));
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterAll(async () => {
  await browser.close();
  shop.close();
});

beforeEach(async () => {
  sent = { toSandbox: [], toOthers: [] };
  complaints = [];
  page = await browser.newPage();
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(harness.sandbox.url);
    sent[isOurs ? 'toSandbox' : 'toOthers'].push(`${request.url()} ${request.postData() ?? ''}`);
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://stripe.localhost:${(shop.address() as AddressInfo).port}/`);
  await expect.poll(() => logged('ready')).toBe(true);
});
afterEach(() => page.close());

const logged = (name: string) => page.evaluate<boolean>(`log.some((entry) => entry.name === '${name}')`);
const field = (id: string, label: string) => page.frameLocator(`#${id} iframe`).getByLabel(label);
/** Evaluates in the frame of the combined field, where `input` is its first input. */
const inCard = async (expression: string): Promise<unknown> => {
  const frame = await (await page.locator('#card iframe').elementHandle())?.contentFrame();
  return frame?.evaluate(
    `(() => { const input = document.querySelector('input'); return ${expression}; })()`,
  );
};
interface Made {
  readonly error?: { readonly code: string; readonly message: string };
  readonly token?: { readonly id: string; readonly card: { readonly last4: string } };
}
const tokenOf = (element: string) =>
  page.evaluate<Made>(`(async () => await stripe.createToken(${element}, { name: 'Ada' }))()`);
const lastChange = () => page.evaluate<object>("log.filter((entry) => entry.name === 'change').at(-1).event");

async function typeCard(): Promise<void> {
  await field('card', 'Card number').click();
  await page.keyboard.type(`${good}1233123`);
}

it('38: one field from number to CVC by keyboard, and no digit of it reaches the shop', async () => {
  await typeCard();
  await expect.poll(lastChange).toMatchObject({ complete: true, brand: 'visa' });
  const { token } = await tokenOf('card');
  expect(token).toMatchObject({ id: expect.stringMatching(/^tok_/), card: { last4: '4242' } });
  expect(sent.toOthers.filter((one) => /\d{12,19}/.test(one))).toEqual([]);
  expect(sent.toSandbox.filter((one) => one.includes(good))).toHaveLength(1);
  expect(await page.content()).not.toContain(good);
  expect(JSON.stringify(await page.evaluate('log'))).not.toMatch(/\d{12}/);
  expect(complaints).toEqual([]);
});

it('shows the shop’s look, marks a wrong number, and names what is missing', async () => {
  const input = field('card', 'Card number');
  const look = '[getComputedStyle(input).color, getComputedStyle(input).fontSize]';
  expect(await inCard(look)).toEqual(['rgb(1, 2, 3)', '18px']);
  await input.fill('4242424242424241');
  await expect.poll(lastChange).toMatchObject({ error: { code: 'invalid_number' } });
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(await inCard(look)).toEqual(['rgb(200, 0, 0)', '18px']);
  await input.fill(good);
  expect((await tokenOf('card')).error).toMatchObject({
    code: 'incomplete_expiry',
    message: "Your card's expiration date is incomplete.",
  });
});

it('takes its final height from the start, so that nothing moves', async () => {
  const [before = 0, after] = await page.evaluate<number[]>(
    `(async () => {
      const holder = document.querySelector('#late');
      const field = stripe.elements().create('card', { style: { base: { fontSize: '17px' } } });
      const ready = new Promise((resolve) => field.on('ready', resolve));
      field.mount(holder);
      const before = holder.getBoundingClientRect().height;
      await ready;
      return [before, holder.getBoundingClientRect().height];
    })()`,
  );
  expect(before).toBeGreaterThan(17);
  expect(after).toBe(before);
});

it('three separate fields make one card', async () => {
  await field('number', 'Card number').fill(good);
  await field('expiry', 'Expiry date').pressSequentially('1233');
  await field('cvc', 'Security code').fill('123');
  expect((await tokenOf('number')).token?.card.last4).toBe('4242');
});

it('offers itself to autofill and to screen readers', async () => {
  const each = '[node.autocomplete, node.getAttribute("aria-label"), node.inputMode]';
  expect(await inCard(`[...document.querySelectorAll("input")].map((node) => ${each})`)).toEqual([
    ['cc-number', 'Card number', 'numeric'],
    ['cc-exp', 'Expiry date, month and year', 'numeric'],
    ['cc-csc', 'Security code, CVC', 'numeric'],
  ]);
  const title = await page.locator('iframe').first().getAttribute('title');
  expect(title).toBe('Secure card payment input frame');
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const frame = page.frames().find((known) => known.url().endsWith('/frame.html'));
  await frame?.evaluate(axe);
  const rules = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']";
  const found = await frame?.evaluate<{ violations: { id: string }[] }>(
    `axe.run(document, { runOnly: ${rules} })`,
  );
  expect(found?.violations.map((violation) => violation.id)).toEqual([]);
});

it('hands focus, Escape and Enter on to the shop', async () => {
  await page.locator('label[for=card]').click();
  await expect.poll(() => logged('focus')).toBe(true);
  await expect.poll(() => inCard('input === document.activeElement')).toBe(true);
  for (const [key, event] of [
    ['Escape', 'escape'],
    ['Enter', 'submit'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => logged(event)).toBe(true);
  }
  await page.locator('button').focus();
  await expect.poll(() => logged('blur')).toBe(true);
});

it('mounts again after destroy, which may be called twice', async () => {
  await page.evaluate(
    "card.destroy(); card.destroy(); window.card = stripe.elements().create('card'); card.mount('#card')",
  );
  await typeCard();
  expect((await tokenOf('card')).token?.id).toMatch(/^tok_/);
});
