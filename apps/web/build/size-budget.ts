import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build when the JavaScript an HTML entry loads before first paint (its entry chunk and
 * everything that imports statically) outgrows its budget.
 * @param budgets KiB, gzip, by HTML file name
 */
export function sizeBudget(budgets: Readonly<Record<string, number>>): Plugin {
  return {
    name: 'counterfoil-size-budget',
    apply: 'build',
    writeBundle(_options, bundle) {
      for (const [page, budget] of Object.entries(budgets)) {
        const entry = Object.values(bundle).find(
          (item) => item.type === 'chunk' && item.isEntry && item.facadeModuleId?.endsWith(`/${page}`),
        );
        if (entry === undefined) continue;
        const chunks = closure(entry.fileName, bundle);
        const total = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0) / 1024;
        const message = `${page}: ${total.toFixed(1)} KiB of JavaScript (gzip), budget ${budget}`;
        if (total > budget) this.error(message);
        this.info(message);
      }
    },
  };
}

function closure(fileName: string, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const seen = new Map<string, Rolldown.OutputChunk>();
  const queue = [fileName];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const item = bundle[next];
    if (item?.type !== 'chunk' || seen.has(next)) continue;
    seen.set(next, item);
    queue.push(...item.imports);
  }
  return [...seen.values()];
}
