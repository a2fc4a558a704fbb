import { expect, it } from 'vitest';
import { localeOf } from './page-drawers.ts';
import { fillPage } from './page-text.ts';

const template =
  '<html lang="en"><head><!--brand-head--><!--runtime-config--><style nonce="__CSP_NONCE__"></style></head>' +
  '<body><div id="root"></div></body></html>';
const config = {
  apiHost: '',
  resellerApiHost: '',
  brand: null,
  passwords: { minLength: 6, rule: 'composition' },
} as const;
const from = { locale: 'en', now: '2026-11-21T00:00:00.000Z', payment: null };

it('gives the nonce to the styles of the page and of the brand, and to nothing that others wrote', () => {
  const markup = '<h1>__CSP_NONCE__ $& &lt;!--runtime-config--&gt;</h1>';
  const text = fillPage(template, {
    nonce: 'N1',
    config,
    styleSheet: ':root{--ink:#000}',
    drawn: { markup, from },
  });
  expect(text).toContain('<style nonce="N1">:root{--ink:#000}</style>');
  expect(text).toContain('<style nonce="N1"></style>');
  expect(text).toContain(`<div id="root">${markup}</div>`);
});

it('writes data so that nothing in it ends the element or fills a gap', () => {
  const locale = '</script><!--brand-head--><div id="root"></div>';
  const drawn = { markup: '', from: { ...from, locale } };
  const text = fillPage(template, { nonce: 'N1', config, styleSheet: '', drawn });
  expect(text.split('</script>')).toHaveLength(3);
  expect(text.split('<div id="root">')).toHaveLength(2);
  const [, json = ''] = /id="first-paint">(.*?)<\/script>/.exec(text) ?? [];
  expect(JSON.parse(json)).toMatchObject({ locale });
});

it('leads to the provider’s own pages at the foot, whatever their addresses hold, and has no foot without any', () => {
  const legal = [{ label: 'Terms', url: 'https://north.example/?a=1&b="><script>' }];
  const text = fillPage(template, { nonce: 'N1', config, styleSheet: '', legal });
  expect(text).toContain(
    '</div><footer class="legal"><a href="https://north.example/?a=1&amp;b=&quot;&gt;&lt;script&gt;" rel="noreferrer">Terms</a></footer>',
  );
  expect(fillPage(template, { nonce: 'N1', config, styleSheet: '', legal: [] })).not.toContain('legal');
});

it('leaves root and data empty where the browser draws', () => {
  const text = fillPage(template, { nonce: 'N1', config, styleSheet: '' });
  expect(text).toContain('<div id="root"></div>');
  expect(text).not.toContain('first-paint');
});

it.each([
  ['en-US,en;q=0.9', 'en-US'],
  ['de-ch', 'de-CH'],
  ['*', 'en'],
  ['en-US@posix, fr;q=0.5', 'fr'],
  ['', 'en'],
  [undefined, 'en'],
])('takes the reader’s locale from %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale);
});
