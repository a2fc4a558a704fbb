import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, root, runScript } from './process.ts';
import { projectFiles } from './project-files.ts';

/** Everything the portal is built from. */
const sources = /^(apps\/web\/|packages\/(contract|domain|gateways)\/src\/|package-lock\.json$)/;
const tests = /\.(test|prove)\.tsx?$/;
const mark = join(root, 'apps/web/dist/.sources');

/**
 * Builds the portal if its sources changed since the last build. The build itself holds the size budgets.
 * @returns the exit code
 */
export async function buildWeb(): Promise<number> {
  const hash = sourceHash();
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return 0;
  const { code, output } = await runScript(packageFile('vite/bin/vite.js'), ['build', '--logLevel', 'info'], {
    cwd: join(root, 'apps/web'),
    env: { NODE_ENV: 'production' },
    output: 'keep',
  });
  if (code === 0) writeFileSync(mark, hash);
  process.stderr.write(code === 0 ? budgetLines(output) : output);
  return code;
}

function sourceHash(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of projectFiles(root)) {
    if (sources.test(path) && !tests.test(path))
      hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function budgetLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.includes('budget'));
  return lines.map((line) => `${line.trim()}\n`).join('');
}
