import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const WITHIN_MS = 60_000;

/** A server with all that stands above it when npm starts it: a shell, our launcher, the server itself. */
export interface ServerTree {
  readonly url: string;
  /** Of the server itself. */
  readonly pid: number;
  /** Of the shell, which leads the group of them all. */
  readonly shell: number;
  /** What the server has logged. */
  readonly lines: readonly string[];
  /** Resolves when the whole tree is gone. @returns how the shell ended: it passes on the server's exit code */
  ended(): Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** As `kill -9` to all that is left. */
  kill(): void;
}

/** Starts a command that listens as `npm start` does, and waits until it does. */
export async function startTree(command: string, env: Readonly<Record<string, string>>): Promise<ServerTree> {
  // `exit` keeps the shell from giving its place to the launcher, as some shells do.
  const script = `"${process.execPath}" tools/run.mjs counterfoil ${command} --json; exit $?`;
  const shell = spawn('/bin/sh', ['-c', script], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_lifecycle_event: 'counterfoil', ...env },
  });
  const gone = once(shell, 'exit');
  const lines: string[] = [];
  const url = await listening(shell, lines);
  const leader = shell.pid ?? 0;
  const all = [leader];
  for (let pid: number | undefined = leader; pid !== undefined; pid = childOf(pid)) all.push(pid);
  const server = all.at(-1) ?? 0;
  return {
    url,
    lines,
    shell: leader,
    pid: server,
    async ended() {
      const [code, signal] = (await gone) as [number | null, string | null];
      while (all.some(isAlive)) await sleep(20);
      return { code, signal };
    },
    kill() {
      for (const pid of all) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
  };
}

function listening({ stdout, ...shell }: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the server ${why}\n${lines.slice(-20).join('\n')}`));
    const timer = setTimeout(() => fail('did not get ready'), WITHIN_MS);
    if (stdout === null) throw new Error(`no output of ${shell.pid}`);
    createInterface({ input: stdout })
      .on('line', (line) => {
        lines.push(line);
        const url = /"listening":"([^"]+)"/.exec(line)?.[1];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      })
      .on('close', () => fail('ended'));
  });
}

/** The first child of a process that is a program of ours, not a helper of it. */
function childOf(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/children`;
  const [first] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return first === undefined || first === '' ? undefined : Number(first);
}

function isAlive(pid: number): boolean {
  try {
    // What has ended and was not waited for yet has no memory any more.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
