import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { filesMatching } from '../project-files.ts';

/** Tests of code that is loaded in the test's own process, and what is written for them. */
const OF_TESTS =
  /^(apps\/web\/(src|test|build)\/.*\.test\.tsx?|apps\/api\/(src\/.*\.test|test\/.*)\.ts|packages\/.*(\.test|test-support)\.tsx?)$/;
/** The portal's build stays apart: what its small React takes for a browser is decided once for a process. */
const SHARED = /^(apps\/(web\/(src|test)|api\/src)|packages)\/.*\.test\.tsx?$/;
/** What a file with this puts in the place of a module must not be seen by others. */
const REPLACES_MODULES = /\bvi\.(mock|doMock|unmock|resetModules)\(/;
/** Such hooks belong to the file that loads the module first, and to none after it. */
const HOOKS_AS_IT_LOADS =
  /^((before|after)(Each|All)\(|(export )?const [^=]+ = (use[A-Z]\w*|benchOf)\(|export default use[A-Z])/m;
const IMPORT = /^(?:import|export) (?!type )[^;']*'(\.[^']+)';$/gm;

/**
 * Test files that may run one after another in one process, so that each module is loaded once for all of them. Left out are
 * those that replace modules, and those over a fixture that registers hooks as it loads.
 * @param root of the project
 * @returns paths below it
 */
export function sharedFiles(root: string): string[] {
  const files = new Map(
    filesMatching(root, OF_TESTS).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const known = new Map<string, boolean>();
  const registersHooks = (path: string): boolean => {
    const text = files.get(path) ?? '';
    const found =
      known.get(path) ?? (HOOKS_AS_IT_LOADS.test(text) || importsOf(path, text).some(registersHooks));
    known.set(path, found);
    return found;
  };
  return [...files]
    .filter(([path, text]) => SHARED.test(path) && !REPLACES_MODULES.test(text))
    .filter(([path, text]) => !importsOf(path, text).some(registersHooks))
    .map(([path]) => path);
}

const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, specifier = '']) => join(path, '..', specifier));
