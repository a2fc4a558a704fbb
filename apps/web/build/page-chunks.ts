import { basename, extname } from 'node:path';

interface ModuleLinks {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}
interface Graph {
  getModuleInfo(id: string): ModuleLinks | null;
}

/**
 * Names the file of a page's module, so that what always comes together is one request: all that the entry cannot start
 * without, and all that the modules need which it asks for at once.
 * @param next path endings of the modules asked for at once; the first gives their file its name
 * @returns for rolldown's `codeSplitting.groups`: null where the module stays where it is, on demand
 */
export function pageChunks(next: readonly string[]): (id: string, graph: Graph) => string | null {
  const [first = ''] = next;
  const nextName = basename(first, extname(first));
  return (id, graph) => {
    const above = withStaticImporters(id, graph);
    if (above.some((one) => graph.getModuleInfo(one)?.isEntry)) return 'start';
    const isNext = above.some((one) => next.some((ending) => one.endsWith(ending)));
    return isNext ? nextName : null;
  };
}

function withStaticImporters(id: string, graph: Graph): string[] {
  const found = new Set([id]);
  for (const one of found)
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) found.add(importer);
  return [...found];
}
