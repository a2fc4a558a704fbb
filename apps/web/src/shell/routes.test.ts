import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { isPortalPage } from './redirect-loader-page.tsx';
import { createPortalRouter } from './router.tsx';

const router = createPortalRouter(new QueryClient());

it('log-in-as and logging out stand outside the guard, everything else inside', () => {
  const outside = Object.values(
    router.routesById as Record<string, { parentRoute?: { id: string }; id: string }>,
  )
    .filter(({ parentRoute }) => parentRoute?.id === '__root__')
    .map(({ id }) => id);
  expect(outside.toSorted()).toEqual(['/la/$id', '/logout', '/shell']);
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
