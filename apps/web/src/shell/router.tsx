import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { openApi } from '../lib/api/open-api.ts';
import { SignedOut } from '../lib/api/refresh.ts';
import { revokeToken } from '../lib/api/token.ts';
import { type Area, isAreaEnabled, landingPath, type PreloadArguments } from '../lib/area.ts';
import { runtimeConfig } from '../lib/page/runtime-config.ts';
import type { Portal } from '../lib/portal/portal-context.ts';
import { loadPortal } from '../lib/portal/portal-queries.ts';
import { goToSignIn } from '../lib/session/leave.ts';
import { session } from '../lib/session/session-store.ts';
import { areas } from './areas.ts';
import { LoadingFrame } from './frame.tsx';
import { LogoutPage } from './logout-page.tsx';
import { NoAreasPage, NotFoundPage, PageFailed, PortalFailedPage } from './plain-pages.tsx';
import { RedirectLoaderPage } from './redirect-loader-page.tsx';
import { Shell } from './shell.tsx';

interface RouterContext {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** A navigation that never ends: the browser is leaving this document. */
const leaving = (): Promise<never> => new Promise(() => undefined);

/** Every signed-in page. Without a session the browser goes to /login and comes back here afterwards. */
const shellRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context }): Promise<{ portal: Portal }> => {
    if (session.auth() === null) {
      goToSignIn();
      return leaving();
    }
    try {
      return { portal: await loadPortal(context.client) };
    } catch (error) {
      // The browser is on its way to /login already; the page of failures is not for that.
      if (error instanceof SignedOut) return leaving();
      throw error;
    }
  },
  component: ShellPage,
  errorComponent: PortalFailedPage,
  pendingComponent: LoadingFrame,
  pendingMs: 0,
});

function ShellPage() {
  const { portal } = shellRoute.useRouteContext();
  return <Shell portal={portal} />;
}

const inShell = { getParentRoute: () => shellRoute } as const;

const landingRoute = createRoute({
  ...inShell,
  path: '/',
  beforeLoad: ({ context }) => {
    const path = landingPath(areas, context.portal);
    if (path !== undefined) throw redirect({ to: path, replace: true });
  },
  component: NoAreasPage,
});

const redirectLoaderRoute = createRoute({
  ...inShell,
  path: '/redirect-loader',
  component: RedirectLoaderPage,
});
const catchAllRoute = createRoute({
  ...inShell,
  path: '$',
  beforeLoad: ({ location }) => {
    // Rules say 'to /dashboard' wherever a person is to land; where there is none, '/' decides (decisions 1).
    if (location.pathname === '/dashboard') throw redirect({ to: '/', replace: true });
  },
  component: NotFoundPage,
});

/** Ends the session even when nobody is signed in, so it stands outside the shell. */
const logoutRoute = createRoute({ getParentRoute: () => root, path: '/logout', component: LogoutPage });

/** Support comes in by a one-time code, whether or not somebody is signed in here: outside the shell too. */
const loginAsRoute = createRoute({
  getParentRoute: () => root,
  path: '/la/$id',
  beforeLoad: async ({ params, preload }) => {
    if (preload) return;
    const { loginAs } = await import('../features/login-as/login-as.ts');
    const fetcher = globalThis.fetch.bind(globalThis);
    const revoke = (token: string) => revokeToken(fetcher, runtimeConfig.apiHost, token);
    const search = new URLSearchParams(globalThis.location.search);
    const to = await loginAs({ openApi, session, revoke }, params.id, search);
    // Another document, so that nothing of whoever was signed in here stays in memory.
    globalThis.location.replace(to);
    return leaving();
  },
  pendingComponent: LoadingFrame,
  pendingMs: 0,
});

/** The routes of an area: its page and the pages under it, behind its flag. */
function areaRoutes(area: Area): AnyRoute[] {
  const pages = [{ ...area, path: area.path as string }].concat(
    (area.children ?? []).map((child) => ({ ...area, ...child, path: `${area.path}/${child.path}` })),
  );
  return pages.map(({ path, page, preload }) =>
    createRoute({
      ...inShell,
      path,
      beforeLoad: ({ context }) => {
        // Falls through to the landing redirector (decisions 1).
        if (!isAreaEnabled(area, context.portal))
          throw redirect({ to: area.otherwise ?? '/', replace: true });
      },
      loader: ({ context, params, location }) => {
        preload?.({
          client: context.client,
          portal: context.portal,
          params,
          search: location.search,
        } as PreloadArguments);
      },
      component: lazyRouteComponent(page),
      errorComponent: PageFailed,
    }),
  );
}

/** The router of the signed-in portal, built from the areas. */
export function createPortalRouter(client: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      logoutRoute,
      loginAsRoute,
      shellRoute.addChildren([
        landingRoute,
        redirectLoaderRoute,
        ...areas.flatMap(areaRoutes),
        catchAllRoute,
      ]),
    ]),
    context: { client },
    defaultPreload: 'intent',
    // Data is kept by the query cache; the router must not keep a second copy with its own clock.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
}
