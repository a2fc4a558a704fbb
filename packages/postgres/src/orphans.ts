import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresFault } from './fault.ts';
import { platform } from './platform.ts';
import { clearSockets } from './socket.ts';

/** How long each way of asking gets before the next, harder one. */
const patience = [
  { signal: 'SIGINT', waitMs: 8_000 },
  { signal: 'SIGQUIT', waitMs: 4_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const;

/**
 * Ends what an earlier run left of this cluster's server and removes its `postmaster.pid` and sockets.
 *
 * PostgreSQL judges a pid file by whether *any* process has that number, and so refuses to start when the number
 * was given to something else. Its processes work inside the cluster directory; that is what counts here.
 * @throws {PostgresFault} when one of them cannot be ended
 */
export async function clearOrphans(cluster: string): Promise<void> {
  for (const { signal, waitMs } of patience) {
    const started = Date.now();
    if (serverProcesses(cluster).length === 0) break;
    for (const pid of serverProcesses(cluster)) signalProcess(pid, signal);
    while (serverProcesses(cluster).length > 0 && Date.now() - started < waitMs) await sleep(10);
  }
  const [survivor] = serverProcesses(cluster);
  if (survivor) {
    throw new PostgresFault(
      `process ${survivor} still runs the database in ${cluster} (DATA_DIR) and cannot be stopped; end it, then start again`,
    );
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  clearSockets(cluster);
}

/** Ids of the processes that work in this directory: the postmaster and its backends. */
export function serverProcesses(cluster: string): number[] {
  return platform.serverProcesses(cluster);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
