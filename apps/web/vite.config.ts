import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entryRoutes } from './build/entry-routes.ts';
import { firstPaint } from './build/first-paint.ts';
import { pageRenderers } from './build/page-renderers.ts';
import { precompress } from './build/precompress.ts';
import { sizeBudget } from './build/size-budget.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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
    firstPaint(smallEntries, { 'sign-in.html': [], 'pay.html': ['/public-pay/open-pay-flow.ts'] }),
    pageRenderers({ 'sign-in': here('src/sign-in/prerender.tsx'), pay: here('src/pay/prerender.tsx') }),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined assets would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // One style sheet for what is behind the sign-in; the small entries carry their part of it in the page.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // The pay page has them already or preloads them, and their names would count against its budget.
      resolveDependencies: (file, names) =>
        /\/(open-pay-flow|part-choice|save-document)-/.test(file) ? [] : names,
    },
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
});
