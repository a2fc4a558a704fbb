import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { serverProgram } from '../../../tools/run/server-program.mjs';

export const root = join(import.meta.dirname, '../../..');

const PRELOAD = pathToFileURL(join(root, 'tools/end-with-parent.mjs')).href;
/** The built server, as `npm start` runs it. */
export const SERVER = serverProgram(root);
const READY_WITHIN_MS = 90_000;
const END_WITHIN_MS = 12_000;

/** A part of the product in a process of its own. It ends with this process, however this one ends. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** The line with which it said that it was ready. */
  readonly readyLine: string;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  isAlive(): boolean;
  /** As `kill -9`. */
  kill(): Promise<void>;
  /** As an operator stops it; killed when it does not end. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  /** Program below the project's directory, and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Everything it prints goes here too. */
  readonly logFile: string;
  readonly ready: RegExp;
}

/** Only what a program needs to run: settings of the person's shell must not leak into the stack. */
function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // No balancer is waited for.
  return { ...Object.fromEntries(kept), STOP_PAUSE_MS: '0', ...more };
}

function spawnProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, Readable> {
  // The channel tells it when we end; the types of `spawn` know only three streams.
  return spawn(process.execPath, ['--import', PRELOAD, join(root, program), ...args], {
    cwd: root,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
}

/** Starts a process and waits for its ready line. @throws {Error} with its last lines when it ends before */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, env, logFile, ready } = options;
  const [program = '', ...args] = options.command;
  mkdirSync(dirname(logFile), { recursive: true });
  const child = spawnProgram(program, args, env);
  const log = createWriteStream(logFile, { flags: 'a' });
  const last: string[] = [];
  let isAlive = true;
  const ended = once(child, 'exit').then(() => {
    isAlive = false;
  });
  const readyLine = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`${name} ${why}:\n${last.join('\n')}`));
    };
    const timer = setTimeout(() => fail('did not get ready'), READY_WITHIN_MS);
    void ended.then(() => {
      clearTimeout(timer);
      fail('ended');
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`);
        last.push(line);
        if (last.length > 30) last.shift();
        if (!ready.test(line)) return;
        clearTimeout(timer);
        resolve(line);
      });
    }
  });
  return {
    name,
    pid: child.pid ?? 0,
    readyLine,
    ended,
    isAlive: () => isAlive,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one of the product's commands to its end, e.g. `['import', 'a.xml', '--json']`. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = spawnProgram(SERVER, args, env);
  const collect = async (stream: Readable) => {
    let text = '';
    for await (const part of stream.setEncoding('utf8')) text += part;
    return text;
  };
  const [[code], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    collect(child.stdout),
    collect(child.stderr),
  ]);
  return { code: code ?? 1, out, err };
}
