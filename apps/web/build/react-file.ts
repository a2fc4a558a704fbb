import { createRequire } from 'node:module';
import { build, type Plugin, type Rolldown } from 'vite';

const require = createRequire(import.meta.url);
/** React's modules; where two export the same name they mean the same. */
const MODULES = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];
const SOURCE = 'virtual:react-file';
const REQUIRED = '\0required-react';

let made: Promise<Rolldown.OutputChunk> | undefined;

/**
 * React in a file of its own, the same for every page: it changes rarely and stays in browser caches, over releases and
 * from the sign-in to what is behind it.
 */
export const reactFile = (): Promise<Rolldown.OutputChunk> => (made ??= makeReactFile());

/** Leaves React to its file. @param isEmitted the build that writes the file */
export function withReactFile(isEmitted = false): Plugin {
  return {
    name: 'counterfoil-react-file',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react/ },
      async handler(id, _importer, { kind }) {
        if (!MODULES.includes(id)) return null;
        // A browser has no `require`: who calls it gets a module of ours that imports the file.
        if (kind === 'require-call') return REQUIRED;
        return { id: `/${(await reactFile()).fileName}`, external: 'absolute' };
      },
    },
    load: {
      filter: { id: /^\0required-react$/ },
      handler: () => "export * from 'react';",
    },
    // No chunk of this build: without the tag nobody would ask for it before the code that needs it has come.
    transformIndexHtml: async () => [
      {
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${(await reactFile()).fileName}` },
        injectTo: 'head',
      },
    ],
    async generateBundle() {
      const { fileName, code } = await reactFile();
      if (isEmitted) this.emitFile({ type: 'asset', fileName, source: code });
    },
  };
}

async function makeReactFile(): Promise<Rolldown.OutputChunk> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'counterfoil-react-source',
        resolveId: (id) => (id === SOURCE ? id : null),
        load: (id) => (id === SOURCE ? reexports() : null),
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: SOURCE,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'assets/react-[hash].js' },
      },
    },
  });
  const [chunk] = (result as Rolldown.RolldownOutput).output;
  return chunk;
}

function reexports(): string {
  const seen = new Set(['default']);
  const lines = MODULES.map((module) => {
    const names = Object.keys(require(module) as object).filter((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return `export { ${names.join(', ')} } from '${module}';`;
  });
  return [...lines, "export { default } from 'react';"].join('\n');
}
