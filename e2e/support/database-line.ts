import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The wire between a server and its database, which can be cut and can go silent. */
export interface DatabaseLine {
  /** The database's address through this line. */
  readonly url: string;
  /** `silent`: bytes vanish, as behind a broken switch; connections stay open. */
  set(state: 'open' | 'silent'): void;
  close(): void;
}

/** @param url of the database itself */
export async function openDatabaseLine(url: string): Promise<DatabaseLine> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (part) => isSilent || to.write(part));
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => undefined);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  // Else it would lead to the server's own socket, past this line.
  through.searchParams.delete('host');
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    set(state) {
      isSilent = state === 'silent';
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
