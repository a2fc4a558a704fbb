import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { reactOnly } from './react-only.ts';

const names = fileURLToPath(new URL('./small-react.ts', import.meta.url));

/** What stands for React's modules. */
const modules: Readonly<Record<string, string>> = {
  react: names,
  'react-dom/client': names,
  'react/jsx-runtime': 'preact/compat/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/compat/jsx-dev-runtime',
  'react-dom/server': 'preact-render-to-string',
};

/**
 * Builds React's components on Preact, an eighth of its size, for the pages reached without a session
 * (docs/adr/0056). Fails the build where a component needs more of React than that has.
 */
export function withSmallReact(): Plugin {
  return {
    name: 'counterfoil-small-react',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react(-dom)?(\/|$)/ },
      handler(id) {
        const stands = modules[id];
        if (stands === undefined)
          this.error(`nothing stands for ${id} on pages without a session (docs/adr/0056)`);
        return this.resolve(stands, names);
      },
    },
    load: {
      filter: { id: { include: /\.tsx$/, exclude: /\/node_modules\// } },
      async handler(id) {
        const found = reactOnly(await readFile(id, 'utf8'), id);
        if (found.length > 0)
          this.error(`${id} on a page without a session (docs/adr/0056):\n${found.join('\n')}`);
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        const react =
          chunk.type === 'chunk' && chunk.moduleIds.find((id) => /\/node_modules\/react(-dom)?\//.test(id));
        if (react) this.error(`${chunk.fileName} holds ${react}: React is the portal's alone`);
      }
    },
  };
}
