import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { entryFor } from '../../build/entry-routes.ts';
import { isAreaEnabled } from '../lib/area.ts';
import type { Portal } from '../lib/portal/portal-context.ts';
import { areas } from './areas.ts';
import { isPortalPage } from './redirect-loader-page.tsx';
import { createPortalRouter } from './router.tsx';

const router = createPortalRouter(new QueryClient());

it('the public pages are login, reset, registration, pay and la; everything else stands behind the guard [portal.roles.la-without-login, portal.roles.public-routes]', () => {
  const entries = [
    '/login',
    '/reset-password/t',
    '/finish-registration/t',
    '/pay/t',
    '/admin',
    '/admin/x',
  ].map(entryFor);
  expect(entries).toEqual([
    'sign-in.html',
    'reset-password.html',
    'finish-registration.html',
    'pay.html',
    'console.html',
    'console.html',
  ]);
  expect(entryFor('/administration')).toBe('index.html');
  const routes = router.routesById as Record<string, { parentRoute?: { id: string }; id: string }>;
  const outside = Object.values(routes).filter(({ parentRoute }) => parentRoute?.id === '__root__');
  // Logging out is for whoever may still be signed in.
  expect(outside.map(({ id }) => id).toSorted()).toEqual(['/la/$id', '/logout', '/shell']);
  for (const path of ['/la/t', '/logout', '/', '/invoices', '/settings', '/redirect-loader', '/no/such']) {
    expect(entryFor(path)).toBe('index.html');
  }
});

it('support has the areas the user has, but for Payment Types [portal.roles.super-user-no-other-effect]', () => {
  const flags = new Proxy({}, { get: () => true });
  const portal = (isSuperUser: boolean) =>
    ({ brand: flags, settings: flags, me: { customers: [] }, isSuperUser }) as unknown as Portal;
  const of = (isSuperUser: boolean) =>
    areas.filter((one) => one.path !== '/payment-types' && isAreaEnabled(one, portal(isSuperUser)));
  expect(of(true)).toEqual(of(false));
  expect(of(true).length).toBeGreaterThan(1);
});

it.each([
  ['/', true],
  ['/invoices?page=2#row-1', true],
  ['/invoices/12', true],
  ['/settings', true],
  ['/logout', true],
  ['/pay/abc', false],
  ['/login', false],
  ['/docs', false],
  ['/nothing/here', false],
  ['https://shop.example/', false],
])('%s is a page of this document: %s', (to, is) => {
  expect(isPortalPage(router, to)).toBe(is);
});
