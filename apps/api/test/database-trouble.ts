import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { attachOrStart } from '@counterfoil/postgres/server.ts';

/** A PostgreSQL of the test's own, reached through a proxy that can swallow everything. */
export interface TroubledDatabase {
  /** Straight to it, for the test itself. */
  readonly url: string;
  /** Through the proxy, for what is tested. */
  readonly proxied: string;
  /** As `kill -9` of the whole server; it is started again on the same port. */
  kill(): void;
  /** As an operator restarts it: clients are cut off. */
  restart(): void;
  /** Nothing comes through any more, in either direction, and nobody is told. @returns how to end it */
  blackHole(): () => void;
  stop(): Promise<void>;
}

export async function troubledDatabase(dataDir: string): Promise<TroubledDatabase> {
  const server = await attachOrStart({ dataDir });
  const { port } = new URL(server.url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      // What comes in the silence is lost, as on a line that is cut without a word.
      from.on('data', (part) => isSilent || to.write(part));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isSilent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(server.url);
  proxied.port = String((proxy.address() as AddressInfo).port);
  const signal = (name: NodeJS.Signals) => {
    const pid = Number(readFileSync(join(server.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, name);
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: server.url,
    proxied: proxied.href,
    kill: () => signal('SIGKILL'),
    restart: () => signal('SIGINT'),
    blackHole() {
      isSilent = true;
      return () => {
        cut();
        isSilent = false;
      };
    },
    async stop() {
      cut();
      proxy.close();
      await server.stop();
    },
  };
}
