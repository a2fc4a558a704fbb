import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser } from '../../../../../tools/browser.ts';
import { newName, useSandbox } from './test-support.ts';

const harness = useSandbox();
const good = ['4242', '4242', '4242', '4242'].join('');
const asksForProof = ['4000', '0027', '6000', '3184'].join('');
let browser: Browser;
let shop: Server;
let page: Page;
let account: string;
let toOthers: string[];
let toSandbox: string[];
let complaints: string[];

/** A shop with a strict policy: scripts and frames from the sandbox's origin, styles without inline ones. */
function policy(): string {
  const { url } = harness.sandbox;
  return `default-src 'self'; script-src 'self' ${url}; frame-src ${url}; connect-src 'self' ${url}; style-src 'self'`;
}

const markup = (
  script: string,
  key: string,
) => `<!doctype html><html lang="en"><head><title>Shop</title></head><body data-key="${key}">
<form><label for="card">Card</label><div id="card"></div>
<label for="number">Card number</label><div id="number"></div><label for="expiry">Expiry</label><div id="expiry"></div>
<label for="cvc">CVC</label><div id="cvc"></div><button>Pay</button></form>
<script src="${script}/stripe/v3/stripe.js"></script><script src="/shop.js"></script></body></html>`;

const shopScript = `
window.log = [];
window.stripe = Stripe(document.body.dataset.key, { locale: 'en' });
const style = { base: { color: 'rgb(1, 2, 3)', fontSize: '18px' }, invalid: { color: 'rgb(200, 0, 0)' } };
const one = stripe.elements(), three = stripe.elements();
window.card = one.create('card', { style, hidePostalCode: true });
for (const name of ['ready', 'change', 'focus', 'blur', 'escape']) card.on(name, (event) => log.push({ name, event: name === 'ready' ? null : event }));
card.mount('#card');
window.number = three.create('cardNumber', { style, placeholder: 'Number' });
number.mount('#number');
three.create('cardExpiry').mount('#expiry');
three.create('cardCvc').mount(document.querySelector('#cvc'));
window.three = three;
document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); log.push({ name: 'submit' }); });`;

