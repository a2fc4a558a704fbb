import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../config.ts';
import { WorldFault } from '../world-fault.ts';
import { demoWebhooks } from './gateways.ts';

const MAIN = join(import.meta.dirname, '../../../sandbox/src/main.ts');
const START_WITHIN_MS = 15_000;
const END_WITHIN_MS = 3_000;

export interface SandboxProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the gateway sandbox as a process of its own; it ends with this one, however this one ends.
 * @throws {WorldFault} when it does not start
 */
export async function startSandbox(config: Config): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: 'pipe',
    // A signal to the whole group is for us: payments in flight still need the gateway. It ends with its standard input.
    detached: true,
    env: {
      SANDBOX_PORT: String(config.sandboxPort),
      SANDBOX_DIR: join(config.dataDir, 'sandbox'),
      SANDBOX_PARENT: 'stdin',
      SANDBOX_WEBHOOKS: JSON.stringify(demoWebhooks(`http://127.0.0.1:${config.port}`)),
    },
  });
  const said: string[] = [];
  let isStarted = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (isStarted) process.stderr.write(`${line}\n`);
    else said.push(line);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new WorldFault('the gateway sandbox did not start in time; this machine is too busy, try again'),
      );
    }, START_WITHIN_MS);
    child.once('close', () => {
      clearTimeout(timer);
      reject(whyNot(said, config.sandboxPort));
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = addressIn(line);
      if (address === undefined) return;
      clearTimeout(timer);
      isStarted = true;
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

/** What the sandbox says of its end, as one line. */
function whyNot(said: readonly string[], port: number): WorldFault {
  const text = said.join('\n');
  if (text.includes('EADDRINUSE'))
    return new WorldFault(
      `port ${port}, which the demo's gateway sandbox needs, is taken by another program; end that one, or set SANDBOX_PORT to a free port`,
    );
  if (/cannot listen .*\((EACCES|EPERM)\)/.test(text))
    return new WorldFault(
      `this account may not listen on port ${port}, which the demo's gateway sandbox needs; set SANDBOX_PORT to 1024 or more`,
    );
  const reason = /^(?:\w*Error|sandbox): (.*)$/m.exec(text)?.[1] ?? said.at(-1) ?? 'it says nothing';
  return new WorldFault(
    `the demo's gateway sandbox did not start (${reason}); see DATA_DIR/sandbox, or set DEMO=0`,
  );
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
