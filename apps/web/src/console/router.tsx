import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from '../lib/api/api-error.ts';
import { onOperatorSignedOut } from '../lib/api/console-api.ts';
import { InvitationPage } from './entry/invitation-page.tsx';
import { SignInPage } from './entry/sign-in-page.tsx';
import { loadOperator, type Operator } from './operator.ts';
import { pages } from './pages.ts';
import { ConsoleFailed, ConsoleLoading, NotHere, PageFailed } from './shell/plain-pages.tsx';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/admin/sign-in',
  component: SignInPage,
});
const invitationRoute = createRoute({
  getParentRoute: () => root,
  path: '/admin/invitation/$token',
  component: InvitationPage,
});

// Seldom needed: loaded when they are.
const entryPages = [
  { path: '/admin/password', page: () => import('./entry/forgotten-page.tsx') },
  { path: '/admin/password/$token', page: () => import('./entry/password-page.tsx') },
] as const;

/** Every page behind the sign-in. Without a session the browser goes to the sign-in and comes back afterwards. */
const shellRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }): Promise<{ operator: Operator }> => {
    try {
      return { operator: await loadOperator(context.client) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/admin/sign-in', search: { from: location.href } as never, replace: true });
    }
  },
  component: ShellPage,
  errorComponent: ConsoleFailed,
  pendingComponent: ConsoleLoading,
  pendingMs: 0,
});

function ShellPage() {
  const { operator } = shellRoute.useRouteContext();
  return <Shell operator={operator} />;
}

const inShell = { getParentRoute: () => shellRoute } as const;

const landingRoute = createRoute({
  ...inShell,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/today' as never, replace: true });
  },
});

const catchAllRoute = createRoute({ ...inShell, path: '$', component: NotHere });

/** The router of the console, built from the list of its pages. */
export function createConsoleRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: root.addChildren([
      signInRoute,
      invitationRoute,
      ...entryPages.map(({ path, page }) =>
        createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(page) }),
      ),
      shellRoute.addChildren([
        landingRoute,
        ...pages.map(({ path, page }) =>
          createRoute({
            ...inShell,
            path,
            component: lazyRouteComponent(page),
            errorComponent: PageFailed,
          }),
        ),
        catchAllRoute,
      ]),
    ]),
    context: { client },
    defaultPreload: 'intent',
    // Data is kept by the query cache; the router must not keep a second copy with its own clock.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
  onOperatorSignedOut(() => {
    client.clear();
    const { href } = router.latestLocation;
    if (!href.startsWith('/admin/sign-in'))
      void router.navigate({ to: '/admin/sign-in', search: { from: href, ended: 1 } as never });
  });
  return router;
}
