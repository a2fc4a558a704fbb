import { appendFileSync, existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PostgresFault } from './fault.ts';
import { ProgramFailed } from './run.ts';

interface Place {
  readonly cluster: string;
  readonly logFile: string;
}

/** With less than this left on its disk, PostgreSQL cannot start: it needs a segment of its journal. */
const NO_ROOM_BYTES = 20_000_000;
const fullDisk = /No space left on device|Disk quota exceeded/;

/** Why the server did not start, in one line. @param text what it wrote into its log meanwhile */
export function startFault(text: string, { cluster, logFile }: Place): PostgresFault {
  const isFull = fullDisk.test(text) || (lineOf(text) === undefined && !hasRoom(cluster));
  if (isFull) {
    return new PostgresFault(
      `PostgreSQL did not start: No space left on device, the disk of ${cluster} (DATA_DIR) is full; make room there`,
    );
  }
  if (text.includes('database files are incompatible with server')) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    return new PostgresFault(
      `the database in ${cluster} (DATA_DIR) was made by PostgreSQL ${version}, which is not the version that this program brings; ` +
        `run it with a PostgreSQL ${version} and name that in DATABASE_URL, or dump it there and restore it here`,
    );
  }
  return new PostgresFault(
    `PostgreSQL did not start: ${lineOf(text) ?? 'it says nothing'} (log: ${logFile})`,
  );
}

/** The same for a program that prepares it; what it said at length goes into the log. */
export async function told(work: Promise<void>, place: Place): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    try {
      appendFileSync(place.logFile, `${error.message}\n${error.output}\n`, { mode: 0o600 });
    } catch {
      // On a full disk too there is the one line.
    }
    throw startFault(error.output, place);
  }
}

/** The first line that says why, without time and process. */
function lineOf(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => !line.includes('the database system is starting up'));
  const at = lines.findIndex((line) => /(PANIC|FATAL|error): /.test(line));
  if (at < 0) return undefined;
  const found = messageOf(lines[at]);
  // What is wrong in a file of settings is said before.
  return at > 0 && found.endsWith('contains errors') ? `${found}: ${messageOf(lines[at - 1])}` : found;
}

const messageOf = (line = ''): string => line.replace(/^.*?(?:PANIC|FATAL|LOG|error): +/, '').trim();

function hasRoom(cluster: string): boolean {
  const { bavail, bsize } = statfsSync(existsSync(cluster) ? cluster : dirname(cluster));
  return bavail * bsize >= NO_ROOM_BYTES;
}
