import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { filesMatching } from './tools/project-files.ts';
import { ownFixtures } from './tools/vitest/own-fixtures.ts';

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(
    `the tests need the project's own Node, not ${process.version}: PATH=node_modules/.bin:$PATH vitest run`,
  );
}

const proves = process.env['PROVE'] === '1';

// Compiled once for all workers and for the processes that tests start, where those that `npm start` starts have it too.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'compile');

/** What a file with this puts in the place of a module must not be seen by others. */
const REPLACES_MODULES = /\bvi\.(mock|unmock|doMock|resetModules)\(/;
const sharing = (path: RegExp): string[] =>
  filesMatching(import.meta.dirname, path).filter(
    (file) => !REPLACES_MODULES.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
/** Rooms whose modules are loaded once for each worker, not once for each file: a third of the processor time. */
const portal = sharing(
  /^(apps\/web\/(src|test|build)|packages\/(domain|contract)\/(src|test))\/.*\.test\.tsx?$/,
);
/** The access matrix takes as long as dozens of others: alone it is begun among the first. */
const server = sharing(/^apps\/api\/src\/(?!.*\/access-matrix\.test).*\.test\.ts$/);
const exclude = [...configDefaults.exclude, '**/dist/**', '**/.data/**'];

export default defineConfig({
  plugins: [ownFixtures(import.meta.dirname)],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: [
            '{apps,packages}/*/{src,test,build}/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
            ...(proves ? ['{apps,packages}/*/{src,test}/**/*.prove.ts', 'tools/**/*.prove.ts'] : []),
          ],
          exclude: [...exclude, ...portal, ...server],
        },
      },
      { extends: true, test: { name: 'portal', include: portal, exclude, isolate: false } },
      { extends: true, test: { name: 'server', include: server, exclude, isolate: false } },
    ],
    environment: 'node',
    globalSetup: ['apps/api/test/global-setup.ts'],
    setupFiles: [
      'tools/vitest/fail-on-console-error.ts',
      'tools/vitest/cheap-passwords.ts',
      'tools/vitest/real-timers.ts',
    ],
    pool: 'forks',
    // Two more than there are cores: files wait for processes, gateways and databases for half of their time.
    maxWorkers: Math.min(4, availableParallelism() + 2),
    // For what hangs, not for what is slow: on a busy machine a test that starts processes takes ten times as long.
    testTimeout: proves ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
    // What is waited for comes at once on a quiet machine; on a busy one later.
    expect: { poll: { timeout: 30_000 } },
    // As with the end-to-end tests: one failure by chance in thousands must not hide what the rest says. It is named at the end.
    retry: process.env['CI'] === undefined ? 0 : 1,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
