import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where it is noted that a restoration has begun, until it has ended. */
export const noteOf = (dataDir: string): string => join(dataDir, 'restore-unfinished');

/** The path of that note; undefined where none has begun, or the last one ended. */
export const unfinishedRestore = (dataDir: string): string | undefined =>
  existsSync(noteOf(dataDir)) ? noteOf(dataDir) : undefined;
