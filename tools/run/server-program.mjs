/** Where the server lies that is run: built of the present sources, in a folder named after them. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What it is built from, files and folders. */
const sources = (root) => [
  'package-lock.json',
  'tools/server-build.ts',
  'apps/api/src',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
];
const isSource = (path) => path.endsWith('.ts') && !/\.(test|prove)\.ts$/.test(path);

/** Folder of the builds, below the project's. */
export const BUILDS = 'apps/api/dist';

/**
 * A change of any source leads to another folder: a server that runs goes on reading the parts of its own build, and two
 * commands that build at once end with the same. Size and time tell a change: to read all takes ten times as long, at
 * each command.
 * @returns the program's path below the project's folder; it exists when it has been built
 */
export function serverProgram(root) {
  const hash = createHash('sha256').update(process.platform);
  for (const source of sources(root)) {
    const stat = statSync(join(root, source), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const files = stat.isDirectory()
      ? readdirSync(join(root, source), { recursive: true }).filter(isSource).sort()
      : [''];
    for (const file of files) {
      const path = join(source, file);
      const { size, mtimeMs } = statSync(join(root, path));
      hash.update(`\0${path}\0${size}\0${mtimeMs}`);
    }
  }
  return `${BUILDS}/${hash.digest('hex').slice(0, 16)}/main.mjs`;
}
