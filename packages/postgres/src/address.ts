import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What `postgres.json` in the data directory holds; readable by its owner only. */
export interface Address {
  readonly user: string;
  readonly password: string;
  /** Kept over restarts where it is free, so that attached processes find the server again. */
  readonly port: number;
  readonly database: string;
  /** Directory of the PostgreSQL cluster; outside the data directory where that is closed to the database account. */
  readonly cluster: string;
  /** All of the above in one, for people: DATABASE_URL of this server. */
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

/** Writes the address as a whole or not at all, with mode 600. */
export function writeAddress(dataDir: string, address: Omit<Address, 'url'>): Address {
  const { user, password, port, database } = address;
  const complete = { ...address, url: `postgres://${user}:${password}@127.0.0.1:${port}/${database}` };
  const unfinished = `${addressFile(dataDir)}.${process.pid}`;
  const file = openSync(unfinished, 'w', 0o600);
  writeSync(file, `${JSON.stringify(complete, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, addressFile(dataDir));
  return complete;
}

function addressFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}
