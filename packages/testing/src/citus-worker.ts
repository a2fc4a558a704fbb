import { execSync } from 'node:child_process';
import { clusterUrl } from './machines.ts';

/** A worker of the Citus cluster at CITUS_URL that a test may end and start. */
export interface CitusWorker {
  readonly port: string;
  end(): void;
  start(): void;
}

/**
 * As CITUS_WORKER_PORT, CITUS_WORKER_DOWN and CITUS_WORKER_UP say: its port, and the commands that end and start it.
 * @returns undefined where there is no cluster, or one of them is not set
 */
export function citusWorker(): CitusWorker | undefined {
  const { CITUS_WORKER_PORT: port, CITUS_WORKER_DOWN: down, CITUS_WORKER_UP: up } = process.env;
  if ([clusterUrl(), port, down, up].some((value) => !value)) return undefined;
  const run = (command = '') => void execSync(command, { stdio: 'ignore' });
  return { port: port ?? '', end: () => run(down), start: () => run(up) };
}
