import type { Plugin } from 'vite';

/** Which HTML entry answers a path. The API server keeps the same table for the built portal. */
export const entryFor = (path: string): `${string}.html` => {
  if (path === '/login') return 'sign-in.html';
  if (path.startsWith('/reset-password/')) return 'reset-password.html';
  if (path.startsWith('/finish-registration/')) return 'finish-registration.html';
  if (path.startsWith('/pay/')) return 'pay.html';
  if (/^\/admin(?![^/])/.test(path)) return 'console.html';
  return 'index.html';
};

/** Development server only: serves the entries at their public paths. */
export function entryRoutes(): Plugin {
  return {
    name: 'counterfoil-entry-routes',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const accepts = request.headers.accept ?? '';
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (accepts.includes('text/html') && !path.includes('.')) request.url = `/${entryFor(path)}`;
        next();
      });
    },
  };
}
