import { safeRedirect } from '@counterfoil/domain/redirect.ts';
import { useEffect } from 'react';
import { usePortal } from '../lib/portal/portal-context.ts';
import { SpinnerOverlay } from '../ui/spinner.tsx';

/** Shows a loader and sends the browser to `r` when that is safe, otherwise to the landing page. */
export function RedirectLoaderPage() {
  const { brand } = usePortal();
  useEffect(() => {
    const { location } = globalThis;
    const r = new URLSearchParams(location.search).get('r');
    location.replace(safeRedirect(r, location.origin, brand.allowedOrigins));
  }, [brand]);
  return <SpinnerOverlay />;
}
