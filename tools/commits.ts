import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './process.ts';

const readyWithinMs = 300_000;

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

async function inWorktree<T>(commit: string, use: (folder: string) => Promise<T>): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), 'counterfoil-commit-'));
  const folder = join(parent, 'checkout');
  const made = await run('git', ['worktree', 'add', '--detach', '--quiet', folder, commit], {
    output: 'keep',
  });
  if (made.code !== 0) throw new Error(made.output);
  try {
    const lock = 'package-lock.json';
    const isSame = readFileSync(join(root, lock), 'utf8') === readFileSync(join(folder, lock), 'utf8');
    // The links to our own packages are relative, so a copy leads to the sources of the commit.
    if (isSame) {
      const keep = (path: string) => !path.endsWith('/node_modules/.cache');
      cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: keep,
      });
    }
    return await use(folder);
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder], { output: 'keep' });
    rmSync(parent, { recursive: true, force: true });
  }
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
  const data = join(folder, '..', 'data');
  const env = {
    ...process.env,
    PORT: `${await freePort()}`,
    SANDBOX_PORT: `${await freePort()}`,
    DATA_DIR: data,
  };
  const child = spawn(process.execPath, ['tools/run.mjs', 'start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), readyWithinMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/^ready /m.test(output)) resolve(true);
      });
    }
    child.once('exit', () => resolve(false));
    child.once('exit', () => clearTimeout(timer));
  });
  child.kill('SIGTERM');
  await ended;
  if (!isReady) return `${output.split('\n').slice(-20).join('\n')}\n`;
  return wasInstalled ? undefined : types(folder);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
