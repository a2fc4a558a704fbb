import { hostileRedirects } from '@counterfoil/testing/hostile-redirects.ts';
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

describe('refused', () => {
  it.each([null, '', ...hostileRedirects].map((r) => [r]))('%j', (r) => {
    expect(go(r)).toBe('/');
  });

  it('covers enough forms, many of which a browser would follow away from here', () => {
    expect(new Set(hostileRedirects).size).toBe(hostileRedirects.length);
    expect(hostileRedirects.length).toBeGreaterThanOrEqual(150);
    const permitted = new Set([origin, ...allowed]);
    const leaving = hostileRedirects.filter(
      (r) => URL.canParse(r, origin) && !permitted.has(new URL(r, origin).origin),
    );
    expect(leaving.length).toBeGreaterThanOrEqual(60);
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

it('whatever comes in, a browser stays on this origin or goes to a listed one [decisions.8.redirect-otherwise-landing]', async () => {
  const piece = fc.constantFrom(
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
    'http',
    'https:',
    'https://',
    'javascript:',
    'evil.example',
    'billing.example.com',
    'portal.partner.example',
    'invoices',
    '%',
    '%zz',
    '\u3002',
    '／',
    '\u200b',
    '%e3%80%82',
    '[::1]',
    ':443',
    ':8443',
    'é',
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
        expect(new URL(twice, origin).pathname.startsWith('//')).toBe(false);
      }
      expect(go(to)).toBe(to);
    }),
    { numRuns: 5000 },
  );
});
