import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mallocSettings } from '../../../tools/run/node.mjs';
import { childEnv } from './child-env.ts';
import { fakePortal } from './fake-portal.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_WITHIN_MS = 60_000;

/** A part of the product as a process of its own, as an operator runs it. */
export interface TestProcess {
  readonly pid: number;
  /** All lines of standard output and error so far. */
  readonly lines: readonly string[];
  /** As `kill -9`: no handler runs. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** As an operator stops it. @returns the exit code */
  stop(): Promise<number | null>;
}

export interface TestProcessOptions {
  /** Program and arguments below the project's root, e.g. `['apps/api/src/main.ts', 'serve']`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** The process counts as started with the first line that matches. */
  readonly ready: RegExp;
  /** How long that may take, milliseconds (a minute). */
  readonly readyWithinMs?: number;
}

/** Starts a process and waits until it says that it is ready. @throws {Error} with its output when it ends before */
export async function startProcess(
  options: TestProcessOptions,
): Promise<TestProcess & { readonly readyLine: string }> {
  const [program = '', ...args] = options.command;
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), join(ROOT, program), ...args], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...childEnv(),
      ...mallocSettings,
      WEB_DIST: fakePortal(),
      // No balancer is waited for.
      STOP_PAUSE_MS: '0',
      ...options.env,
    },
  });
  const lines: string[] = [];
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const readyLine = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`${options.command.join(' ')} ${why}\n${lines.slice(-20).join('\n')}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('did not get ready');
    }, options.readyWithinMs ?? START_WITHIN_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (!options.ready.test(line)) return;
        clearTimeout(timer);
        resolve(line);
      });
    }
  });
  return { readyLine, lines, pid: child.pid ?? 0, ...endings(child, ended) };
}

function endings(child: ChildProcess, ended: Promise<number | null>): Pick<TestProcess, 'kill' | 'stop'> {
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
