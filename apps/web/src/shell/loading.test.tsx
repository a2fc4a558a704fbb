import { QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpinnerOverlay } from '../ui/overlays/spinner.tsx';
import { LoadingFrame } from './frame.tsx';
import { createPortalRouter } from './router.tsx';

it('a spinner overlay marks loading: at once while the portal loads, and said in words [portal.shell.control.spinner]', () => {
  const { routesById } = createPortalRouter(new QueryClient());
  const shell = routesById['/shell'];
  expect([shell.options.pendingComponent, shell.options.pendingMs]).toEqual([LoadingFrame, 0]);
  const markup = renderToStaticMarkup(<SpinnerOverlay />);
  expect(markup).toMatch(/^<div class="[^"]*overlay[^"]*" role="status"><span class="[^"]*spin[^"]*"/);
  expect(markup).toContain('Loading');
});
