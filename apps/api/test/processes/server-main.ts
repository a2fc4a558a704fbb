import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serverProgram } from '../../../../tools/run/server-program.mjs';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = 'apps/api/src/main.ts';
let known: string | undefined;

/**
 * The server's program for tests that start it as a process, a path below the project's root: the build of the present sources,
 * which `npm test` makes before and which operators run; where there is none, the sources, which take a second of a processor
 * longer to load.
 */
export function serverMain(): string {
  known ??= [serverProgram(ROOT)].find((path) => existsSync(join(ROOT, path))) ?? SOURCES;
  return known;
}
