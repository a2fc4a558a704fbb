import { dirname, join } from 'node:path/posix';
import type { SourceFile } from './source-file.ts';

/** An import that leads to another file of the project. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const workspace = /^@counterfoil\/([\w-]+)\/(.+)$/;
const folders: Readonly<Record<string, string>> = { api: 'apps', web: 'apps' };

/** The links between these files; imports of packages and of Node are left out. */
export function linksBetween(files: readonly SourceFile[]): Link[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, typeOnly }) => {
      const to = resolveImport(path, specifier, paths);
      return to ? [{ from: path, to, specifier, typeOnly }] : [];
    }),
  );
}

function resolveImport(from: string, specifier: string, paths: ReadonlySet<string>): string | undefined {
  const target = importTarget(from, specifier);
  if (!target) return undefined;
  return [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((path) => paths.has(path));
}

function importTarget(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  const [, name, path] = workspace.exec(specifier) ?? [];
  return name && path ? `${folders[name] ?? 'packages'}/${name}/src/${path}` : undefined;
}

/** Files reachable from these, themselves included, over links that load something. */
export function reachable(start: readonly string[], links: readonly Link[]): Set<string> {
  const next = Map.groupBy(
    links.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const found = new Set(start);
  for (const path of found) for (const { to } of next.get(path) ?? []) found.add(to);
  return found;
}

/** Import cycles, each as the files on it. Types count: files that need each other's cannot be read one after the other. */
export function cycles(links: readonly Link[]): string[][] {
  const next = Map.groupBy(links, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const found: string[][] = [];
  const path: string[] = [];
  const visit = (file: string) => {
    state.set(file, 'open');
    path.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (state.get(to) === 'open') found.push(path.slice(path.indexOf(to)));
      else if (!state.has(to)) visit(to);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of next.keys()) if (!state.has(file)) visit(file);
  return found;
}
