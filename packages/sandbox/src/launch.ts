/** Starts a sandbox process for tests and tools; it ends with the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RunningSandbox {
  /** Address without a trailing slash, for example `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Ends it with a signal (default SIGTERM) and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `apps/sandbox` on a free port.
 * @param options.directory journal directory; give the same one again to continue after a kill
 * @param options.env further settings, see apps/sandbox/src/main.ts
 * @throws {Error} when it ends before it listens
 */
export async function launchSandbox(options: {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<RunningSandbox> {
  const main = fileURLToPath(new URL('../../../apps/sandbox/src/main.ts', import.meta.url));
  // In a folder for this Node below the one that is set.
  const compiled = getCompileCacheDir();
  const child = spawn(process.execPath, [main], {
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_DIR: options.directory,
      SANDBOX_PARENT: 'stdin',
      ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(() => undefined),
  ]);
  if (first === undefined) throw new Error('The sandbox ended before it listened');
  const { sandbox, port } = JSON.parse(first) as { sandbox: string; port: number };
  return {
    url: sandbox,
    port,
    process: child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
