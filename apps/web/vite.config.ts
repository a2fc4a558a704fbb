import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entryRoutes } from './build/entry-routes.ts';
import { firstPaint } from './build/first-paint.ts';
import { pageRenderers } from './build/page-renderers.ts';
import { precompress } from './build/precompress.ts';
import { sizeBudget } from './build/size-budget.ts';
import { smallPages } from './build/small-pages.ts';
import { withSmallReact } from './build/with-small-react.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Pages reached without a session: neither router nor query cache (docs/adr/0013). */
const smallEntries = ['sign-in.html', 'reset-password.html', 'finish-registration.html', 'pay.html'];

/** The operators' console: loaded apart from the portal, so that the portal does not grow with it. */
const consolePage = 'console.html';

/** Those whose markup the server draws, each with the modules its page imports as soon as it has started. */
const drawn: Readonly<Record<string, readonly string[]>> = {
  'sign-in.html': ['/brand/logo-plate.ts', '/@simplewebauthn/browser/esm/index.js'],
  'pay.html': ['/public-pay/open-pay-flow.ts', '/card/countries.ts', '/brand/logo-plate.ts'],
};

/**
 * Modules that come with a page's first file though it starts without them: what the fields of several gateways share
 * would else be a file of its own, asked for one request later.
 */
const shared: Readonly<Record<string, readonly string[]>> = {
  'pay.html': ['/kit/browser/script-loader.ts', '/kit/browser/provider-fields.tsx'],
};

export default defineConfig({
  root: here('.'),
  // Public paths are '/assets/…': every page of the portal is served from the root of a brand's host.
  base: '/',
  plugins: [
    react(),
    entryRoutes(),
    sizeBudget({ 'index.html': 150 }),
    smallPages(
      [...smallEntries, consolePage],
      (page) => ({ next: drawn[page] ?? [], shared: shared[page] ?? [] }),
      (page) =>
        page === consolePage
          ? [react(), sizeBudget({ [page]: 135 }), precompress()]
          : [
              react(),
              withSmallReact(),
              sizeBudget({ [page]: 26.5 }),
              firstPaint(page, drawn[page]),
              precompress(),
            ],
    ),
    pageRenderers({ 'sign-in': here('src/sign-in/prerender.tsx'), pay: here('src/pay/prerender.tsx') }, [
      withSmallReact(),
    ]),
    // For whoever edits a brand: the portal's own page with sample data.
    pageRenderers({ dashboard: here('src/shell/preview/prerender.tsx') }),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined assets would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // One style sheet for what is behind the sign-in.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: here('index.html'),
      // React changes rarely: a file of its own stays in caches over releases.
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// }] },
      },
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
});
