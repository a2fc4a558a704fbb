import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './process.ts';

/** Installing, building and making the demo world take minutes on a busy machine. */
const readyWithinMs = 600_000;

/** Gives a commit's files in a folder of their own, with the packages where the lock file is ours, and takes them away after use. */
export async function inWorktree<T>(commit: string, use: (folder: string) => Promise<T>): Promise<T> {
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

/** What became of a start as `npm start` does it. */
export interface StartedTree {
  /** Of the portal. */
  readonly url: string;
  /** Whether it printed that it is ready; else it has ended, or did not get there in time. */
  readonly isReady: boolean;
  /** What it has printed, both streams. */
  output(): string;
  /** As an operator does. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the tree in a folder with the demo world on free ports, and waits until it is ready or has ended. */
export async function startTree(folder: string, dataDir: string): Promise<StartedTree> {
  const port = await freePort();
  const child = spawn(process.execPath, ['tools/run.mjs', 'start'], {
    cwd: folder,
    env: {
      ...process.env,
      DEMO: '1',
      PORT: `${port}`,
      SANDBOX_PORT: `${await freePort()}`,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return {
    url: `http://localhost:${port}`,
    isReady: await readiness(child),
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readiness(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), readyWithinMs);
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      resolve(isReady);
    };
    let printed = '';
    child.stdout?.on('data', (text: string) => {
      printed += text;
      if (/^ready /m.test(printed)) settle(true);
    });
    child.once('exit', () => settle(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
