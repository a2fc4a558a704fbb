import { useQueryClient } from '@tanstack/react-query';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { preloadAtSignIn } from '../lib/page/preload-at-sign-in.ts';
import { usePortal } from '../lib/portal/portal-context.ts';
import { afterLoading } from '../lib/session/guards.ts';
import { SpinnerOverlay } from '../ui/overlays/spinner.tsx';
import { areas } from './areas.ts';

/** Shows a loader while the areas load what they want at hand, then goes to `r` when that is safe, else to '/'. */
export function RedirectLoaderPage() {
  const portal = usePortal();
  const client = useQueryClient();
  const router = useRouter();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const { location } = globalThis;
    const { href, search, origin } = location;
    void preloadAtSignIn(areas, { client, portal }).then(() => {
      // Whoever went elsewhere meanwhile stays there.
      if (location.href === href) goTo(router, afterLoading(search, origin, portal.brand.allowedOrigins));
    });
  }, [portal, client, router]);
  return <SpinnerOverlay />;
}

/** Within the portal without a new document, so that what has been loaded stays; anywhere else by the browser. */
function goTo(router: AnyRouter, to: string): void {
  if (isPortalPage(router, to)) router.history.replace(to);
  else globalThis.location.replace(to);
}

/** Whether this document shows the page at an address: not another entry, such as a pay link, nor another origin. */
export function isPortalPage(router: Pick<AnyRouter, 'getMatchedRoutes'>, to: string): boolean {
  if (!to.startsWith('/')) return false;
  const [path = '/'] = to.split(/[?#]/);
  const [matched] = router.getMatchedRoutes(path);
  return matched.at(-1)?.fullPath !== '/$';
}
