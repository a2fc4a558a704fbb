import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.ts';
import { inWorktree, startTree } from './worktree.ts';

/**
 * Checks that each commit of a range stands by itself: its types hold, and it starts to ready with the demo world.
 * @param args the range as `git rev-list` takes it, such as `main..`; without one the last commit
 * @returns the exit code
 */
export async function checkCommits(args: readonly string[]): Promise<number> {
  const range = args.length > 0 ? args : ['-1', 'HEAD'];
  const listed = await run('git', ['rev-list', '--reverse', ...range], { output: 'keep' });
  if (listed.code !== 0) {
    process.stderr.write(listed.output);
    return 1;
  }
  let failed = 0;
  for (const commit of listed.output.split('\n').filter((line) => line !== '')) {
    const fault = await inWorktree(commit, async (folder) => (await types(folder)) ?? (await starts(folder)));
    const { output } = await run('git', ['show', '-s', '--format=%h %s', commit], { output: 'keep' });
    process.stdout.write(`${fault === undefined ? '✓' : '✗'} ${output.trim()}\n${fault ?? ''}`);
    if (fault !== undefined) failed += 1;
  }
  return failed > 0 ? 1 : 0;
}

/** @returns what the compiler says, undefined when it is content */
async function types(folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, 'node_modules'))) return undefined; // the start installs; types are checked after it
  for (const project of ['tsconfig.json', 'apps/web', 'e2e']) {
    const compiler = join(folder, 'node_modules/typescript/bin/tsc');
    const { code, output } = await run(process.execPath, [compiler, '-p', project], {
      cwd: folder,
      output: 'keep',
    });
    if (code !== 0) return output;
  }
  return undefined;
}

/** @returns the last lines of a start that does not get ready, undefined when it does */
async function starts(folder: string): Promise<string | undefined> {
  const wasInstalled = existsSync(join(folder, 'node_modules'));
  const tree = await startTree(folder, join(folder, '..', 'data'));
  await tree.stop();
  if (!tree.isReady) return `${tree.output().split('\n').slice(-20).join('\n')}\n`;
  return wasInstalled ? undefined : types(folder);
}
