import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { platform } from './platform.ts';

/** Begins the name of the server's socket and of its lock file; the port follows. */
const prefix = '.s.PGSQL.';
export const socketName = (port: number): string => `${prefix}${port}`;
/** As long as the name of a socket can be. */
const probe = `${prefix}probe`;

/**
 * Where the server's Unix socket lies: in the cluster's directory, which only the database account and root can enter.
 * @returns undefined where the path is too long for a socket, or its file system has none
 */
export async function socketDirectory(cluster: string): Promise<string | undefined> {
  const path = join(cluster, probe);
  if (Buffer.byteLength(path) > platform.longestSocketPath) return undefined;
  rmSync(path, { force: true });
  const isPossible = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
  return isPossible ? cluster : undefined;
}

/**
 * Removes what a killed server left: PostgreSQL judges the socket's lock file as it judges its pid file, by whether any
 * process has that number.
 */
export function clearSockets(cluster: string): void {
  for (const name of readdirSync(cluster)) if (name.startsWith(prefix)) rmSync(join(cluster, name));
}
