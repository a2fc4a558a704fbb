import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entryRoutes } from './build/entry-routes.ts';
import { precompress } from './build/precompress.ts';
import { prerender } from './build/prerender.ts';
import { sizeBudget } from './build/size-budget.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where `vite` (development only) finds the API. The built portal is served by the API itself. */
const apiTarget = 'http://localhost:3000';

/** Pages reached without a session: neither router nor query cache (docs/adr/0013). */
const smallEntries = ['sign-in.html', 'reset-password.html', 'finish-registration.html', 'pay.html'];

export default defineConfig({
  root: here('.'),
  // Public paths are '/assets/…': every page of the portal is served from the root of a brand's host.
  base: '/',
  plugins: [
    react(),
    entryRoutes(),
    sizeBudget({ ...Object.fromEntries(smallEntries.map((page) => [page, 90])), 'index.html': 150 }),
    prerender([{ page: 'sign-in.html', module: 'src/sign-in/prerender.tsx' }]),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined assets would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // One style sheet for all entries (7 KiB gzip): fewer requests before the first paint, cached for every page.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // React changes rarely: its chunk stays in browser caches over releases.
      output: {
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }],
        },
      },
      input: ['index.html', ...smallEntries].map(here),
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/token', '/brand.css', '/sso'].map((path) => [
        path,
        { target: apiTarget, changeOrigin: false },
      ]),
    ),
  },
});
