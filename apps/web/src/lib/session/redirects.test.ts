import { hostileRedirects } from '@counterfoil/testing/hostile-redirects.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterLoading, afterSignIn } from './guards.ts';

const origin = 'https://billing.example.com';
const allowed = ['https://portal.partner.example', 'https://shop.example:8443', 'http://plain.example'];
const permitted = new Set([origin, ...allowed]);

// What the browser makes of an address is the address as the page's own origin resolves it.
const landsOn = (to: string, page: string): string => new URL(to, `${origin}${page}`).origin;
const login = (r: string): string => {
  // As the browser hands it over: through the address bar and out of the query.
  const query = new URL(`${origin}/login?${new URLSearchParams({ r })}`).searchParams;
  return afterSignIn(null, query.get('r'), origin, allowed);
};
const loader = (r: string): string => afterLoading(`?${new URLSearchParams({ r })}`, origin, allowed);

describe('a hostile r', () => {
  // A lone surrogate does not survive the way through an address; the rule itself is tested with it.
  it.each(hostileRedirects.filter((r) => r.isWellFormed()).map((r) => [r]))(
    '%j leads to / from /login and /redirect-loader [decisions.8.redirect-otherwise-landing]',
    (r) => {
      expect([login(r), loader(r)]).toEqual(['/', '/']);
    },
  );

  it.each(hostileRedirects.map((r) => [r]))('%j as a raw query leads nowhere else either', (r) => {
    // Typed or linked without being encoded, the browser cuts it at # and & and decodes what it finds.
    const page = new URL(`${origin}/redirect-loader?r=${r}`);
    expect(permitted).toContain(landsOn(afterLoading(page.search, origin, allowed), '/redirect-loader'));
  });

  it.each(hostileRedirects.map((r) => [r]))('%j as the remembered origin is not followed', (r) => {
    expect(afterSignIn(r, null, origin, allowed)).toBe('/');
    expect(afterSignIn(r, '/usage', origin, allowed)).toBe('/usage');
  });

  it('is never followed, whatever it is made of [decisions.8.redirect-otherwise-landing]', async () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      '/\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%09',
      '%00',
      '\t',
      '\n',
      '\0',
      '@',
      ':',
      '?',
      '#',
      '&',
      'https:',
      'https://',
      'http://',
      'javascript:',
      'data:',
      'evil.example',
      'billing.example.com',
      'portal.partner.example',
      'shop.example',
      ':8443',
      '。',
      '／',
      '\u00ad',
      '\u200b',
      'r=',
      'é',
      '\ud800',
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.property(text, (r) => {
        expect(permitted).toContain(landsOn(login(r), '/login'));
        expect(permitted).toContain(landsOn(loader(r), '/redirect-loader'));
        expect(permitted).toContain(landsOn(afterSignIn(r, r, origin, allowed), '/login'));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a good r', () => {
  it.each([
    ['/invoices?page=2#row', '/invoices?page=2#row'],
    ['https://billing.example.com/usage', '/usage'],
    ['https://shop.example:8443/x', 'https://shop.example:8443/x'],
  ])('%s is followed', (r, to) => {
    expect([login(r), loader(r)]).toEqual([to, to]);
  });
  it('may be missing', () => {
    expect(afterLoading('', origin, allowed)).toBe('/');
  });
});
