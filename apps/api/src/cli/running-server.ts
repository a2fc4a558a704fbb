import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lock, ownerOf, tryLock } from '@counterfoil/postgres/lock.ts';
import type { Running } from '../processes.ts';
import { WorldFault } from '../world-fault.ts';
import { leaveWord, readWord, type Word } from './left-word.ts';

/** Nobody waits longer for a server that may not be there. */
const ANSWER_WITHIN_MS = 2_000;

const fileIn = (dataDir: string): string => join(dataDir, 'server.json');

/**
 * Leaves word of where the server of this process is, for commands beside it on the same DATA_DIR, until it is stopped.
 * @param server.url address at which this machine reaches the portal, with the port it really has, without a trailing slash
 */
export const leaveServerWord = (dataDir: string, { url }: Pick<Word, 'url'>): Promise<Running> =>
  leaveWord(fileIn(dataDir), url);

/** The server that runs on a data folder: who left word of it lives, and it answers at that address. */
export async function readRunningServer(dataDir: string): Promise<Word | undefined> {
  const word = await readWord(fileIn(dataDir));
  if (word === undefined) return undefined;
  const answers = await fetch(`${word.url}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    .then(async (answer) => answer.ok && 'status' in ((await answer.json()) as object))
    .catch(() => false);
  return answers ? word : undefined;
}

/** A start before this one may be ending. */
const LET_END_MS = 10_000;

/**
 * Takes the right to be the one `start` of a data folder, with its sandbox and its word. It ends with this process, too.
 * @param letEndMs how long one that says nothing may take to end
 * @throws {WorldFault} saying which process has it, and where
 */
export async function beOnlyStart(dataDir: string, letEndMs = LET_END_MS): Promise<Lock> {
  const deadline = Date.now() + letEndMs;
  for (;;) {
    const lock = await tryLock(dataDir, 'start');
    if (lock !== undefined) return lock;
    const running = await readRunningServer(dataDir);
    if (running !== undefined) {
      throw new WorldFault(
        `one runs already on ${dataDir} (DATA_DIR): ${running.url}, process ${running.pid}; use that one, or end it first`,
      );
    }
    if (Date.now() >= deadline) {
      const pid = await ownerOf(dataDir, 'start');
      throw new WorldFault(
        `one is starting or ending on ${dataDir} (DATA_DIR): process ${pid ?? 'unknown'}; wait for it, or end it first`,
      );
    }
    await sleep(100);
  }
}
