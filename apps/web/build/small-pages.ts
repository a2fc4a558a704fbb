import { resolve } from 'node:path';
import { build, type Plugin, type PluginOption, type ResolvedConfig } from 'vite';
import { type PageFiles, pageChunks } from './page-chunks.ts';

/**
 * Builds the pages that are loaded apart from the portal, each by itself, into the same folder: everything a page cannot start
 * without in one file, and nothing in it that only another page uses (docs/adr/0050).
 * @param pages   HTML files
 * @param files   which modules a page's entry imports as soon as it has started, and which come with its first file
 * @param plugins those of such a build, by its page
 */
export function smallPages(
  pages: readonly string[],
  files: (page: string) => PageFiles,
  plugins: (page: string) => readonly PluginOption[],
): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'counterfoil-small-pages',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (resolved) => {
      config = resolved;
    },
    async closeBundle() {
      const { root, base, logLevel = 'info', build: options } = config;
      for (const page of pages) {
        await build({
          root,
          base,
          logLevel,
          configFile: false,
          css: { modules: { localsConvention: 'camelCaseOnly' } },
          plugins: [...plugins(page)],
          build: {
            target: options.target,
            outDir: resolve(root, options.outDir),
            emptyOutDir: false,
            assetsInlineLimit: options.assetsInlineLimit,
            cssCodeSplit: false,
            // What comes behind the first file is asked for by the page itself (src/lib/late-code.ts).
            modulePreload: { polyfill: false, resolveDependencies: () => [] },
            rolldownOptions: {
              input: resolve(root, page),
              output: {
                codeSplitting: {
                  includeDependenciesRecursively: false,
                  groups: [{ name: pageChunks(files(page)), debugName: 'page' }],
                },
              },
            },
          },
        });
      }
    },
  };
}
