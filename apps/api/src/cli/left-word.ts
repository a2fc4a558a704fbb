import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../files/private.ts';
import type { Running } from '../processes.ts';

/** What a process leaves in its data folder of something it runs, for commands beside it. */
export interface Word {
  /** Address that people and commands use, without a trailing slash. */
  readonly url: string;
  /** Of the process with which it ends. */
  readonly pid: number;
}

/** Leaves word of what this process runs, until it is stopped. */
export async function leaveWord(file: string, url: string): Promise<Running> {
  const word: Word = { url, pid: process.pid };
  await writePrivateFile(file, `${JSON.stringify(word)}\n`);
  return {
    async stop() {
      // Another process may have left its own since.
      if ((await readFileOf(file))?.pid === process.pid) await rm(file, { force: true });
    },
  };
}

/** The word that was left, while the process that left it lives. */
export async function readWord(file: string): Promise<Word | undefined> {
  const word = await readFileOf(file);
  return word !== undefined && isThere(word.pid) ? word : undefined;
}

async function readFileOf(file: string): Promise<Word | undefined> {
  try {
    const word: Partial<Word> | null = JSON.parse(await readFile(file, 'utf8'));
    const { url, pid } = word ?? {};
    return typeof url === 'string' && Number.isInteger(pid) ? { url, pid: Number(pid) } : undefined;
  } catch {
    // There is none, or somebody else wrote it.
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
