import { resolve } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { withSmallReact } from './with-small-react.ts';

/**
 * Builds, for the server, the modules that draw a page's first markup (`DrawPage`), into `dist/server/<page>.mjs`: the
 * same components with the class names of the browser's build.
 * @param modules by page, without ending
 */
export function pageRenderers(modules: Readonly<Record<string, string>>): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'counterfoil-page-renderers',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (resolved) => {
      config = resolved;
    },
    async closeBundle() {
      await build({
        root: config.root,
        configFile: false,
        logLevel: 'warn',
        css: { modules: { localsConvention: 'camelCaseOnly' } },
        plugins: [withSmallReact()],
        ssr: { noExternal: true },
        build: {
          ssr: true,
          outDir: resolve(config.root, config.build.outDir, 'server'),
          emptyOutDir: true,
          target: 'es2023',
          minify: true,
          rolldownOptions: {
            input: { ...modules },
            output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
          },
        },
      });
    },
  };
}
