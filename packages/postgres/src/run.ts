import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/** A program ended otherwise than with 0. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
  /** What it printed. */
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/**
 * Runs a program to its end.
 * @param account who runs it, undefined for the present account
 * @param input what it reads on standard input
 * @throws {ProgramFailed} when it does not end with 0
 */
export function runAs(
  account: Account | undefined,
  cwd: string,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...identity(account),
      stdio: 'pipe',
      env: serverEnvironment(),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new ProgramFailed(`${program} ended with ${code ?? signal}`, output.trim()));
    });
  });
}

/** The part of spawn's options that changes the account. */
export function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** The server reads nothing of our environment: no PG* variable, no locale, no secret. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
