import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeRedirect } from './redirect.ts';

const origin = 'https://billing.example.com';
const allowed = ['https://portal.partner.example', 'https://shop.example:8443', 'http://plain.example'];
const go = (r: string | null): string => safeRedirect(r, origin, allowed);

describe('accepted', () => {
  it.each([
    ['/', '/'],
    ['/invoices', '/invoices'],
    ['/invoices/12?tab=usage&page=2#row-3', '/invoices/12?tab=usage&page=2#row-3'],
    ['/pay/abc-_123', '/pay/abc-_123'],
    ['/usage?q=a%20b%2Fc%5C', '/usage?q=a%20b%2Fc%5C'],
    ['/usage?next=https://evil.example/', '/usage?next=https://evil.example/'],
    ['/usage?next=//evil.example', '/usage?next=//evil.example'],
    ['/a/../invoices', '/invoices'],
    ['/a//b', '/a//b'],
    ['/r%C3%A9seau', '/r%C3%A9seau'],
    ['/réseau', '/r%C3%A9seau'],
    ['/search%20me', '/search%20me'],
    ['/@evil.example', '/@evil.example'],
    ['/javascript:alert(1)', '/javascript:alert(1)'],
    ['https://billing.example.com', '/'],
    ['https://billing.example.com/usage?x=1#y', '/usage?x=1#y'],
    ['HTTPS://BILLING.example.COM:443/Usage', '/Usage'],
    ['https://portal.partner.example/home?x=1', 'https://portal.partner.example/home?x=1'],
    ['https://portal.partner.example:443', 'https://portal.partner.example/'],
    ['https://PORTAL.partner.example/A', 'https://portal.partner.example/A'],
    ['https://shop.example:8443/', 'https://shop.example:8443/'],
    ['http://plain.example/x', 'http://plain.example/x'],
  ])('%j → %j', (r, to) => {
    expect(go(r)).toBe(to);
  });
});

const hostile = [
  null,
  '',
  ' ',
  'invoices',
  '?x=1',
  '#x',
  '.',
  '../x',
  '//evil.example',
  '//billing.example.com/x',
  '///evil.example',
  '////evil.example/..',
  '//evil.example@billing.example.com',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  ' /invoices',
  '/invoices ',
  '/in\nvoices',
  '/in\0voices',
  '/\u00a0/evil.example',
  '/\u2028/evil.example',
  '/\u200b/evil.example',
  '/\ufeff/evil.example',
  '/\u202e/evil.example',
  '/\ud800',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/%2f/evil.example',
  '/%2F%2Fevil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/%00',
  '/%252f/evil.example',
  '/%25252fevil.example/%25252525255c',
  '/%255cevil.example',
  '/%zz',
  '/%c0%afevil.example',
  '/%E2%80%AE',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://billing.example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://billing.example.com/1',
  'file:///etc/passwd',
  'about:blank',
  'mailto:a@evil.example',
  'ftp://billing.example.com/',
  'ws://billing.example.com/',
  'filesystem:https://billing.example.com/x',
  'view-source:https://billing.example.com/',
  'https:evil.example',
  'https:/evil.example',
  'https:/portal.partner.example/x',
  'https:portal.partner.example/x',
  'https:///portal.partner.example/x',
  'https:///evil.example',
  'https:billing.example.com',
  'https:///billing.example.com',
  'https:\\\\evil.example',
  'http://billing.example.com/',
  'https://billing.example.com:8443/',
  'https://billing.example.com:80/',
  'https://billing.example.com.evil.example/',
  'https://billing.example.com./',
  'https://evil.example/https://billing.example.com',
  'https://evil.example?https://billing.example.com',
  'https://evil.example#@billing.example.com',
  'https://billing.example.com@evil.example/',
  'https://user@billing.example.com/',
  'https://user:pw@billing.example.com/',
  'https://@billing.example.com/',
  'https://:@portal.partner.example/',
  'https://billing.example.com%40evil.example/',
  'https://billing.example.com%2eevil.example/',
  'https://billing.example.com\\@evil.example/',
  'https://billing.example.com\\.evil.example/',
  'https://billing。example。com.evil.example/',
  'https://billing.examp1e.com/',
  'https://bіlling.example.com/',
  'https://evil.example\u2044billing.example.com/',
  'https://evil.example／billing.example.com/',
  'https://shop.example/',
  'https://shop.example:443/',
  'http://shop.example:8443/',
  'http://portal.partner.example/',
  'https://sub.portal.partner.example/',
  'https://portal.partner.example.evil.example/',
  'https://plain.example/x',
  'https://billing.example.com//evil.example',
  'https://billing.example.com/%2f/evil.example',
  'https://billing.example.com/.//evil.example',
  'https://[::1]/',
  'https://127.0.0.1/',
  'https://0x7f000001/',
  'https://',
  'https://:443/',
  '/'.padEnd(3000, 'a'),
];

describe('refused', () => {
  it.each(hostile.map((r) => [r]))('%j', (r) => {
    expect(go(r)).toBe('/');
  });

  it('covers enough forms', () => {
    expect(new Set(hostile).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(60);
  });
});

it('ignores list entries that are no web origin', () => {
  const odd = [
    '',
    '*',
    'null',
    'javascript:x',
    'data:,',
    'evil.example',
    'file:///',
    'blob:https://evil.example',
  ];
  for (const r of ['https://evil.example/', 'data:,x', 'file:///x', 'javascript:x']) {
    expect(safeRedirect(r, origin, odd)).toBe('/');
  }
});

it('goes home when it does not know its own origin', () => {
  expect(safeRedirect('/invoices', 'null', allowed)).toBe('/');
});

it('whatever comes in, a browser stays on this origin or goes to a listed one', async () => {
  const piece = fc.constantFrom(
    ...[
      '/',
      '\\',
      '.',
      '..',
      '//',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '%5c',
      '%25',
      '%09',
      '\t',
      '\n',
      ' ',
      '&',
      '=',
    ],
    ...[
      'http',
      'https:',
      'https://',
      'javascript:',
      'evil.example',
      'billing.example.com',
      'portal.partner.example',
    ],
    ...['invoices', '%', '%zz', '\u3002', '／', '\u200b', '%e3%80%82', '[::1]', ':443', ':8443', 'é'],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 9 }).map((pieces) => `/${pieces.join('')}`),
    fc.webUrl(),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const permitted = new Set([origin, ...allowed]);
  await fc.assert(
    fc.property(text, (r) => {
      const to = go(r);
      expect(permitted.has(new URL(to, `${origin}/login`).origin)).toBe(true);
      expect(/^\/(?![/\\])/.test(to) || allowed.some((o) => to === o || to.startsWith(`${o}/`))).toBe(true);
      // Decoding once or twice on the way must not turn it into another host either.
      if (to.startsWith('/')) {
        const path = to.split(/[?#]/)[0] ?? '';
        const twice = decodeURIComponent(decodeURIComponent(path));
        expect(new URL(twice, origin).origin).toBe(origin);
      }
      expect(go(to)).toBe(to);
    }),
    { numRuns: 5000 },
  );
});
