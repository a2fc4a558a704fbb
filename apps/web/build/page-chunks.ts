import { basename, extname } from 'node:path';

interface ModuleLinks {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
}
interface Graph {
  getModuleInfo(id: string): ModuleLinks | null;
}

/** Path endings of modules, by the file they come in. */
export interface PageFiles {
  /** Asked for as soon as the page has started; the first gives their file its name. */
  readonly next: readonly string[];
  /** In the first file, though the page starts without them. */
  readonly shared: readonly string[];
}

/**
 * Names the file of a page's module, so that what always comes together is one request: all that the entry cannot start
 * without, and all that the modules need which it asks for at once.
 * @returns for rolldown's `codeSplitting.groups`: null where the module stays where it is, on demand
 */
export function pageChunks({ next, shared }: PageFiles): (id: string, graph: Graph) => string | null {
  const [first = ''] = next;
  const nextName = basename(first, extname(first));
  return (id, graph) => {
    if (shared.some((ending) => id.endsWith(ending))) return 'start';
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
