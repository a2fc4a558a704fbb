import { resolve } from 'node:path';
import { build, type Plugin, type PluginOption, type ResolvedConfig } from 'vite';

/**
 * Builds, for the server, the modules that draw a page's markup, into `dist/server/<page>.mjs`: the same components with the
 * class names of the browser's build.
 * @param modules by page, without ending; each exports `draw`
 * @param plugins those of the build, such as what stands for React
 */
export function pageRenderers(
  modules: Readonly<Record<string, string>>,
  plugins: readonly PluginOption[] = [],
): Plugin {
  let config: ResolvedConfig;
  return {
    name: `counterfoil-page-renderers ${Object.keys(modules).join(' ')}`,
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (resolved) => {
      config = resolved;
    },
    async closeBundle() {
      await build({
        root: config.root,
        configFile: false,
        // Warnings are of the browser's build, which has them too.
        logLevel: 'error',
        css: { modules: { localsConvention: 'camelCaseOnly' } },
        plugins: [...plugins],
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { noExternal: true },
        build: {
          ssr: true,
          outDir: resolve(config.root, config.build.outDir, 'server'),
          emptyOutDir: false,
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
