import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';

/** The project's directory. */
export const root = join(import.meta.dirname, '..');

export interface Ended {
  readonly code: number;
  /** What it printed, both streams in order of arrival; empty when it was shown instead. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `show` (default) lets it print, `keep` collects. */
  readonly output?: 'show' | 'keep';
}

/**
 * Ends the whole process group when the reading end of the pipe closes, which is when this process ends in any way:
 * test runners and browsers know nothing of us. The watcher is in the group itself, so its number stays taken.
 */
const groupLauncher = `( { read -r _ <&3; kill -KILL -$$; } >/dev/null 2>&1 & ); exec "$@" 3<&-`;

/** Scripts that ask `env` for node get this one. */
const searchPath = [dirname(process.execPath), process.env['PATH']].join(delimiter);

/** Runs a program in a process group of its own, of which nothing survives its end or ours. Input is empty. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd = root, env = {}, output = 'show' } = options;
  return new Promise((resolve, reject) => {
    const stream = output === 'show' ? 'inherit' : 'pipe';
    const child = spawn('/bin/sh', ['-c', groupLauncher, 'sh', program, ...args], {
      cwd,
      env: { ...process.env, PATH: searchPath, ...env },
      stdio: ['ignore', stream, stream, 'pipe'],
      detached: true,
    });
    let text = '';
    for (const source of [child.stdout, child.stderr]) {
      source?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    }
    const leash = child.stdio[3] as import('node:net').Socket;
    leash.on('error', () => undefined);
    child.on('error', reject);
    child.on('exit', () => leash.destroy());
    child.on('close', (code, signal) => {
      resolve({ code: code ?? 1, output: signal ? `${text}\n${program} was ended by ${signal}\n` : text });
    });
  });
}

/** Runs a JavaScript or TypeScript file on this Node. */
export function runScript(
  script: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Ended> {
  return run(process.execPath, [script, ...args], options);
}

/** Path of a script inside an installed package; package files are not all exported. */
export function packageFile(path: string): string {
  return join(root, 'node_modules', path);
}
