import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what a server tells its endpoints. */
export interface Receiver {
  /** Requests that came so far. */
  received(): number;
  /** Registers so many endpoints of the key's reseller at it. @throws {Error} for any answer but 201 */
  register(serverUrl: string, key: string, count: number): Promise<void>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      count += 1;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received: () => count,
    async register(serverUrl, key, endpoints) {
      for (let n = 1; n <= endpoints; n += 1) {
        const answer = await fetch(`${serverUrl}/v1/admin/webhook-endpoints`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ url: `http://127.0.0.1:${port}/${n}` }),
        });
        if (answer.status !== 201) throw new Error(await answer.text());
      }
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