beforeAll(async () => {
  const { executablePath, env, args } = await findBrowser();
  browser = await chromium.launch({
    executablePath,
    args: [...args],
    env: { ...process.env, ...env } as Record<string, string>,
  });
  shop = createServer((request, response) => {
    const isScript = request.url === '/shop.js';
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'content-security-policy': policy(),
    });
    response.end(isScript ? shopScript : markup(harness.sandbox.url, `pk_test_${account}`));
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterAll(async () => {
  await browser.close();
  shop.close();
});

beforeEach(async () => {
  account = newName();
  toOthers = [];
  toSandbox = [];
  complaints = [];
  page = await browser.newPage();
  page.on('request', (request) => {
    const sent = `${request.url()} ${request.postData() ?? ''}`;
    (request.url().startsWith(harness.sandbox.url) ? toSandbox : toOthers).push(sent);
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://stripe.localhost:${(shop.address() as AddressInfo).port}/`);
  await expect.poll(() => page.evaluate("log.some((entry) => entry.name === 'ready')")).toBe(true);
});
afterEach(() => page.close());

const inFrame = (id: string) => page.frameLocator(`#${id} iframe`);
/** Evaluates in the frame of the combined field, where `input` is its first input. */
const inCard = async (expression: string): Promise<unknown> => {
  const frame = await (await page.locator('#card iframe').elementHandle())?.contentFrame();
  return await frame?.evaluate(
    `(() => { const input = document.querySelector('input'); return ${expression}; })()`,
  );
};
const call = <T>(expression: string): Promise<T> => page.evaluate<T>(`(async () => await ${expression})()`);
const lastChange = () =>
  page.evaluate<{ complete: boolean; brand: string; error?: { code: string } }>(
    "log.filter((entry) => entry.name === 'change').at(-1).event",
  );

async function typeCard(number: string): Promise<void> {
  await inFrame('card').getByLabel('Card number').click();
  await page.keyboard.type(`${number}1233123`);
}

interface Made {
  readonly error?: { readonly code: string; readonly message: string };
  readonly token?: { readonly id: string; readonly card: { readonly last4: string } };
  readonly paymentMethod?: { readonly id: string; readonly card: { readonly last4: string } };
  readonly paymentIntent?: { readonly status: string };
}

async function intent(): Promise<string> {
  const made = await harness
    .client({ name: account })
    .paymentIntents.create({ amount: 5000, currency: 'aud', allowed_payment_method_types: ['card'] });
  return made.client_secret ?? '';
}

describe('the fake Stripe.js', () => {
  it('38: one field from number to CVC by keyboard, and no digit of it reaches the shop', async () => {
    await typeCard(good);
    await expect.poll(lastChange).toMatchObject({ complete: true, brand: 'visa' });
    const made = await call<Made>(
      "stripe.createPaymentMethod({ type: 'card', card, billing_details: { name: 'Ada' } })",
    );
    expect(made.paymentMethod?.card.last4).toBe('4242');
    const token = await call<Made>("stripe.createToken(card, { name: 'Ada' })");
    expect(token.token?.id).toMatch(/^tok_/);
    expect(toOthers.filter((sent) => /\d{12,19}/.test(sent))).toEqual([]);
    expect(toSandbox.filter((sent) => sent.includes(good))).toHaveLength(2);
    expect(await page.content()).not.toContain(good);
    expect(JSON.stringify(await page.evaluate('log'))).not.toMatch(/\d{12}/);
    expect(complaints).toEqual([]);
  });

  it('shows the shop’s look, marks a wrong number, and names what is missing', async () => {
    const input = inFrame('card').getByLabel('Card number');
    expect(await inCard('[getComputedStyle(input).color, getComputedStyle(input).fontSize]')).toEqual([
      'rgb(1, 2, 3)',
      '18px',
    ]);
    await input.fill('4242424242424241');
    await expect.poll(lastChange).toMatchObject({ error: { code: 'invalid_number' } });
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await inCard('getComputedStyle(input).color')).toBe('rgb(200, 0, 0)');
    await input.fill(good);
    const made = await call<Made>("stripe.createPaymentMethod({ type: 'card', card })");
    expect(made.error).toMatchObject({
      code: 'incomplete_expiry',
      message: "Your card's expiration date is incomplete.",
    });
  });

  it('takes its final height from the start, so that nothing moves', async () => {
    const heights = await page.evaluate<[number, number]>(
      `(async () => {
        const holder = document.createElement('div');
        document.querySelector('form').append(holder);
        const field = stripe.elements().create('card', { style: { base: { fontSize: '17px' } } });
        const ready = new Promise((resolve) => field.on('ready', resolve));
        field.mount(holder);
        const before = holder.getBoundingClientRect().height;
        await ready;
        return [before, holder.getBoundingClientRect().height];
      })()`,
    );
    expect(heights[0]).toBeGreaterThan(17);
    expect(heights[1]).toBe(heights[0]);
  });

  it('three separate fields make one card', async () => {
    await inFrame('number').getByLabel('Card number').fill(good);
    await inFrame('expiry').getByLabel('Expiry date').pressSequentially('1233');
    await inFrame('cvc').getByLabel('Security code').fill('123');
    const made = await call<Made>("stripe.createToken(three.getElement('cardNumber'))");
    expect(made.token?.card.last4).toBe('4242');
    expect(await inFrame('number').getByLabel('Card number').getAttribute('placeholder')).toBe('Number');
  });

  it('offers itself to autofill and to screen readers', async () => {
    const fields = await inCard(
      '[...document.querySelectorAll("input")].map((node) => [node.autocomplete, node.getAttribute("aria-label"), node.inputMode])',
    );
    expect(fields).toEqual([
      ['cc-number', 'Card number', 'numeric'],
      ['cc-exp', 'Expiry date, month and year', 'numeric'],
      ['cc-csc', 'Security code, CVC', 'numeric'],
    ]);
    expect(await page.locator('iframe').first().getAttribute('title')).toBe(
      'Secure card payment input frame',
    );
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const frame = page.frames().find((known) => known.url().endsWith('/frame.html'));
    await frame?.evaluate(axe);
    const found = await frame?.evaluate<{ violations: { id: string }[] }>(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
    );
    expect(found?.violations.map((violation) => violation.id)).toEqual([]);
  });

  it('hands focus, Escape and Enter on to the shop', async () => {
    await page.locator('label[for=card]').click();
    await expect.poll(() => page.evaluate("log.some((entry) => entry.name === 'focus')")).toBe(true);
    await expect.poll(() => inCard('input === document.activeElement')).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect
      .poll(() =>
        page.evaluate(
          "log.some((entry) => entry.name === 'submit') && log.some((entry) => entry.name === 'escape')",
        ),
      )
      .toBe(true);
    await page.locator('button').focus();
    await expect.poll(() => page.evaluate("log.some((entry) => entry.name === 'blur')")).toBe(true);
  });

  it('mounts again after destroy, which may be called twice', async () => {
    await page.evaluate(
      "card.destroy(); card.destroy(); window.card = stripe.elements().create('card'); card.mount('#card')",
    );
    await typeCard(good);
    expect(
      (await call<Made>("stripe.createPaymentMethod({ type: 'card', card })")).paymentMethod?.id,
    ).toMatch(/^pm_/);
  });

  it('confirms a payment, through the bank’s challenge in a dialog', async () => {
    const secret = await intent();
    await typeCard(asksForProof);
    const confirmed = call<Made>(`stripe.confirmCardPayment('${secret}', { payment_method: { card } })`);
    await page.frameLocator('dialog iframe').getByRole('button', { name: 'Complete' }).click();
    expect((await confirmed).paymentIntent?.status).toBe('succeeded');
    expect((await call<Made>(`stripe.retrievePaymentIntent('${secret}')`)).paymentIntent?.status).toBe(
      'succeeded',
    );
    expect(complaints).toEqual([]);
  });

  it('resolves with an error for a failed challenge and for a declined card', async () => {
    const secret = await intent();
    await typeCard(asksForProof);
    const confirmed = call<Made>(`stripe.confirmCardPayment('${secret}', { payment_method: { card } })`);
    await page.frameLocator('dialog iframe').getByRole('button', { name: 'Fail authentication' }).click();
    expect((await confirmed).error?.code).toBe('payment_intent_authentication_failure');
    const declined = await call<Made>(
      `stripe.confirmCardPayment('${await intent()}', { payment_method: 'pm_card_chargeDeclined' })`,
    );
    expect(declined.error).toMatchObject({ code: 'card_declined', message: 'Your card was declined.' });
  });

  it('follows a redirect for the next action of a server-confirmed payment', async () => {
    const made = await harness.client({ name: account }).paymentIntents.create({
      amount: 5000,
      currency: 'aud',
      payment_method: 'pm_card_threeDSecure2Required',
      confirm: true,
      return_url: `${page.url()}?back=1`,
      allowed_payment_method_types: ['card'],
    });
    await page.evaluate(`void stripe.handleNextAction({ clientSecret: '${made.client_secret}' })`);
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.waitForURL(/back=1.*redirect_status=succeeded/);
  });
});
