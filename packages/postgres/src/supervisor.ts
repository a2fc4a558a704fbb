import { setTimeout as sleep } from 'node:timers/promises';
import { type Launch, type Postmaster, startPostmaster } from './postmaster.ts';

/** Keeps a server running until it is stopped on purpose. */
export interface Supervisor {
  stop(): Promise<void>;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Starts the server and starts it again, on the same port, whenever it ends by itself.
 * @param onNotice told about every unexpected end and failed restart
 * @throws {Error} when the first start fails
 */
export async function supervise(
  launch: Launch,
  onNotice: (line: string) => void = () => undefined,
): Promise<Supervisor> {
  let isStopping = false;
  let current = await startPostmaster(launch);

  const keepRunning = async () => {
    while (!isStopping) {
      await current.ended;
      if (isStopping) return;
      onNotice(`PostgreSQL (process ${current.pid}) ended unexpectedly and is started again`);
      current = await restart(current);
    }
  };

  const restart = async (previous: Postmaster): Promise<Postmaster> => {
    let pauseMs = firstPauseMs;
    while (!isStopping) {
      await sleep(pauseMs, undefined, { ref: false });
      try {
        return await startPostmaster(launch);
      } catch (error) {
        onNotice(`PostgreSQL could not be started again: ${(error as Error).message}`);
      }
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    return previous;
  };

  const kept = keepRunning();
  return {
    async stop() {
      isStopping = true;
      await current.stop();
      await kept;
      await current.stop(); // a restart that was under way
    },
  };
}
