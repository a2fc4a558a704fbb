import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(
    `the tests need the project's own Node, not ${process.version}: PATH=node_modules/.bin:$PATH vitest run`,
  );
}

const proves = process.env['PROVE'] === '1';

export default defineConfig({
  test: {
    include: [
      '{apps,packages}/*/{src,test,build}/**/*.test.{ts,tsx}',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
      ...(proves ? ['{apps,packages}/*/{src,test}/**/*.prove.ts', 'tools/**/*.prove.ts'] : []),
    ],
    exclude: [...configDefaults.exclude, '**/dist/**', '**/.data/**'],
    environment: 'node',
    globalSetup: ['apps/api/test/global-setup.ts'],
    setupFiles: ['tools/vitest/fail-on-console-error.ts'],
    pool: 'forks',
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())),
    testTimeout: proves ? 1_800_000 : 20_000,
    hookTimeout: 60_000,
    // What is waited for comes at once on a quiet machine; on a busy one later.
    expect: { poll: { timeout: 10_000 } },
    // As with the end-to-end tests: one failure by chance in thousands must not hide what the rest says. It is named at the end.
    retry: process.env['CI'] === undefined ? 0 : 1,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
