import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { architectureFaults } from './architecture.ts';
import { type LockFile, lockFaults, platformFaults } from './checks/lockcheck.ts';
import { lastLanding, migrationFaults, readLanded, readMigrationFiles } from './checks/migrations.ts';
import { type Counts, none, playwrightCounts, vitestCounts } from './counts.ts';
import { missingPaths } from './documents/walks.ts';
import { checkGenerated } from './generate.ts';
import { packageFile, root, runScript } from './process.ts';
import { projectFiles } from './project-files.ts';
import { buildServer } from './server-build.ts';
import { buildWeb } from './web-build.ts';

/** One part of a test run. */
export interface Step {
  readonly name: string;
  /** Prints what is wrong; what passes is quiet. */
  run(): Promise<StepResult>;
}

export interface StepResult {
  readonly ok: boolean;
  readonly counts?: Counts;
}

/** Reading the code: format, lint, types, rules. They do not need each other; what takes longest is begun first. */
export const staticSteps: readonly Step[] = [
  {
    name: 'format and lint',
    async run() {
      const args = ['check', '--error-on-warnings', '--max-diagnostics=50', '.'];
      const result = await script('@biomejs/biome/bin/biome', args);
      if (!result.ok)
        process.stdout.write('npm run format mends the format, and of lint what can be mended.\n');
      return result;
    },
  },
  {
    name: 'types',
    run: async () => {
      const results = await Promise.all(
        ['tsconfig.json', 'apps/web', 'e2e'].map((project) => script('typescript/bin/tsc', ['-p', project])),
      );
      return { ok: results.every(({ ok }) => ok) };
    },
  },
  { name: 'dead code', run: () => script('knip/bin/knip.js', ['--no-progress', '--no-config-hints']) },
  { name: 'lock file', run: async () => report([...lockFaults(readLock()), ...platformFaults(readLock())]) },
  { name: 'generated files', run: async () => ({ ok: (await checkGenerated()) === 0 }) },
  {
    name: 'landed migrations',
    run: async () => report(migrationFaults(readLanded(), readMigrationFiles(), await lastLanding())),
  },
  {
    name: 'architecture',
    run: async () =>
      report(architectureFaults(root).map(({ path, rule, message }) => `${path}: ${rule}: ${message}`)),
  },
  { name: 'paths in documents', run: async () => report(pathFaults()) },
];

/**
 * Running the code. Portal and server are built first: both kinds of tests serve the one, those end to end run the other. They run one after the other: side by side they
 * have twice the load, and what waits for a time limit fails.
 */
export const runningSteps: readonly Step[] = [
  { name: 'portal build and size budgets', run: async () => ({ ok: (await buildWeb()) === 0 }) },
  { name: 'server build', run: async () => ({ ok: (await buildServer()) === 0 }) },
  { name: 'unit and integration tests', run: () => runVitest([]) },
  { name: 'end-to-end tests', run: () => runPlaywright(['--pass-with-no-tests']) },
];

/** Runs Vitest and counts. @param args of the command line, such as paths */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const summary = summaryFile('vitest.json');
  const reporters = ['default', 'json', join(root, 'tools/vitest/second-tries.ts')].map(
    (one) => `--reporter=${one}`,
  );
  const { code } = await runScript(
    packageFile('vitest/vitest.mjs'),
    ['run', ...reporters, `--outputFile.json=${summary}`, ...args],
    { env },
  );
  return { ok: code === 0, counts: vitestCounts(summary) };
}

/** Runs Playwright, which builds the portal and starts what its tests need, and counts. @param args of the command line */
export async function runPlaywright(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const summary = summaryFile('playwright.json');
  const { code } = await runScript(packageFile('@playwright/test/cli.js'), ['test', ...args], {
    env: { ...env, PLAYWRIGHT_SUMMARY: summary },
  });
  return { ok: code === 0, counts: playwrightCounts(summary) };
}

/** A fresh place for a report: an old one must never be counted. */
function summaryFile(name: string): string {
  const folder = join(root, 'node_modules', '.cache', 'test-run');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}

async function script(path: string, args: readonly string[]): Promise<StepResult> {
  const { code, output } = await runScript(packageFile(path), args, { output: 'keep' });
  if (code !== 0) process.stdout.write(output);
  return { ok: code === 0 };
}

function report(faults: readonly string[]): StepResult {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  return { ok: faults.length === 0, counts: none };
}

function readLock(): LockFile {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
}

/** Paths that the documents name, relative to the root, and that are not there. */
function pathFaults(): string[] {
  const files = projectFiles(root);
  const pages = ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/security.md', 'docs/asvs.md'];
  return pages.flatMap((page) => {
    // What the product makes while it runs is no file of the project.
    const text = readFileSync(join(root, page), 'utf8').replaceAll('`.data/outbox`', '');
    return missingPaths(text, files).map((path) => `${page} names ${path}, which does not exist`);
  });
}
