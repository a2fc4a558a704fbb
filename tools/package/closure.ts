import type { LockFile } from '../checks/lockcheck.ts';

/** What is to be found at run time, and what is not wanted there. */
export interface Wanted {
  /** Paths of our own packages in the lock file, such as `apps/api`. */
  readonly workspaces: readonly string[];
  /** Names of packages that are left out, with all that only they need. */
  readonly without: RegExp;
}

/**
 * Finds all that a part of the project loads when it runs: what it depends on, and what that depends on, each where Node
 * would look for it.
 * @param lock package-lock.json
 * @returns paths of the lock file, sorted: `node_modules/…`, and our own packages
 */
export function runtimePackages(lock: LockFile, { workspaces, without }: Wanted): string[] {
  const found = new Set(workspaces);
  for (const path of found) for (const place of dependenciesOf(lock, path, without)) found.add(place);
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

/** What a package depends on, each by its path of the lock file. @param without names that are left out */
export function dependenciesOf(lock: LockFile, path: string, without?: RegExp): string[] {
  const { dependencies, optionalDependencies } = lock.packages[path] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => without?.test(name) !== true)
    .flatMap((name) => placeOf(lock, path, name) ?? []);
}

/** Beside the package, then in every `node_modules` above it; a link leads to the package itself. */
function placeOf(lock: LockFile, from: string, name: string): string | undefined {
  for (let place: string | undefined = from; place !== undefined; place = above(place)) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    const entry = lock.packages[path];
    if (entry) return entry.link ? entry.resolved : path;
  }
  return undefined;
}

function above(place: string): string | undefined {
  if (place === '') return undefined;
  const end = place.lastIndexOf('/node_modules/');
  return end < 0 ? '' : place.slice(0, end);
}
