import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Account, databaseAccount } from '@counterfoil/postgres/account.ts';
import { attachOrStart } from '@counterfoil/postgres/server.ts';

/**
 * A process of its own, in a mount name space of its own, that runs a PostgreSQL whose tables and whose journal (WAL)
 * each lie on a small file system, and that fills these and frees them again. Arguments: the two folders. Commands on
 * standard input, each with `tables` or `journal` and each answered by a line: `reserve` (`{isThere}`: false while there
 * is too little room for it), `fill`, `free`. What the server's keeper notices goes to standard error.
 */
const [tables = '', journal = ''] = process.argv.slice(2);
const folders: Readonly<Record<string, string>> = { tables, journal };
const dataDir = join(tables, 'data');
const SEGMENT = 16 << 20;
/** What a disk has on top once somebody has made room: a journal that filled its disk by itself needs new segments. */
const RESERVE = 4 * SEGMENT;
/** With the reserve there is this much left, for what is written before the disk is filled. */
const LEFT = 2 * SEGMENT;

/** The journal moves while the server is stopped; where PostgreSQL looks for it stands a link. */
async function moveJournal(): Promise<void> {
  const made = await attachOrStart({ dataDir });
  await made.stop();
  const [from, to] = [join(made.cluster, 'pg_wal'), join(journal, 'pg_wal')];
  cpSync(from, to, { recursive: true });
  const account = databaseAccount();
  if (account !== undefined) giveTo(account, to);
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
}

function giveTo({ uid, gid }: Account, path: string): void {
  chownSync(path, uid, gid);
  for (const name of readdirSync(path, { recursive: true }) as string[])
    chownSync(join(path, name), uid, gid);
}

/** @returns whether the reserve lies there */
function reserve(folder: string): boolean {
  const file = join(folder, 'reserve');
  const isThere = existsSync(file);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEFT + (isThere ? 0 : RESERVE)) return false;
  if (!isThere) writeFileSync(file, Buffer.alloc(RESERVE));
  return true;
}

/** Takes all the space there is, to the last block. */
function fill(folder: string): void {
  for (let size = 1 << 20; size >= 4_096; size >>= 1) {
    try {
      for (;;) writeFileSync(join(folder, 'ballast'), Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);
await moveJournal();
const server = await attachOrStart({
  dataDir,
  onNotice: (line) => process.stderr.write(`${line.replaceAll('\n', ' | ')}\n`),
});
mkdirSync(join(tables, 'product'));
// The disk, and with it the server's socket, is mounted for this process alone: others come by the port.
const byPort = new URL(server.url);
byPort.searchParams.delete('host');
say({ url: byPort.href });
for await (const line of createInterface({ input: process.stdin })) {
  const [what, where = ''] = line.split(' ');
  const folder = folders[where] ?? '';
  if (what === 'reserve') say({ isThere: reserve(folder) });
  else {
    if (what === 'fill') fill(folder);
    else for (const name of ['ballast', 'reserve']) rmSync(join(folder, name), { force: true });
    const { bavail, bsize } = statfsSync(folder);
    say({ freeBytes: bavail * bsize });
  }
}
// Whoever started it is gone, or has said that it is over.
await server.stop();
