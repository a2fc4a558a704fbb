import { join } from 'node:path';
import type { Running } from '../processes.ts';
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
