import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import PaymentResultPage from './payment-result-page.tsx';

afterEach(() => vi.unstubAllGlobals());

it('shows a loader until it is known how the payment ended [payments.result.control.loader]', async () => {
  vi.stubGlobal('location', { search: '?req_uid=s-1', pathname: '/payment-result' });
  const portal = { brand: { name: 'Northline' }, settings: {}, customer: undefined } as unknown as Portal;
  const root = createRootRoute({ component: PaymentResultPage });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });
  await router.load();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <PortalContext value={portal}>
        <RouterProvider router={router as never} />
      </PortalContext>
    </QueryClientProvider>,
  );
  expect(markup).toMatch(/role="status".*Asking how the payment ended…/);
  expect(markup).not.toMatch(/Failed|Successful/);
});
