import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** A page whose first markup is made at build time, and the module that exports `html(): string`. */
interface PrerenderedPage {
  readonly page: string;
  readonly module: string;
}

const emptyRoot = '<div id="root"></div>';

/**
 * Writes a page's first markup into its HTML, so that a phone paints it before any script has arrived; the script
 * then takes the markup over (`hydrateRoot`). What depends on the brand is drawn afterwards.
 */
export function prerender(pages: readonly PrerenderedPage[]): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'counterfoil-prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (resolved) => {
      config = resolved;
    },
    async closeBundle() {
      const outDir = resolve(config.root, config.build.outDir);
      const folder = await mkdtemp(join(outDir, '.prerender-'));
      try {
        for (const { page, module } of pages) {
          const markup = await markupOf(config, module, folder);
          const file = join(outDir, page);
          const html = await readFile(file, 'utf8');
          if (!html.includes(emptyRoot)) this.error(`${page} has no empty root to fill`);
          await writeFile(
            file,
            html.replace(emptyRoot, () => `<div id="root">${markup}</div>`),
          );
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Builds the module for Node, with the class names of the browser build, and calls it. */
async function markupOf(config: ResolvedConfig, module: string, folder: string): Promise<string> {
  await build({
    root: config.root,
    configFile: false,
    logLevel: 'warn',
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    ssr: { noExternal: true },
    build: {
      ssr: module,
      outDir: folder,
      target: 'es2023',
      rolldownOptions: { output: { entryFileNames: 'page.mjs' } },
    },
  });
  const built: unknown = await import(pathToFileURL(join(folder, 'page.mjs')).href);
  if (typeof built !== 'object' || built === null || !('html' in built) || typeof built.html !== 'function') {
    throw new TypeError(`${module} does not export html()`);
  }
  return String(built.html());
}
