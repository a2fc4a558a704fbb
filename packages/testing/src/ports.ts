import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A port of this machine on which nothing listens: one that was really opened and closed again. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * An address at which nothing listens, for as long as this process lives. A port that was merely free is soon somebody
 * else's: the port of an outgoing connection is held, and refuses who calls. A low port such as 9 would not do: `fetch`
 * refuses those by itself and never tries to connect.
 */
export async function nowhere(): Promise<string> {
  const server = createServer((taken) => taken.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const held = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(held, 'connect');
  held.unref();
  server.unref();
  return `http://127.0.0.1:${held.localPort}`;
}
