import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';
import { pagesRoutes } from './pages.ts';

const template =
  '<html lang="en"><head><!--brand-head--><!--runtime-config--></head><body><div id="root"></div></body></html>';
const payment = { uid: 'link', total: '12.34' } as PaymentInfo;

const provider = {
  script: ['https://script.example'],
  frame: ['https://frame.example'],
  connect: ['https://api.example'],
};

/** A built portal of this test's own: its sign-in page draws, its pay page says what it was given. */
async function portal(signIn = "throw new Error('no')") {
  const dist = mkdtempSync(join(tmpdir(), 'counterfoil-dist-'));
  mkdirSync(join(dist, 'server'));
  for (const page of ['index', 'sign-in', 'pay']) writeFileSync(join(dist, `${page}.html`), template);
  writeFileSync(
    join(dist, 'server/pay.mjs'),
    "export const draw = (_, { payment, locale }) => '<h1>' + payment?.total + ' ' + locale + '</h1>';",
  );
  writeFileSync(join(dist, 'server/sign-in.mjs'), `export const draw = () => { ${signIn}; };`);
  const app = createApp({ config: readConfig({}), log: createLogger('silent') });
  const brand = { brand: null, styleSheet: ':root{--ink:#000}' };
  await pagesRoutes(app, {
    dist,
    clock: fakeClock(),
    passwords: { minLength: 6, rule: 'composition' },
    brandOfHost: async () => brand,
    brandOfPreview: async () => undefined,
    brandOfPortal: async () => ({ ...brand, provider }),
    brandOfPayLink: async (_token, hasReturned) => (hasReturned ? brand : { ...brand, payment }),
  });
  return app;
}

it('a page is served with its payment, drawn for its reader, and with no style the policy would refuse', async () => {
  const app = await portal();
  const { body, headers } = await app.inject({
    url: '/pay/link',
    headers: { 'accept-language': 'de-CH,de' },
  });
  expect(body).toContain('<div id="root"><h1>12.34 de-CH</h1></div>');
  expect(body).toContain('"payment":{"uid":"link","total":"12.34"}');
  const [, nonce] = /<style nonce="([^"]+)">:root/.exec(body) ?? [];
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
  expect(headers['cache-control']).toBe('no-store');
});

it('the way back from the bank is served without a payment', async () => {
  const app = await portal();
  expect((await app.inject('/pay/link?attempt=1')).body).toContain('"payment":null');
});

it('a page that cannot be drawn comes empty, and works', async () => {
  const app = await portal();
  const { statusCode, body } = await app.inject('/login');
  expect([statusCode, body.includes('<div id="root"></div>')]).toEqual([200, true]);
});

it('a page without a drawing of its own comes empty', async () => {
  const app = await portal();
  const { body } = await app.inject('/anything');
  expect(body).toContain('<div id="root"></div>');
  expect(body).not.toContain('first-paint');
});

it('the sign-in page is drawn, but not where single sign-on has it show something else than the form', async () => {
  const app = await portal("return '<form>'");
  const { body } = await app.inject('/login?r=/invoices');
  expect(body).toContain('<div id="root"><form></div>');
  for (const query of ['b=Acme', 'e=Authentication+failed', 'code=one-time', 'b=', 'code=a&code=b']) {
    const plain = await app.inject(`/login?${query}`);
    expect([plain.statusCode, plain.body.includes('<div id="root"></div>')]).toEqual([200, true]);
    expect(plain.body).not.toContain('first-paint');
  }
});

it('signed-in pages may run the providers in use, the sign-in page may not', async () => {
  const app = await portal();
  const policy = async (url: string) => String((await app.inject(url)).headers['content-security-policy']);
  const inside = await policy('/payment-types');
  expect(inside).toMatch(/script-src [^;]*https:\/\/script\.example/);
  expect(inside).toMatch(/frame-src [^;]*https:\/\/frame\.example/);
  expect(inside).toMatch(/connect-src [^;]*https:\/\/api\.example/);
  expect(await policy('/login')).not.toContain('.example');
});
