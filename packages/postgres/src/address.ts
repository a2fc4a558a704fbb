import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { socketName } from './socket.ts';

/** What `postgres.json` in the data directory holds; readable by its owner only. */
export interface Address {
  readonly user: string;
  readonly password: string;
  /** Kept over restarts where it is free, so that attached processes find the server again. */
  readonly port: number;
  readonly database: string;
  /** Directory of the PostgreSQL cluster; outside the data directory where that is closed to the database account. */
  readonly cluster: string;
  /** Directory of the server's Unix socket, where it has one; the port is in the socket's name. */
  readonly socket?: string;
  /** All of the above in one, for programs and people: DATABASE_URL of this server. */
  readonly url: string;
}

/** @returns undefined when there is none yet, or when it is unreadable as an address */
export function readAddress(dataDir: string): Address | undefined {
  let text: string;
  try {
    text = readFileSync(addressFile(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const address = JSON.parse(text) as Partial<Address>;
    return address.password && address.cluster && address.url ? (address as Address) : undefined;
  } catch {
    return undefined;
  }
}

/** The address for a process that attaches: by the port where it does not see the socket, as in another container. */
export function attachUrl(address: Address): string {
  const { socket, ...byPort } = address;
  const isSeen = socket !== undefined && existsSync(join(socket, socketName(address.port)));
  return isSeen ? address.url : urlOf(byPort);
}

/** Writes the address as a whole or not at all, with mode 600. */
export function writeAddress(dataDir: string, address: Omit<Address, 'url'>): Address {
  const complete = { ...address, url: urlOf(address) };
  const unfinished = `${addressFile(dataDir)}.${process.pid}`;
  const file = openSync(unfinished, 'w', 0o600);
  writeSync(file, `${JSON.stringify(complete, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, addressFile(dataDir));
  return complete;
}

/** The parameter `host` comes before the host of the address, here and in PostgreSQL's own programs. */
function urlOf({ user, password, port, database, socket }: Omit<Address, 'url'>): string {
  const url = new URL(`postgres://${user}:${password}@127.0.0.1:${port}/${database}`);
  if (socket !== undefined) url.searchParams.set('host', socket);
  return url.href;
}

function addressFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}
