import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

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
 * An address at which nothing listens. A low port such as 9 would not do: `fetch` refuses those by itself and never
 * tries to connect.
 */
export const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
