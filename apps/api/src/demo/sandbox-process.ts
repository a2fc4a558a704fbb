import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../config.ts';
import { demoWebhooks } from './gateways.ts';

const MAIN = join(import.meta.dirname, '../../../sandbox/src/main.ts');
const START_WITHIN_MS = 15_000;
const END_WITHIN_MS = 3_000;

export interface SandboxProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the gateway sandbox as a process of its own; it ends with this one, however this one ends. */
export async function startSandbox(config: Config): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A signal to the whole group is for us: payments in flight still need the gateway. It sees the end of its input.
    detached: true,
    env: {
      SANDBOX_PORT: String(config.sandboxPort),
      SANDBOX_DIR: join(config.dataDir, 'sandbox'),
      SANDBOX_PARENT: 'stdin',
      SANDBOX_WEBHOOKS: JSON.stringify(demoWebhooks(`http://127.0.0.1:${config.port}`)),
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the gateway sandbox did not start')), START_WITHIN_MS);
    child.once('exit', (code) =>
      reject(new Error(`the gateway sandbox ended with ${code}; is port ${config.sandboxPort} taken?`)),
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = addressIn(line);
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function addressIn(line: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const address =
      typeof parsed === 'object' && parsed !== null && 'sandbox' in parsed ? parsed.sandbox : undefined;
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}
